package backfill

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"minesaudit/internal/store"
)

// schema is where the job queue has its tables.
const schema = "audit_jobs"

// Advisory locks, beside those of the record's writers; any fixed numbers serve.
const (
	migrateKey = 0x6d6a6f6273 // "mjobs": the queue's tables are being made
	planKey    = 0x706c616e   // "plan": pages are being planned
)

// Queue is the jobs of a record. It is safe for concurrent use.
type Queue struct {
	pool *pgxpool.Pool
}

// OpenQueue prepares connections of its own to a record's database; nothing is
// connected yet.
func OpenQueue(st *store.Store) (*Queue, error) {
	pool, err := st.Apart(queueConns)
	if err != nil {
		return nil, err
	}
	return &Queue{pool}, nil
}

// queueConns are for the queue's listener and completer, presence, planning, and two
// besides.
const queueConns = 6

// Close ends the connections.
func (q *Queue) Close() { q.pool.Close() }

// Migrate makes and changes the queue's own tables, and does nothing where they are
// up to date. The record's schema is to be up to date before. Several processes may
// call it at once.
func (q *Queue) Migrate(ctx context.Context) error {
	migrator, err := rivermigrate.New(riverpgxv5.New(q.pool), &rivermigrate.Config{Schema: schema, Logger: silent()})
	if err != nil {
		return fmt.Errorf("migrate the job queue: %w", err)
	}
	if valid, err := migrator.Validate(ctx, nil); err == nil && valid.OK {
		return nil
	}
	conn, err := q.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("migrate the job queue: %w", err)
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `select pg_advisory_lock($1)`, int64(migrateKey)); err != nil {
		return fmt.Errorf("migrate the job queue: %w", err)
	}
	defer func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), `select pg_advisory_unlock($1)`, int64(migrateKey))
	}()
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate the job queue: %w", err)
	}
	return nil
}

// inserter is a client that works nothing.
func (q *Queue) inserter() (*river.Client[pgx.Tx], error) {
	client, err := river.NewClient(riverpgxv5.New(q.pool), &river.Config{Schema: schema, Logger: silent()})
	if err != nil {
		return nil, fmt.Errorf("open the job queue: %w", err)
	}
	return client, nil
}

// unfinished are the states of jobs that will yet be worked.
const unfinished = ` from audit_jobs.river_job where kind = '` + kind + `' and state in ('available', 'pending', 'running', 'retryable', 'scheduled')`

// Pending lists the pages that are still to be read, newest first.
func (q *Queue) Pending(ctx context.Context) ([]Page, error) {
	rows, err := q.pool.Query(ctx, `select args`+unfinished+` order by (args->>'to_slot')::bigint desc`)
	if err != nil {
		return nil, fmt.Errorf("list jobs: %w", err)
	}
	pages, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (p Page, err error) {
		var args []byte
		if err = row.Scan(&args); err == nil {
			err = json.Unmarshal(args, &p)
		}
		return p, err
	})
	if err != nil {
		return nil, fmt.Errorf("list jobs: %w", err)
	}
	return pages, nil
}

// Left is what is still to be done.
type Left struct {
	Pages        int64
	Transactions int64
	Failing      int64  // pages whose last try failed
	LastError    string // of one of them
}

// Left counts the pages that are still to be read.
func (q *Queue) Left(ctx context.Context) (l Left, err error) {
	err = q.pool.QueryRow(ctx, `select count(*), coalesce(sum((args->>'count')::bigint), 0), count(*) filter (where cardinality(errors) > 0),
		coalesce((array_agg(errors[cardinality(errors)]->>'error' order by id) filter (where cardinality(errors) > 0))[1], '')`+unfinished).
		Scan(&l.Pages, &l.Transactions, &l.Failing, &l.LastError)
	if err != nil {
		return Left{}, fmt.Errorf("count jobs: %w", err)
	}
	return l, nil
}
