package ingest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

const (
	// holdFor is how long a signature that another node lists is waited for.
	holdFor = 2 * time.Minute
	// examineFor is how long transactions are held against a second node before the
	// frontier moves; budgets and slow nodes make it long.
	examineFor = 10 * time.Second
	// doubtfulMost bounds what doubt asks for at once.
	doubtfulMost = 10_000
	// examinedAgain is how many of the newest slots a daemon that starts examines once
	// more, ten minutes: what waits to be examined does not outlive a daemon.
	examinedAgain = 1_500
)

// These keep the frontier where it is, for a while.
var (
	errHeld  = errors.New("another node lists transactions that could not be fetched yet")
	errAlone = errors.New("waiting for a second node that can be asked")
)

// examining is what the reconciler remembers between two examinations.
type examining struct {
	by   *rpc.Node // the second node of the pass; nil: there is none
	why  string    // why there is none
	lone time.Time // since when none could be asked; zero: the last range was compared
	held map[[64]byte]held
}

// held is a signature that another node lists and that could not be had yet.
type held struct {
	slot  int64
	since time.Time
}

// examines reports whether what one node says is held against another's word.
func (d *Daemon) examines() bool { return d.Nodes.CanCheck() && !store.Weak(store.WeakNoExamine) }

// second chooses the pass's second node, and gives the slot up to which both have
// finalized. Where there is none the slot is upTo itself.
func (d *Daemon) second(ctx context.Context, upTo int64) int64 {
	x := &d.examining
	x.by, x.why = nil, "no other node was well"
	if !d.examines() {
		return upTo
	}
	for _, n := range d.Nodes.Others(d.node) {
		slot, err := check(ctx, func(ctx context.Context) (uint64, error) { return n.Slot(ctx, rpc.Finalized) })
		switch {
		case err != nil:
			x.why = n.Name() + ": " + err.Error()
		case int64(min(slot, 1<<62)) < upTo-tolerance:
			x.why = fmt.Sprintf("%s: its finalized slot %d is behind", n.Name(), slot)
		default:
			x.by = n
			return min(upTo, int64(min(slot, 1<<62)))
		}
	}
	return upTo
}

// examine holds the slots of a pass against a second node. Its error holds the
// frontier back and is no fault of the pass's node.
func (d *Daemon) examine(ctx, saving context.Context, after, upTo int64) error {
	if !d.examines() {
		return nil
	}
	names, err := d.examineList(ctx, saving, after, upTo)
	if err != nil {
		return err
	}
	if err := d.holds(saving); err != nil {
		return err
	}
	doubtful, err := d.doubtful(saving, after, upTo)
	if err != nil {
		return err
	}
	names = append(append(names, doubtful...), d.examiner.suspectsUpTo(upTo)...)
	return d.examineNow(ctx, saving, d.examiner.fresh(names))
}

// examineNow examines what it has the time for; the rest is left to the examiner.
func (d *Daemon) examineNow(ctx, saving context.Context, names [][64]byte) error {
	timed, cancel := context.WithTimeout(ctx, examineFor)
	defer cancel()
	for d.examining.by != nil && len(names) > 0 && timed.Err() == nil {
		chunk := names[:min(len(names), examineChunk)]
		undone, err := d.examineTxs(timed, saving, chunk)
		if err != nil {
			return err
		}
		names = names[len(chunk):]
		d.examiner.add(undone...)
	}
	d.examiner.add(names...)
	return nil
}

// examineAfter looks for doubt that came with the frontier's move.
func (d *Daemon) examineAfter(saving context.Context, after, upTo int64) error {
	if !d.examines() {
		return nil
	}
	doubtful, err := d.doubtful(saving, after, upTo)
	d.examiner.add(doubtful...)
	return err
}

// tells notes who told what a batch holds. Nil is for one about to be committed: its
// outcome may stay unknown.
func (d *Daemon) tells(batch *store.Batch, arrivals []arrival) {
	if !d.examines() || len(arrivals) == 0 {
		return
	}
	stored := map[[64]byte]bool{}
	if batch != nil {
		for i := range batch.New {
			stored[batch.New[i].Signature] = true
		}
		for i := range batch.Replaced {
			stored[batch.Replaced[i].Signature] = true
		}
	}
	d.examiner.toldBy(distinct(arrivals), stored)
}

// examineBelow has what came late examined: it lies in slots that were held against
// another node's list before it was there.
func (d *Daemon) examineBelow(found []arrival, frontier int64) {
	if !d.examines() {
		return
	}
	for i := range found {
		if int64(found[i].tx.Slot) <= frontier {
			d.examiner.add(found[i].tx.Signature)
		}
	}
}

// examineAgain has examined what may have waited for it when the last daemon ended:
// doubt in the newest slots, and a sample of them that is drawn anew.
func (d *Daemon) examineAgain(saving context.Context) error {
	upTo := d.state.frontier()
	after := max(upTo-examinedAgain, d.state.auditedFrom()-1)
	if err := d.examineAfter(saving, after, upTo); err != nil || d.Sample == 0 {
		return err
	}
	var stored map[[64]byte]store.Known
	err := d.write(saving, "list the newest transactions", func(ctx context.Context, w *store.Writer) (err error) {
		stored, err = w.Between(ctx, after, upTo)
		return err
	})
	for s, k := range stored {
		if !k.Failed && d.samples(s) {
			d.examiner.add(s)
		}
	}
	return err
}

func (d *Daemon) doubtful(saving context.Context, after, upTo int64) (names [][64]byte, err error) {
	err = d.write(saving, "list doubtful transactions", func(ctx context.Context, w *store.Writer) (err error) {
		names, err = w.Doubtful(ctx, after, upTo, doubtfulMost)
		return err
	})
	return names, err
}

// examineList compares the two nodes' lists. What of the range could not be compared
// is noted.
func (d *Daemon) examineList(ctx, saving context.Context, after, upTo int64) (doubt [][64]byte, err error) {
	x := &d.examining
	down, why := upTo, x.why
	if x.by == nil && x.alone(d.AwaitSecond) {
		return nil, fmt.Errorf("%w: %s", errAlone, why)
	}
	if x.by != nil {
		l := &listing{d: d, saving: saving, by: x.by, first: d.node, after: after, upTo: upTo, upper: upTo, hold: true}
		err := l.run(ctx)
		doubt = l.doubt
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil && !nodesFault(err) && !errors.Is(err, errShort):
			return nil, err
		case err != nil:
			if nodesFault(err) {
				d.Nodes.Blame(x.by, err)
			}
			why = x.by.Name() + ": " + err.Error()
			if nodesFault(err) && x.alone(d.AwaitSecond) {
				return nil, fmt.Errorf("%w: %s", errAlone, why)
			}
			d.Log.Warn("slots are not checked by a second node", zap.String("node", x.by.Name()), zap.Int64("from_slot", after+1), zap.Int64("to_slot", l.upper), zap.Error(err))
		default:
			d.Nodes.Praise(x.by)
			x.lone = time.Time{}
		}
		down = l.upper
		d.Metrics.slotsExamined.Add(float64(upTo - down))
	}
	return doubt, d.uncheck(saving, after, down, why)
}

// alone notes that no second node could be asked, and reports whether one is still
// waited for: most are back before long.
func (x *examining) alone(wait time.Duration) bool {
	if x.lone.IsZero() {
		x.lone = time.Now()
	}
	return time.Since(x.lone) < wait
}

func (d *Daemon) uncheck(saving context.Context, after, upTo int64, why string) error {
	if after >= upTo {
		return nil
	}
	d.Metrics.slotsUnchecked.Add(float64(upTo - after))
	return d.write(saving, "note unchecked slots", func(ctx context.Context, w *store.Writer) error {
		return w.Uncheck(ctx, after, upTo, d.node.Name(), why)
	})
}

// holds keeps the frontier where it is while a signature is waited for.
func (d *Daemon) holds(saving context.Context) error {
	x := &d.examining
	waiting := 0
	for signature, h := range x.held {
		if time.Since(h.since) < holdFor {
			waiting++
			continue
		}
		if err := d.uncheck(saving, h.slot-1, h.slot, "a transaction that another node lists could not be had: "+signatureText(signature)); err != nil {
			return err
		}
		delete(x.held, signature)
	}
	if waiting > 0 {
		return fmt.Errorf("%w: %d", errHeld, waiting)
	}
	return nil
}

// hold waits for signatures that another node lists.
func (x *examining) hold(infos []rpc.SignatureInfo) {
	if x.held == nil {
		x.held = map[[64]byte]held{}
	}
	for i := range infos {
		if _, ok := x.held[infos[i].Signature]; !ok && len(x.held) < lateMost {
			x.held[infos[i].Signature] = held{slot: int64(infos[i].Slot), since: time.Now()}
		}
	}
}
