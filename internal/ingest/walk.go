package ingest

import (
	"context"
	"math"
	"time"

	"go.uber.org/zap"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// walk reads the finalized signatures from a slot back over the frontier, page
// by page. Rows are kept as they come; the frontier is not its business.
type walk struct {
	d        *Daemon
	saving   context.Context
	frontier int64
	upTo     int64

	auditedFrom int64

	from  rpc.Place // where the list is begun to be read: its newest end, or the signature of a stage
	upper int64     // slots in (upper, upTo] have been compared
	told  time.Time // when progress was last logged
	pages int
	seen  int
}

func (w *walk) run(ctx context.Context) error {
	list, overlapped := w.list(), false
	for {
		part, err := list.Next(ctx)
		if err != nil {
			return err
		}
		oldest := w.auditedFrom - 1
		if !part.Ended {
			oldest = int64(part.Above)
		}
		if err := w.record(ctx, part.Txs); err != nil {
			return err
		}
		store.CrashAt(store.CrashPageStored)
		if err := w.compare(ctx, part.Txs, oldest); err != nil {
			return err
		}
		store.CrashAt(store.CrashPageCompared)
		// At most one page beyond the one that reached the frontier.
		if part.Ended || overlapped || oldest <= max(w.frontier-overlapSlots, w.auditedFrom-1) {
			return nil
		}
		overlapped = oldest <= w.frontier
		w.progress(oldest)
	}
}

// list is the node's list from where the walk begins.
func (w *walk) list() *rpc.SignatureList {
	from := w.frontier + 1
	if store.Weak(store.WeakShortPageEnds) {
		from = math.MaxInt64
	}
	return w.d.list(w.d.node, w.from, from, w.upTo, w.d.tries(w.d.node))
}

// list is a node's list of finalized signatures down to a slot, as of one that it has to
// have finalized.
func (d *Daemon) list(node *rpc.Node, at rpc.Place, from, asOf int64, tries int) *rpc.SignatureList {
	opts := rpc.SignaturesOpts{Commitment: rpc.Finalized, MinContextSlot: uint64(asOf), Limit: pageLimit}
	return node.ListSignatures(keyText(d.Program), opts, rpc.ListOpts{At: at, From: uint64(max(from, 0))}, rpc.RetryPolicy{Tries: tries})
}

// wanted reports whether a listed slot is this pass's: neither finalized since
// it began nor before auditing did.
func (w *walk) wanted(slot uint64) bool {
	if store.Weak(store.WeakNoOverlap) && int64(slot) <= w.frontier {
		return false
	}
	return slot <= uint64(w.upTo) && int64(slot) >= w.auditedFrom
}

// record stores what is listed and the record lacks or has otherwise.
func (w *walk) record(ctx context.Context, txs []rpc.SignatureInfo) error {
	names := make([][64]byte, 0, len(txs))
	for i := range txs {
		if w.wanted(txs[i].Slot) {
			names = append(names, txs[i].Signature)
		}
	}
	var known map[[64]byte]store.Known
	err := w.d.write(w.saving, "compare a page", func(ctx context.Context, s *store.Writer) (err error) {
		known, err = s.Known(ctx, names)
		return err
	})
	if err != nil {
		return err
	}
	var missing []rpc.SignatureInfo
	for i := range txs {
		k, stored := known[txs[i].Signature]
		same := stored && k.Slot == txs[i].Slot && k.Failed == (txs[i].Err != nil) && !k.Dropped
		if w.wanted(txs[i].Slot) && !same {
			missing = append(missing, txs[i])
		}
	}
	w.seen += len(names)
	w.d.Metrics.listed(len(names), len(missing))
	found, err := w.d.fetch(ctx, missing)
	if err != nil {
		return err
	}
	if err := w.d.save(w.saving, work{arrivals: found, times: w.timesIn(txs)}); err != nil {
		return err
	}
	w.d.examineBelow(found, w.frontier)
	return nil
}

// compare asks by name for what is stored in the slots that are listed in full
// by now, (oldest, upper], and was not in the list. Lists have holes; only
// what a finalized node does not know was dropped.
func (w *walk) compare(ctx context.Context, txs []rpc.SignatureInfo, oldest int64) error {
	lower, upper := max(oldest, w.frontier), w.upper
	w.upper = min(oldest, upper)
	if lower >= upper || store.Weak(store.WeakNoCompare) {
		return nil
	}
	listed := make(map[[64]byte]bool, len(txs))
	for i := range txs {
		listed[txs[i].Signature] = true
	}
	var stored map[[64]byte]store.Known
	err := w.d.write(w.saving, "compare a page", func(ctx context.Context, s *store.Writer) (err error) {
		stored, err = s.Between(ctx, lower, upper)
		return err
	})
	if err != nil {
		return err
	}
	var unlisted [][64]byte
	for signature := range stored {
		if !listed[signature] {
			unlisted = append(unlisted, signature)
		}
	}
	found, unknown, err := w.d.byName(ctx, unlisted)
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		w.d.Log.Warn("dropped: confirmed transactions that are not in the finalized chain", zap.Int("transactions", len(unknown)))
	}
	w.d.Metrics.dropped.Add(float64(len(unknown)))
	return w.d.save(w.saving, work{arrivals: found, dropped: unknown, times: timesOf(found)})
}

// progress tells of a long walk now and then.
func (w *walk) progress(oldest int64) {
	w.pages++
	w.d.state.walking(uint64(max(oldest, 0)))
	if time.Since(w.told) < 10*time.Second {
		return
	}
	w.told = time.Now()
	w.d.Log.Info("reading history", zap.Int64("slot", oldest), zap.Int64("down_to_slot", w.frontier), zap.Int("signatures", w.seen))
}
