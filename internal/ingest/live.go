package ingest

import (
	"context"
	"errors"
	"math"
	"time"

	"go.uber.org/zap"

	"minesaudit/internal/rpc"
)

// live takes what the stream brings and saves it. There is no batching timer:
// what is heard and decoded during one commit is the next batch.
func (d *Daemon) live(ctx, saving context.Context) error {
	l := &listener{d: d, saving: saving}
	beat := time.NewTicker(time.Second)
	defer beat.Stop()
	for {
		d.state.beat()
		items, answers := d.Stream.Items(), d.asked.answers
		if len(l.batch) >= maxBatch {
			items, answers = nil, nil // full: the stream's queue waits, and behind it the node
		}
		select {
		case <-ctx.Done():
			return l.settle()
		case <-beat.C:
		case err := <-l.commit:
			if l.commit = nil; err != nil {
				return err
			}
			l.begin()
		case c := <-d.cuts:
			if err := l.cut(c); err != nil {
				return err
			}
		case told := <-answers:
			l.batch = d.answered(told, l.batch)
			l.begin()
		case item, ok := <-items:
			if !ok {
				return l.flush()
			}
			if err := l.take(item, maxBatch-len(l.batch)); err != nil {
				return err
			}
			l.begin()
		}
	}
}

// listener is live's: what has been heard, and the save that is under way.
type listener struct {
	d      *Daemon
	saving context.Context
	batch  []arrival
	commit chan error // gives how the save under way ended; nil: none is
}

// begin starts saving what has been heard, unless a save is under way.
func (l *listener) begin() {
	if l.commit != nil || len(l.batch) == 0 {
		return
	}
	batch, commit := l.batch, make(chan error, 1)
	l.batch, l.commit = nil, commit
	go func() { commit <- l.d.save(l.saving, work{arrivals: batch}) }()
}

// settle waits for the save under way.
func (l *listener) settle() error {
	if l.commit == nil {
		return nil
	}
	err := <-l.commit
	l.commit = nil
	return err
}

// flush saves all that has been heard.
func (l *listener) flush() error {
	if err := l.settle(); err != nil {
		return err
	}
	l.begin()
	return l.settle()
}

// take hears an item and those that are there already, up to most in all.
func (l *listener) take(item rpc.Item, most int) error {
	for {
		if item.Kind == rpc.Note {
			l.batch = l.d.hear(item, l.batch)
		} else {
			// The order of what was heard and of the stream's ups and downs is kept.
			if err := l.flush(); err != nil {
				return err
			}
			if err := l.d.turnOf(l.saving, item); err != nil {
				return err
			}
		}
		if most--; most <= 0 {
			return nil
		}
		select {
		case next, ok := <-l.d.Stream.Items():
			if !ok {
				return nil
			}
			item = next
		default:
			return nil
		}
	}
}

// cut asks live to save all that has been heard by now, and to believe the
// stream above slot only from then on.
type cut struct {
	slot int64
	done chan struct{}
}

func (l *listener) cut(c cut) error {
	items := l.d.Stream.Items()
	for left := len(items); left > 0; left-- {
		item, ok := <-items
		if !ok {
			break
		}
		if err := l.take(item, 1); err != nil {
			return err
		}
		if len(l.batch) >= maxBatch {
			if err := l.flush(); err != nil {
				return err
			}
		}
	}
	if err := l.flush(); err != nil {
		return err
	}
	l.d.late.below(c.slot)
	close(c.done)
	return nil
}

// hear adds a notification to the batch, unless it is for the record to tell.
func (d *Daemon) hear(item rpc.Item, batch []arrival) []arrival {
	tx := item.Tx
	if !d.hears(tx) {
		return batch
	}
	d.Metrics.notifications.Inc()
	d.state.heard(tx.Slot)
	if d.late.keep(tx) {
		return batch
	}
	if item.Contradicts { // the first is stored as it was told, until both nodes are asked
		d.examiner.suspect(tx)
		return batch
	}
	a := d.arriveFrom(item.Node, *tx, false, item.At)
	if a.log.Ask {
		d.ask(tx, item.At)
		return batch
	}
	if !a.whole() {
		d.Metrics.unreadable(a.trouble())
		return batch
	}
	return append(batch, a)
}

// hears reports whether the stream is to be believed that something happened in
// a slot: one that is audited, and that the stream's own clock has come near. Of
// one that is made up the record will tell what really happened.
func (d *Daemon) hears(tx *rpc.Tx) bool {
	if tx.Slot > math.MaxInt64 || int64(tx.Slot) < d.state.auditedFrom() {
		return false
	}
	head := d.Stream.Head()
	return head == 0 || tx.Slot <= head+ahead
}

// turnOf records the stream's ups and downs: every end of a subscription is a
// gap, whatever the reason.
func (d *Daemon) turnOf(ctx context.Context, item rpc.Item) error {
	if item.Kind == rpc.Up {
		d.tellUp(item.Slot)
		if item.Slot > 0 {
			if err := d.closeGaps(ctx, item.Slot); err != nil {
				return err
			}
		}
		d.kick()
		return nil
	}
	detail := ""
	if item.Err != nil {
		detail = item.Err.Error()
	}
	d.tell(d.state.subscription(endOf(item)), "subscription ended; the record fills the gap", "", item.Err,
		zap.String("reason", string(item.Reason)), zap.Uint64("slot", item.Slot))
	return d.openGap(ctx, string(item.Reason), detail, max(item.Root, d.state.frontierSlot()))
}

// tellUp tells of the first subscription, and of later ones as far as their
// ends were told of.
func (d *Daemon) tellUp(slot uint64) {
	if d.state.neverDown() {
		d.Log.Info("subscribed", zap.Uint64("slot", slot))
	}
	d.tell(d.state.subscription(nil), "", "subscribed again", nil, zap.Uint64("slot", slot))
}

// endOf is the error of a subscription that ended; some end without one.
func endOf(item rpc.Item) error {
	if item.Err != nil {
		return item.Err
	}
	return errors.New(string(item.Reason))
}
