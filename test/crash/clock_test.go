//go:build crash

package crash

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// A machine's clock is set forth an hour and back, twice, while one daemon follows,
// another stands by and a worker reads history: nobody is taken for gone, nothing is
// withdrawn or doubled, and nothing waits for the hour to come again.
func TestTheClockIsSetForthAndBack(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	want := crewReference(t, false)
	c := newCrew(t, false)
	must(t, c.begin(ctx, c.clock.env()))
	leaderLives, standbyLives := c.daemons[0].watchLife(ctx), c.daemons[1].watchLife(ctx)
	const disturbances = `select (select count(*) from audit.gap) + (select epoch from audit.watch)
		+ (select count(*) from audit.verdict where verdict = 4) + (select count(*) from audit.tx where dropped)`
	before, err := count(ctx, c.postgres.url, disturbances)
	must(t, err)

	must(t, c.setClock(ctx, time.Hour))
	must(t, c.planner.start(c.clock.env())) // jobs of an hour ahead
	if code, _, err := c.planner.wait(); err != nil || code != 0 {
		t.Fatalf("planning exited with %d (%v)\n%s", code, err, tail(c.planner.log))
	}
	must(t, c.worker.start(c.clock.env()))
	must(t, c.reads(ctx, 1)) // and calls of an hour ahead
	must(t, c.setClock(ctx, 0))
	must(t, c.reads(ctx, 2))
	must(t, c.setClock(ctx, time.Hour))
	must(t, c.reads(ctx, 2))
	must(t, c.setClock(ctx, 0))

	<-c.node.chain.Done()
	last := int64(c.node.chain.FinalizedSlot())
	if err := poll(ctx, func() (bool, error) { return c.whole(ctx, last), nil }); err != nil {
		t.Fatalf("the record does not become whole: %v\n%s\n%s", err, tail(c.worker.log), tail(c.daemons[0].log))
	}
	after, err := count(ctx, c.postgres.url, disturbances)
	must(t, err)
	if after != before {
		t.Errorf("gaps, epochs, withdrawn verdicts and dropped transactions were %d and are %d", before, after)
	}
	must(t, c.daemons[0].until(ctx, "it follows", func(s status) bool {
		return s.State == "following" && s.Database.OK && s.LagSeconds < 60
	}))
	must(t, leaderLives())
	must(t, standbyLives())
	must(t, c.stop())
	must(t, c.judge(ctx, t, want))
}

// setClock sets the clock and waits until the leader, whose frontier moves on, and the
// server show it: else nothing here would be tested.
func (c *crew) setClock(ctx context.Context, ahead time.Duration) error {
	if err := c.clock.set(ahead); err != nil {
		return err
	}
	near := func(at time.Time) bool { return at.Sub(time.Now().Add(ahead)).Abs() < 10*time.Minute }
	err := c.daemons[0].until(ctx, fmt.Sprintf("its clock is %v ahead", ahead), func(s status) bool {
		if s.AdvancedAt == nil {
			return false
		}
		at, err := time.Parse(time.RFC3339Nano, *s.AdvancedAt)
		return err == nil && near(at)
	})
	if err != nil {
		return err
	}
	seconds, err := count(ctx, c.postgres.url, `select extract(epoch from clock_timestamp())::bigint`)
	if err == nil && !near(time.Unix(seconds, 0)) {
		err = fmt.Errorf("the server's clock shows %v, want %v ahead", time.Unix(seconds, 0), ahead)
	}
	return err
}

// reads waits until the worker has read so many pages more, or all.
func (c *crew) reads(ctx context.Context, pages int64) error {
	const done = `select count(*) from audit_jobs.river_job where state = 'completed'`
	before, err := count(ctx, c.postgres.url, done)
	if err != nil {
		return err
	}
	err = poll(ctx, func() (bool, error) {
		now, err := count(ctx, c.postgres.url, done)
		if err != nil || now >= before+pages {
			return err == nil, err
		}
		left, err := count(ctx, c.postgres.url, unread, firstSlot)
		return left == 0, err
	})
	if err != nil {
		return fmt.Errorf("%d pages are read, want %d more: %w\n%s", before, pages, err, tail(c.worker.log))
	}
	return nil
}
