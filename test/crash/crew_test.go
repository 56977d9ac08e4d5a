//go:build crash

package crash

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/simchain"
)

const (
	crewHistory = 300 // games that are over when the crew comes
	crewGames   = 560
	crewRate    = 12 // of the others, a second
	forkSeed    = 4
)

// crewChain serves a chain of every cheat, with hostile and cut logs, and with forks or
// without.
func crewChain(t *testing.T, forks bool) *node {
	t.Helper()
	n := newNode(t, simchain.Config{
		Seed: 13, Games: crewGames, Rate: crewRate, SlotTime: 20 * time.Millisecond, FinalitySlots: 10,
		Cheats: simchain.Cheats(), TruncateEvery: 20, Hostile: true,
	})
	if forks {
		// They are the chain's. They are asked for at a node that serves nobody, so
		// that the faults of the one that does can come and go.
		must(t, n.chain.Node(1).Faults.Inject(forkSeed, "forks"))
	}
	return n
}

func crewReference(t *testing.T, forks bool) string {
	t.Helper()
	return referenceOf(t, fmt.Sprintf("crew, forks %v", forks), func() *node { return crewChain(t, forks) })
}

// A crew is all that works at one record: two daemons of which one leads, a worker,
// what plans its jobs, and their server. All go by one clock.
type crew struct {
	node     *node
	postgres *postgres
	clock    *clock
	daemons  [2]*daemon
	worker   *program
	planner  *program
	diskless bool // the server's disk cannot be filled
}

// newCrew makes a crew with a server and history that is over, and has nobody start.
// Flags are the daemons', beyond what they need.
func newCrew(t *testing.T, forks bool, flags ...string) *crew {
	t.Helper()
	ctx, logs, dir := t.Context(), t.TempDir(), pgtest.Dir(t)
	clocked(t)
	c := &crew{node: crewChain(t, forks)}
	must(t, c.node.history(ctx, crewHistory))
	c.node.chain.Faults.Pages(60) // so that history makes more than one job
	c.diskless = smallDisk(t, dir) != nil
	var err error
	c.clock, err = newClock(dir)
	must(t, err)
	t.Cleanup(c.clock.close)
	c.postgres, err = startPostgres(context.WithoutCancel(ctx), dir)
	must(t, err)
	t.Cleanup(c.postgres.close)
	for i := range c.daemons {
		c.daemons[i], err = newDaemon(bin, logs, c.node, append(flags, "--database-url", c.postgres.url, "--from", "now")...)
		must(t, err)
		t.Cleanup(func() { _ = c.daemons[i].kill() })
	}
	c.worker, err = newWorker(bin, logs, c.node, c.postgres.url)
	must(t, err)
	t.Cleanup(func() { _ = c.worker.kill() })
	c.planner, err = newPlanner(bin, logs, c.node, c.postgres.url)
	must(t, err)
	t.Cleanup(func() { _ = c.planner.kill() })
	return c
}

// begin starts the daemons: the first leads and has bound the record, the second
// stands by. Games are played from then on. Env is theirs.
func (c *crew) begin(ctx context.Context, env ...string) error {
	if err := c.daemons[0].start(env...); err != nil {
		return err
	}
	c.node.play(ctx)
	if err := c.daemons[0].until(ctx, "it follows", func(s status) bool { return s.FrontierSlot != nil }); err != nil {
		return err
	}
	if err := c.daemons[1].start(env...); err != nil {
		return err
	}
	return c.daemons[1].until(ctx, "it stands by", func(s status) bool { return s.State == "standby" })
}

// leader gives the daemon that leads and what it says; nil where none says so.
func (c *crew) leader(ctx context.Context) (*daemon, status) {
	for _, d := range c.daemons {
		if s, err := d.glance(ctx); err == nil && s.FrontierSlot != nil && s.State != "standby" {
			return d, s
		}
	}
	return nil, status{}
}

// glance is status of a daemon that may be stopped or gone.
func (d *daemon) glance(ctx context.Context) (status, error) {
	ctx, cancel := context.WithTimeout(ctx, 400*time.Millisecond)
	defer cancel()
	return d.status(ctx)
}

// unread counts pages of history that are still to be read, and one more where the record
// lacks slots from $1 on: history is whole when there is neither.
const unread = `select (select count(*) from audit_jobs.river_job where state in ('available', 'pending', 'running', 'retryable', 'scheduled'))
	+ (select count(*) from audit.watch where not exists
		(select from audit.coverage where complete and slots @> int8range($1, audited_from)))`

// whole reports whether the leader's frontier has passed a slot, and all of history is
// read.
func (c *crew) whole(ctx context.Context, slot int64) bool {
	if _, s := c.leader(ctx); s.FrontierSlot == nil || *s.FrontierSlot < slot {
		return false
	}
	left, err := count(ctx, c.postgres.url, unread, firstSlot)
	return err == nil && left == 0 // the server may just be starting
}

// stop ends everybody in good order.
func (c *crew) stop() error {
	for _, p := range []*program{c.worker, c.daemons[0].program, c.daemons[1].program} {
		if p.process == nil {
			continue
		}
		if err := p.stop(); err != nil {
			return err
		}
	}
	return nil
}

// judge holds what the crew recorded against an undisturbed run's and against the truth.
func (c *crew) judge(ctx context.Context, t *testing.T, want string) error {
	t.Helper()
	if err := compare(t, want, c.postgres.url); err != nil {
		return err
	}
	if err := truthful(ctx, c.node, c.postgres.url); err != nil {
		return fmt.Errorf("the truth: %w", err)
	}
	return nil
}

// clocking is whether this process starts servers with clocks yet.
var clocking struct {
	sync.Mutex
	done bool
}

// clocked has servers started from now on go by the clock in their folder, where there
// is one: the programs that are found first set it up and become PostgreSQL's.
func clocked(t *testing.T) {
	t.Helper()
	clocking.Lock()
	defer clocking.Unlock()
	if clocking.done {
		return
	}
	conn, err := pgx.Connect(t.Context(), pgtest.URL(t))
	must(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	var programs string
	must(t, conn.QueryRow(t.Context(), `select setting from pg_config where name = 'BINDIR'`).Scan(&programs))
	must(t, wrap(t.Context(), filepath.Join(filepath.Dir(bin), "postgresql"), programs))
	clocking.done = true
}
