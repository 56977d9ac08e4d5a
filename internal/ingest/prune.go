package ingest

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"minesaudit/internal/store"
)

// pruneEvery is how often old rows are looked for. The first time is after the
// first good pass, so that a daemon that is restarted often prunes too.
const pruneEvery = time.Hour

// reread is how much a pass may compare at or below the frontier: the rest of
// the page that reached it and one page more. What was pruned there would be
// fetched again at every pass. A third page is for lists with holes.
const reread = 3 * pageLimit

// pruning is how far the reconciler has looked for old rows.
type pruning struct {
	at        time.Time
	eventless int64 // slots up to here hold no event-less transaction any more
}

// prune deletes what is kept no longer, if it is time to. It comes between two
// passes, so that no pass compares a page with rows that are about to go. A
// failure is told and left for the next time: the record is as good with old
// rows in it, and a database role without the right to delete is no reason to
// stop auditing. A crash in between leaves some of the rows to the next start, as
// does ctx, which ends between two chunks; saving is for what was begun.
func (d *Daemon) prune(ctx, saving context.Context) {
	now := time.Now()
	if d.KeepSuperseded == 0 && d.KeepEventless == 0 || now.Sub(d.pruning.at) < pruneEvery {
		return
	}
	d.pruning.at = now
	verdicts, err := d.pruneSuperseded(ctx, saving)
	transactions, err2 := d.pruneEventless(ctx, saving)
	if err = errors.Join(err, err2); err != nil && ctx.Err() == nil {
		d.Log.Warn("old rows were not pruned; trying again in an hour", zap.Error(err))
	}
	d.Metrics.pruned(verdicts, transactions)
	if verdicts+transactions > 0 {
		d.Log.Info("pruned", zap.Int64("superseded_verdicts", verdicts), zap.Int64("eventless_transactions", transactions))
	}
}

// pruneSuperseded looks at all verdicts each time: one may supersede another
// of any age.
func (d *Daemon) pruneSuperseded(ctx, saving context.Context) (n int64, err error) {
	if d.KeepSuperseded == 0 {
		return 0, nil
	}
	p := store.Pruned{UpTo: -1}
	for !p.Done && err == nil && ctx.Err() == nil {
		err = d.once(saving, func(ctx context.Context, w *store.Writer) (err error) {
			p, err = w.PruneSuperseded(ctx, d.KeepSuperseded, p.UpTo)
			return err
		})
		n += p.Rows
	}
	return n, err
}

// pruneEventless goes on where it ended: nothing comes in below the frontier.
func (d *Daemon) pruneEventless(ctx, saving context.Context) (n int64, err error) {
	if d.KeepEventless == 0 {
		return 0, nil
	}
	upTo := d.pruning.eventless
	err = d.once(saving, func(ctx context.Context, w *store.Writer) (err error) {
		upTo, err = w.EventlessUpTo(ctx, d.KeepEventless, store.Overlap{Slots: overlapSlots, Rows: reread}, upTo)
		return err
	})
	for err == nil && d.pruning.eventless < upTo && ctx.Err() == nil {
		var p store.Pruned
		err = d.once(saving, func(ctx context.Context, w *store.Writer) (err error) {
			p, err = w.PruneEventless(ctx, d.pruning.eventless, upTo)
			return err
		})
		if err == nil {
			d.pruning.eventless = p.UpTo
			n += p.Rows
			if p.Done {
				d.pruning.eventless = upTo
			}
		}
	}
	return n, err
}

// once is write without trying again.
func (d *Daemon) once(ctx context.Context, op func(context.Context, *store.Writer) error) error {
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-d.turn }()
	return d.attempt(ctx, "prune", op)
}
