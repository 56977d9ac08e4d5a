package backfill

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"
	"go.uber.org/zap"

	"minesaudit/internal/store"
)

// Beside reads a record's history within the daemon that leads it. Everything is
// required.
type Beside struct {
	Workers *Workers
	Planner *Planner
	From    int64        // first slot
	Upto    func() int64 // the frontier
	Yield   func(context.Context) error
	Log     *zap.Logger
}

// yieldLook is how often history that waits looks whether it may go on.
const yieldLook = time.Second

// Yield makes history wait for as long as a daemon is behind: the nodes are its own
// until it has what it follows. It is to be each [Budget]'s too.
func Yield(behind func() bool) func(context.Context) error {
	return func(ctx context.Context) error {
		for behind() {
			if err := pause(ctx, yieldLook); err != nil {
				return err
			}
		}
		return nil
	}
}

const (
	// planEvery is how often the record is looked at for slots that nobody has planned.
	// After the first plan there are none but where a job was lost.
	planEvery = time.Minute
	// lackingEvery is how often slots are tried again that could not be had. They are
	// also after a start.
	lackingEvery = 24 * time.Hour
)

// Run plans and works until ctx ends. It gives nothing up: a database or node that is
// away comes back, and what only a person can mend is in the log, while the daemon
// follows on.
func (b *Beside) Run(ctx context.Context) {
	b.patiently(ctx, "prepare the job queue", b.Planner.Queue.Migrate)
	working := make(chan struct{})
	go func() {
		defer close(working)
		b.patiently(ctx, "work at pages of history", b.Workers.Run)
	}()
	b.plan(ctx)
	<-working
}

// plan makes the jobs.
func (b *Beside) plan(ctx context.Context) {
	var lacking time.Time // when slots that could not be had were last planned
	for ctx.Err() == nil {
		b.patiently(ctx, "plan pages of history", func(ctx context.Context) error {
			again := time.Since(lacking) >= lackingEvery
			err := b.planOnce(ctx, again)
			if errors.Is(err, ErrPlanned) {
				return nil // what the other one leaves is found the next time
			}
			if again && err == nil {
				lacking = time.Now()
			}
			return err
		})
		_ = pause(ctx, planEvery) // the loop sees the end of ctx
	}
}

// planOnce makes the jobs of what is neither covered nor planned, and not of what could
// not be had, unless that is to be tried again.
func (b *Beside) planOnce(ctx context.Context, again bool) error {
	if err := b.Yield(ctx); err != nil { // before others are kept from planning
		return err
	}
	all := store.Span{From: b.From, To: b.Upto()}
	if all.From > all.To {
		return nil
	}
	spans, err := b.Planner.Store.Uncovered(ctx, all)
	if err != nil {
		return err
	}
	if !again {
		if spans, err = b.neverAsked(ctx, spans); err != nil {
			return err
		}
	}
	for _, span := range spans {
		if err := b.Planner.Plan(ctx, span); err != nil {
			return err
		}
	}
	return nil
}

// neverAsked takes out what could not be had.
func (b *Beside) neverAsked(ctx context.Context, spans []store.Span) ([]store.Span, error) {
	ranges, err := b.Planner.Store.Coverage(ctx)
	if err != nil {
		return nil, err
	}
	var lacking []Page
	for i := len(ranges) - 1; i >= 0; i-- { // newest first
		if r := &ranges[i]; !r.Complete() {
			lacking = append(lacking, Page{From: r.From, To: r.To})
		}
	}
	return without(spans, lacking), nil
}

// patiently repeats op until it succeeds or ctx ends.
func (b *Beside) patiently(ctx context.Context, what string, op func(context.Context) error) {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 200*time.Millisecond, time.Minute
	for {
		err := op(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		b.Log.Warn("cannot "+what+"; trying again", zap.Error(err))
		if pause(ctx, wait.NextBackOff()) != nil {
			return
		}
	}
}
