package ingest

import (
	"context"
	"time"

	"go.uber.org/zap"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

const (
	// timeTries is how often, and timeWait apart, the list is asked for the times of slots
	// that a node does not know yet. It knows them when their blocks are whole.
	timeTries = 10
	timeWait  = 500 * time.Millisecond
)

// awaitTimes asks for the times of slots that are about to be passed and have none on
// record: when a game was voided is judged by them, and its hour in the statistics is
// theirs, and below the frontier nobody asks again. A node that had none is not waited for
// again before it tells one.
func (w *walk) awaitTimes(ctx context.Context) error {
	for try := 0; ; try++ {
		var without int
		err := w.d.write(w.saving, "look for slots without a time", func(ctx context.Context, s *store.Writer) (err error) {
			without, err = s.Timeless(ctx, w.frontier, w.upTo)
			return err
		})
		switch {
		case err != nil:
			return err
		case without == 0, w.d.timeless == w.d.node:
			return nil
		case try == timeTries:
			w.d.timeless = w.d.node
			w.d.Log.Warn("the node gives no time of some slots: where a game was voided in one, it stays unknown whether that was before its timeout",
				zap.Int("slots", without), zap.Int64("up_to_slot", w.upTo))
			return nil
		}
		if err := pause(ctx, timeWait); err != nil {
			return err
		}
		part, err := w.list().Next(ctx)
		if err != nil {
			return err
		}
		if err := w.d.save(w.saving, work{times: w.timesIn(part.Txs)}); err != nil {
			return err
		}
	}
}

// timesIn gives the times that a list tells of slots that are this pass's.
func (w *walk) timesIn(txs []rpc.SignatureInfo) []store.SlotTime {
	var times []store.SlotTime
	for i := range txs {
		if w.wanted(txs[i].Slot) {
			times = appendTime(times, txs[i].Slot, txs[i].BlockTime, txs[i].HasBlockTime)
			if txs[i].HasBlockTime {
				w.d.timeless = nil
			}
		}
	}
	return times
}

func timesOf(found []arrival) []store.SlotTime {
	var times []store.SlotTime
	for i := range found {
		tx := &found[i].tx
		times = appendTime(times, tx.Slot, tx.BlockTime, tx.HasBlockTime)
	}
	return times
}

// appendTime adds a slot's time once, where slots come in order. A node may know it by
// the time it gives the slot's next transaction.
func appendTime(times []store.SlotTime, slot uint64, at int64, has bool) []store.SlotTime {
	t := store.SlotTime{Slot: slot, Time: time.Unix(at, 0), Has: has && sane(at)}
	n := len(times)
	switch {
	case n == 0 || times[n-1].Slot != slot:
		return append(times, t)
	case !times[n-1].Has:
		times[n-1] = t
	}
	return times
}

// sane keeps a node's nonsense out of a timestamptz: years 1970 to 9999.
func sane(at int64) bool { return at >= 0 && at <= 253402300799 }
