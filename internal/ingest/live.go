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
// what queued up during one commit is the next batch.
func (d *Daemon) live(ctx, saving context.Context) error {
	beat := time.NewTicker(time.Second)
	defer beat.Stop()
	items := d.Stream.Items()
	for {
		d.state.beat()
		select {
		case <-ctx.Done():
			return nil
		case <-beat.C:
		case c := <-d.cuts:
			if err := d.makeCut(saving, c); err != nil {
				return err
			}
		case item, ok := <-items:
			if !ok {
				return nil
			}
			if _, err := d.take(saving, item, maxBatch); err != nil {
				return err
			}
		}
	}
}

// cut asks live to save all that has been heard by now, and to believe the
// stream above slot only from then on.
type cut struct {
	slot int64
	done chan struct{}
}

func (d *Daemon) makeCut(ctx context.Context, c cut) error {
	items := d.Stream.Items()
	for left := len(items); left > 0; {
		item, ok := <-items
		if !ok {
			break
		}
		n, err := d.take(ctx, item, min(left, maxBatch))
		if err != nil {
			return err
		}
		left -= n
	}
	d.late.below(c.slot)
	close(c.done)
	return nil
}

// take saves an item and up to most-1 more that are there already. It returns
// how many it took.
func (d *Daemon) take(ctx context.Context, item rpc.Item, most int) (int, error) {
	var batch []arrival
	for n := 1; ; n++ {
		if item.Kind == rpc.Note {
			batch = d.hear(item, batch)
		} else {
			// The order of what was heard and of the stream's ups and downs is kept.
			if err := d.save(ctx, work{arrivals: batch}); err != nil {
				return n, err
			}
			batch = nil
			if err := d.turnOf(ctx, item); err != nil {
				return n, err
			}
		}
		if n < most {
			select {
			case next, ok := <-d.Stream.Items():
				if ok {
					item = next
					continue
				}
			default:
			}
		}
		return n, d.save(ctx, work{arrivals: batch})
	}
}

// hear adds a notification to the batch, unless it is for the record to tell.
func (d *Daemon) hear(item rpc.Item, batch []arrival) []arrival {
	tx := item.Tx
	if tx.Slot > math.MaxInt64 || int64(tx.Slot) < d.state.auditedFrom() {
		return batch
	}
	d.Metrics.notifications.Inc()
	d.state.heard(tx.Slot)
	if d.late.keep(tx) {
		return batch
	}
	a := d.arrive(*tx, false, item.At)
	if !a.whole() {
		d.Metrics.unreadable(a.log.State)
		return batch
	}
	return append(batch, a)
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
