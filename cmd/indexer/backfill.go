package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"go.uber.org/zap/zapcore"
	"golang.org/x/sync/errgroup"

	"minesaudit/internal/backfill"
	"minesaudit/internal/config"
	"minesaudit/internal/ingest"
	"minesaudit/internal/store"
)

type backfillCmd struct {
	All         bool  `name:"all" help:"From the chain's first slot on."`
	FromSlot    int64 `name:"from-slot" placeholder:"SLOT" default:"-1" help:"First slot."`
	ToSlot      int64 `name:"to-slot" placeholder:"SLOT" default:"-1" help:"Last slot. Default: as far as the daemon has come."`
	DryRun      bool  `name:"dry-run" help:"List the signatures, make no job, and tell what reading them would take."`
	EnqueueOnly bool  `name:"enqueue-only" help:"Make the jobs, and leave the work to indexer worker."`
	JSON        bool  `name:"json" help:"One JSON object in place of text."`
	historyFlags
}

// Help is shown under the flags.
func (backfillCmd) Help() string {
	return `Reads history that the record does not hold: the slots of the range that are in none of audit_api.v1_coverage_ranges' complete ranges, newest first. It makes a job of each page of a thousand signatures and works them; indexer worker, on any machine, helps. A daemon must have begun the record, and may run meanwhile. Ended at any moment, the same command goes on where it was, and nothing is read twice. A daemon with --backfill-workers does the same by itself.

Of several nodes, which --config lists for the daemon, the first is read from that is well and keeps the slots; what it gets wrong another one is asked for.

Exit codes: 0 the range is complete, 2 usage, 3 slots of it could not be had, 4 the node or the database cannot be reached.

Examples:
  indexer backfill --all --dry-run --rpc-url https://NODE --rpc-rate 4 --database-url postgres://owner@db/audit
      how many signatures, calls and hours
  indexer backfill --all --rpc-url https://NODE --rpc-rate 4 --database-url postgres://owner@db/audit
  indexer backfill --all --config /etc/minesaudit.yaml
      from the daemon's nodes, into its record
  indexer backfill --from-slot 250000000 --to-slot 250432000 --enqueue-only ...
      jobs for workers that run already`
}

func (c *backfillCmd) Run(s *streams, resolver *config.Resolver) error {
	collectLess()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := c.check(); err != nil {
		return err
	}
	h, err := c.openHistory(ctx, s, resolver.Nodes(), zapcore.WarnLevel)
	if err != nil {
		return err
	}
	defer h.close()
	span, err := c.span(h.watch)
	if err != nil {
		return err
	}
	bar := newBar(s.Err, "reading history", -1)
	defer bar.finish()
	done := backfilled{From: span.From, To: span.To}
	switch {
	case c.DryRun:
		err = h.planner().Each(ctx, span, func(p backfill.Page) error {
			done.add(p)
			bar.add(uint64(p.Count))
			return nil
		})
		done.reckon(h.pace())
	case c.EnqueueOnly:
		planner := h.planner()
		planner.OnPage = func(p backfill.Page) { done.add(p); bar.add(uint64(p.Count)) }
		err = planner.Plan(ctx, span)
	default:
		err = h.readAll(ctx, span, bar, &done)
	}
	bar.finish()
	if ctx.Err() != nil && err != nil { // whatever it was in the middle of
		return c.stopped(ctx)
	}
	if err != nil {
		return h.redactor.Error(err)
	}
	return done.show(s, c.JSON, c.DryRun, c.EnqueueOnly)
}

// check finds what cannot be meant, before anything is connected to.
func (c *backfillCmd) check() error {
	switch {
	case c.All == (c.FromSlot >= 0):
		return usage(errors.New("give either --all or --from-slot"))
	case c.ToSlot >= 0 && c.ToSlot < c.FromSlot:
		return usage(fmt.Errorf("--to-slot %d lies below --from-slot %d", c.ToSlot, c.FromSlot))
	}
	return nil
}

// stopped is the error of a backfill that was asked to end. A dry one leaves nothing
// to go on from.
func (c *backfillCmd) stopped(ctx context.Context) error {
	if c.DryRun {
		return fmt.Errorf("stopped before all was listed: %w", context.Cause(ctx))
	}
	return fmt.Errorf("stopped; the same command goes on from here: %w", context.Cause(ctx))
}

// span is the range that is asked for, no further than the record's frontier.
func (c *backfillCmd) span(watch store.Watch) (store.Span, error) {
	span := store.Span{From: max(0, c.FromSlot), To: watch.Frontier}
	if c.ToSlot >= 0 {
		span.To = min(c.ToSlot, watch.Frontier)
	}
	if span.From > span.To {
		return span, usage(fmt.Errorf("slots %d to %d: the record has come to slot %d; what lies above is the daemon's to read", span.From, max(c.ToSlot, span.To), watch.Frontier))
	}
	return span, nil
}

// readAll plans and works at the same time, until no job is left. Those that are there
// already, or that another process makes meanwhile, are worked too.
func (h *history) readAll(ctx context.Context, span store.Span, bar *bar, done *backfilled) error {
	before, err := h.queue.Left(ctx)
	if err != nil {
		return err
	}
	var (
		total atomic.Int64             // transactions
		pages atomic.Int64             // that this process has not stored yet, if it is alone
		kept  = make(chan struct{}, 1) // the last of them was
	)
	total.Store(before.Transactions)
	pages.Store(before.Pages)
	planner := h.planner()
	planner.OnPage = func(p backfill.Page) { done.add(p); total.Add(int64(p.Count)); pages.Add(1) }
	workers := h.workers()
	workers.OnKept = func(backfill.Page, ingest.Kept) {
		if pages.Add(-1) <= 0 {
			select {
			case kept <- struct{}{}:
			default:
			}
		}
	}
	working, stopWorking := context.WithCancel(ctx)
	defer stopWorking()
	g, gctx := errgroup.WithContext(working)
	planned := make(chan struct{})
	g.Go(func() error { return workers.Run(gctx) })
	g.Go(func() error {
		defer close(planned)
		return planner.Plan(gctx, span)
	})
	g.Go(func() error {
		defer stopWorking()
		return h.awaitWorked(gctx, planned, kept, bar, &total)
	})
	if err := g.Wait(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	left, err := h.db.store.Uncovered(ctx, span)
	if err != nil {
		return err
	}
	ranges, err := h.db.store.Coverage(ctx)
	if err != nil {
		return err
	}
	done.lack(left, ranges)
	return nil
}

// awaitWorked shows progress until everything is planned and no job is left.
func (h *history) awaitWorked(ctx context.Context, planned, kept <-chan struct{}, bar *bar, total *atomic.Int64) error {
	look := time.NewTicker(500 * time.Millisecond)
	defer look.Stop()
	all := false
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-planned:
			planned, all = nil, true
		case <-kept:
		case <-look.C:
		}
		left, err := h.queue.Left(ctx)
		if err != nil {
			continue // the workers tell of a database that is away
		}
		bar.at(total.Load()-left.Transactions, total.Load())
		if all && left.Pages == 0 {
			return nil
		}
	}
}

// at sets how far a bar has come of a total that may still grow.
func (b *bar) at(done, total int64) {
	if b.shown != nil && total > 0 {
		b.shown.ChangeMax64(total)
		_ = b.shown.Set64(max(0, min(done, total))) // as in add
	}
}
