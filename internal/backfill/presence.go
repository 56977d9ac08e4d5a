package backfill

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// presence shows the others that a process lives: an advisory lock that is held for as
// long as its session. Jobs of one that was killed are taken up again as soon as the
// server has noticed, not after an hour as for a job that merely takes long.
type presence struct {
	queue *Queue
	name  string // of the process among the queue's clients
	conn  *pgxpool.Conn
}

// presentEvery is how often a process sees to its own lock and to others' jobs.
const presentEvery = 2 * time.Second

// show takes the lock, again where its session was lost. Meanwhile another process
// may have taken this one's jobs for left behind and work them too: whichever commits
// first completes the job, and the other's rows are rolled back.
func (p *presence) show(ctx context.Context) error {
	if p.conn != nil {
		if _, err := p.conn.Exec(ctx, `select`); err == nil {
			return nil
		}
		p.hide(ctx)
	}
	conn, err := p.queue.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("show presence: %w", err)
	}
	if _, err := conn.Exec(ctx, `select pg_advisory_lock(hashtextextended($1, 0))`, p.name); err != nil {
		conn.Release()
		return fmt.Errorf("show presence: %w", err)
	}
	p.conn = conn
	return nil
}

// hide ends the session, and with it the lock.
func (p *presence) hide(ctx context.Context) {
	if p.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = p.conn.Conn().Close(ctx)
	p.conn.Release()
	p.conn = nil
}

// adopt makes the jobs of processes that are gone available. Their locks are taken
// for the length of the transaction: that they can be shows that nobody has them.
func (p *presence) adopt(ctx context.Context) (int64, error) {
	tag, err := p.queue.pool.Exec(ctx, `with running as materialized (
			select id, attempted_by[cardinality(attempted_by)] as worker from audit_jobs.river_job where kind = '`+kind+`' and state = 'running'),
		gone as materialized (
			select worker from (select distinct worker from running where worker <> $1) as w
			where pg_try_advisory_xact_lock(hashtextextended(worker, 0)))
		update audit_jobs.river_job j set state = 'available', attempt = greatest(j.attempt - 1, 0)
		from running r join gone using (worker) where j.id = r.id and j.state = 'running' and j.attempted_by[cardinality(j.attempted_by)] = r.worker`, p.name)
	if err != nil {
		return 0, fmt.Errorf("take up jobs that were left: %w", err)
	}
	return tag.RowsAffected(), nil
}
