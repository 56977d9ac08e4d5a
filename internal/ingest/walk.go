package ingest

import (
	"context"
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

	from  place             // where the list is begun to be read: its newest end, or the signature of a stage
	upper int64             // slots in (upper, upTo] have been compared
	carry map[[64]byte]bool // listed in slot upper, which a page's end may have split
	told  time.Time         // when progress was last logged
	pages int
	seen  int
}

func (w *walk) run(ctx context.Context) error {
	list, overlapped := w.list(), false
	for {
		page, err := list.next(ctx)
		if err != nil {
			return err
		}
		// A short page may be all that a node answers at once. It is the end where
		// it has reached the frontier; else only an empty one is.
		last := len(page) == 0 || (len(page) < pageLimit && (int64(page[len(page)-1].Slot) <= w.frontier || store.Weak(store.WeakShortPageEnds)))
		oldest := w.auditedFrom - 1
		if !last {
			oldest = int64(page[len(page)-1].Slot)
		}
		if err := w.record(ctx, page); err != nil {
			return err
		}
		store.CrashAt(store.CrashPageStored)
		if err := w.compare(ctx, page, oldest); err != nil {
			return err
		}
		store.CrashAt(store.CrashPageCompared)
		// At most one page beyond the one that reached the frontier.
		if last || overlapped || oldest <= max(w.frontier-overlapSlots, w.auditedFrom-1) {
			return nil
		}
		overlapped = oldest <= w.frontier
		w.progress(oldest)
	}
}

// list is the node's list from where the walk begins.
func (w *walk) list() *list {
	return &list{d: w.d, node: w.d.node, asOf: w.upTo, tries: w.d.tries(w.d.node), at: w.from}
}

// wanted reports whether a listed slot is this pass's: neither finalized since
// it began nor before auditing did.
func (w *walk) wanted(slot uint64) bool {
	if store.Weak(store.WeakNoOverlap) && int64(slot) <= w.frontier {
		return false
	}
	return slot <= uint64(w.upTo) && int64(slot) >= w.auditedFrom
}

// record stores what the page lists and the page before it did not, and the record
// lacks or has otherwise.
func (w *walk) record(ctx context.Context, page []rpc.SignatureInfo) error {
	var listed []rpc.SignatureInfo
	var names [][64]byte
	for i := range page {
		if w.wanted(page[i].Slot) && !w.carry[page[i].Signature] {
			listed = append(listed, page[i])
			names = append(names, page[i].Signature)
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
	for i := range listed {
		k, stored := known[listed[i].Signature]
		same := stored && k.Slot == listed[i].Slot && k.Failed == (listed[i].Err != nil) && !k.Dropped
		if !same {
			missing = append(missing, listed[i])
		}
	}
	w.seen += len(names)
	w.d.Metrics.listed(len(names), len(missing))
	found, err := w.d.fetch(ctx, missing)
	if err != nil {
		return err
	}
	if err := w.d.save(w.saving, work{arrivals: found, times: w.timesIn(page)}); err != nil {
		return err
	}
	w.d.examineBelow(found, w.frontier)
	return nil
}

// compare asks by name for what is stored in the slots that are listed in full
// by now, (oldest, upper], and was not in the list. Lists have holes; only
// what a finalized node does not know was dropped.
func (w *walk) compare(ctx context.Context, page []rpc.SignatureInfo, oldest int64) error {
	lower := max(oldest, w.frontier)
	listed, carry := w.carry, make(map[[64]byte]bool)
	if listed == nil {
		listed = make(map[[64]byte]bool)
	}
	if oldest == w.upper && w.carry != nil {
		carry = w.carry
	}
	for i := range page {
		listed[page[i].Signature] = true
		if int64(page[i].Slot) == oldest {
			carry[page[i].Signature] = true
		}
	}
	upper := w.upper
	w.upper, w.carry = oldest, carry
	if lower >= upper || store.Weak(store.WeakNoCompare) {
		return nil
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
