package ingest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"go.uber.org/zap"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// Errors of a pass that name a fault of the node rather than of the network.
var (
	errBackwards   = errors.New("the node's finalized slot lies below what it was: this node is behind, use another")
	errImplausible = errors.New("the node's finalized slot lies far ahead of what it could be: its word is not taken")
	errBehind      = errors.New("the record is complete beyond the node's finalized slot: this node is behind, or an earlier one told of slots that never were; use another node, or a new database")
	errBegunLater  = errors.New("the audit begins later than was asked for")
	errPruned      = errors.New("the node does not keep the history that is asked for")
)

// reconcile runs a pass every interval, and at once when kicked. A failed pass
// changes nothing but the state shown; the next one begins where it did.
func (d *Daemon) reconcile(ctx, saving context.Context) error {
	ticker := time.NewTicker(d.Interval)
	defer ticker.Stop()
	for {
		d.node = d.Nodes.Record()
		err := d.pass(ctx, saving)
		d.judgeNode(ctx, err)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, store.ErrLocked):
			return err
		case errors.Is(err, errBegunLater): // the next pass is due at once
		default:
			d.passed(err)
			if err == nil {
				d.prune(ctx, saving)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case <-d.kicks:
		}
	}
}

// passed shows how a pass ended.
func (d *Daemon) passed(err error) {
	d.Metrics.passes(err)
	if err == nil {
		d.state.reconciled()
	}
	d.tell(d.state.node(err), "reconciling failed; trying again", "the node answers again", err)
}

// pass brings the record up to the node's finalized slot.
func (d *Daemon) pass(ctx, saving context.Context) error {
	upTo, err := d.finalizedSlot(ctx)
	if err != nil {
		return err
	}
	upTo = d.second(ctx, upTo)
	frontier := int64(d.state.frontier())
	if upTo <= frontier {
		if store.Weak(store.WeakBackIsFork) {
			return d.takeBack(saving, upTo, frontier)
		}
		return nil
	}
	if err := d.historyKept(ctx, saving, frontier, upTo); err != nil {
		return err
	}
	stage, err := d.stage(ctx, saving, frontier, upTo)
	if err != nil {
		return err
	}
	upTo = stage.UpTo
	if !store.Weak(store.WeakNoCut) {
		if err := d.awaitCut(ctx, upTo); err != nil {
			return err
		}
	}
	walk := &walk{
		d: d, saving: saving, frontier: frontier, upTo: upTo, upper: upTo, auditedFrom: d.state.auditedFrom(), told: time.Now(),
		from: rpc.Place{Before: stage.Before, Slot: uint64(stage.Above)},
	}
	if err := walk.run(ctx); err != nil {
		return err
	}
	if err := d.resolveLate(ctx, saving); err != nil {
		return err
	}
	store.CrashAt(store.CrashLateResolved)
	if err := d.examine(ctx, saving, frontier, upTo); err != nil {
		return err
	}
	if d.state.isGapOpen() && d.Stream.State().Connected {
		if err := d.closeGaps(saving, d.state.head()); err != nil {
			return err
		}
	}
	if err := walk.awaitTimes(ctx); err != nil {
		return err
	}
	if err := d.moveFrontier(saving, frontier, upTo); err != nil {
		return err
	}
	if stage.Above > 0 {
		d.kick() // the rest of the way is due at once
	}
	return d.examineAfter(saving, frontier, upTo)
}

// stage makes the way of a pass shorter where much is stored above the frontier:
// read from its newest end, the list would have to be read to the frontier before
// anything is gained, and a daemon that is stopped before that every time would
// never gain anything. It begins at a stored signature that the node calls
// finalized: of any other, what the node answers would mean nothing.
func (d *Daemon) stage(ctx, saving context.Context, frontier, upTo int64) (store.Stage, error) {
	all := store.Stage{UpTo: upTo}
	var (
		part store.Stage
		more bool
	)
	err := d.write(saving, "measure a pass", func(ctx context.Context, w *store.Writer) (err error) {
		part, more, err = w.Stage(ctx, frontier, upTo, d.Stage)
		return err
	})
	if err != nil || !more {
		return all, err
	}
	statuses, err := rpc.Retry(ctx, rpc.RetryPolicy{Tries: d.tries(d.node)}, func(ctx context.Context) ([]*rpc.SignatureStatus, error) {
		statuses, _, err := d.node.SignatureStatuses(ctx, [][64]byte{part.Before}, true)
		return statuses, err
	})
	if err != nil {
		return all, fmt.Errorf("ask for the status of a transaction of slot %d: %w", part.Above, err)
	}
	if len(statuses) != 1 || statuses[0] == nil || statuses[0].Commitment != rpc.Finalized || int64(statuses[0].Slot) != part.Above {
		return all, nil
	}
	return part, nil
}

func (d *Daemon) finalizedSlot(ctx context.Context) (int64, error) {
	slot, err := rpc.Retry(ctx, rpc.RetryPolicy{Tries: 3}, func(ctx context.Context) (uint64, error) {
		return d.node.Slot(ctx, rpc.Finalized)
	})
	if err != nil {
		return 0, fmt.Errorf("ask for the finalized slot: %w", err)
	}
	if slot > math.MaxInt64 {
		return 0, fmt.Errorf("finalized slot %d: not a slot", slot)
	}
	upTo := int64(slot)
	if err := d.plausible(upTo); err != nil {
		return 0, err
	}
	d.state.heard(slot)
	d.finalized = max(d.finalized, upTo)
	if d.Live == rpc.Finalized {
		upTo -= finalizedMargin
	}
	return upTo, nil
}

// tolerance is how far one balanced endpoint may lag behind another, in slots.
const tolerance = 150

// ahead is how far a slot may lie before the head that the stream's clock told
// of: some slack, for a node that is asked just before the clock strikes.
const ahead = 1000

// plausible holds the finalized slot against what is known: a frontier once
// moved is never moved back, so it must not follow a slot that was made up.
func (d *Daemon) plausible(slot int64) error {
	if head := d.Stream.Head(); d.Stream.State().Connected && head > 0 && uint64(slot) > head+ahead {
		return fmt.Errorf("%w (%d, while the stream is at %d)", errImplausible, slot, head)
	}
	if slot < d.finalized-tolerance {
		return fmt.Errorf("%w (%d, then %d)", errBackwards, d.finalized, slot)
	}
	if frontier := d.state.frontier(); slot < frontier-tolerance {
		return fmt.Errorf("%w (finalized %d, complete to %d)", errBehind, slot, frontier)
	}
	return nil
}

// historyKept refuses to walk over a hole: where the node's ledger begins above
// the frontier, its list would end early and look complete. Before anything has
// been covered there is no hole yet: then auditing begins where the ledger does.
func (d *Daemon) historyKept(ctx, saving context.Context, frontier, upTo int64) error {
	if d.historyChecked == d.node && upTo-frontier < historyCheckSlots {
		return nil
	}
	first, err := d.node.FirstAvailableBlock(ctx)
	if rpc.ClassOf(err) == rpc.Invalid {
		d.historyChecked = d.node // the node has no such method: its word is all there is
		return nil
	}
	if err != nil {
		return fmt.Errorf("ask for the first available block: %w", err)
	}
	begins := int64(min(first, math.MaxInt64))
	switch {
	case begins <= frontier+1 || begins <= firstBlocks:
	case frontier >= d.state.auditedFrom() || d.keptElsewhere(ctx, begins):
		return fmt.Errorf("%w: it begins at slot %d, the record ends at %d; use a node with longer history", errPruned, begins, frontier)
	default:
		return d.beginLater(saving, begins)
	}
	d.historyChecked = d.node
	return nil
}

// beginLater moves the beginning of the audit up to where the node's ledger
// begins by now, and has the pass begin again.
func (d *Daemon) beginLater(saving context.Context, slot int64) error {
	err := d.write(saving, "move the beginning of the audit", func(ctx context.Context, w *store.Writer) error {
		return w.BeginAt(ctx, slot)
	})
	if err != nil {
		return err
	}
	d.state.begins(slot)
	d.Log.Warn("the node has dropped history that was to be audited; nothing is known of the time before", zap.Int64("audited_from_slot", slot))
	d.kick()
	return errBegunLater
}

// awaitCut returns when all that the stream had brought is saved and the
// stream is believed above slot only.
func (d *Daemon) awaitCut(ctx context.Context, slot int64) error {
	c := cut{slot: slot, done: make(chan struct{})}
	select {
	case d.cuts <- c:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-c.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// resolveLate asks by name for what the stream told of slots that the walk had
// gone by. What a finalized node does not know did not happen.
func (d *Daemon) resolveLate(ctx, saving context.Context) error {
	names := d.late.names()
	if len(names) == 0 {
		return nil
	}
	var known map[[64]byte]store.Known
	err := d.write(saving, "look late notifications up", func(ctx context.Context, w *store.Writer) (err error) {
		known, err = w.Known(ctx, names)
		return err
	})
	if err != nil {
		return err
	}
	var unknown [][64]byte
	for _, s := range names {
		if _, stored := known[s]; !stored {
			unknown = append(unknown, s)
		}
	}
	found, _, err := d.byName(ctx, unknown)
	if err != nil {
		return err
	}
	if err := d.save(saving, work{arrivals: found, times: timesOf(found)}); err != nil {
		return err
	}
	d.examineBelow(found, d.state.frontier())
	d.late.forget(names)
	return nil
}

// moveFrontier decides what completeness decides, in chunks, and moves the
// frontier, in steps where it has much to count. A crash in between leaves
// verdicts that the next pass would make again, and a frontier below which
// everything is stored and decided.
func (d *Daemon) moveFrontier(saving context.Context, frontier, upTo int64) error {
	var undecided []store.GameID
	err := d.write(saving, "list undecided games", func(ctx context.Context, w *store.Writer) (err error) {
		undecided, err = w.Undecided(ctx, frontier, upTo)
		return err
	})
	if err != nil {
		return err
	}
	for len(undecided) > maxBatch {
		if err := d.save(saving, work{rejudge: undecided[:maxBatch], complete: upTo}); err != nil {
			return err
		}
		store.CrashAt(store.CrashFrontierChunk)
		undecided = undecided[maxBatch:]
	}
	for frontier < upTo {
		step := upTo
		err := d.write(saving, "measure the frontier's step", func(ctx context.Context, w *store.Writer) (err error) {
			step, err = w.FrontierStep(ctx, frontier, upTo)
			return err
		})
		if err != nil {
			return err
		}
		err = d.save(saving, work{
			rejudge: undecided, complete: upTo,
			advance: &store.Advance{Was: frontier, Becomes: step, Head: d.state.head()},
		})
		if err != nil {
			return err
		}
		frontier, undecided = step, nil
	}
	return nil
}
