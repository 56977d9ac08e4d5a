package ingest

import (
	"context"
	"fmt"
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

	before [64]byte          // where the list is begun to be read: its newest end, or the signature of a stage
	top    int64             // the slot of before
	upper  int64             // slots in (upper, upTo] have been compared
	carry  map[[64]byte]bool // listed in slot upper, which a page's end may have split
	told   time.Time         // when progress was last logged
	pages  int
	seen   int
}

func (w *walk) run(ctx context.Context) error {
	before, top := w.before, max(w.top, w.upper)
	overlapped := false
	for {
		page, err := w.d.page(ctx, w.d.node, before, w.upTo, top, w.d.tries(w.d.node))
		if err != nil {
			return err
		}
		// A short page may be all that a node answers at once. It is the end where
		// it has reached the frontier; else only an empty one is.
		last := len(page) == 0 || (len(page) < pageLimit && (int64(page[len(page)-1].Slot) <= w.frontier || store.Weak(store.WeakShortPageEnds)))
		oldest := w.auditedFrom - 1
		if !last {
			oldest = int64(page[len(page)-1].Slot)
			before, top = page[len(page)-1].Signature, oldest
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

// page gives a node's finalized signatures below one, or from the newest on, as of a
// slot that it has to have finalized. With before, none may lie above the slot upper.
func (d *Daemon) page(ctx context.Context, node *rpc.Node, before [64]byte, asOf, upper int64, tries int) ([]rpc.SignatureInfo, error) {
	opts := rpc.SignaturesOpts{Commitment: rpc.Finalized, Before: before, MinContextSlot: uint64(asOf), Limit: pageLimit}
	page, err := rpc.Retry(ctx, rpc.RetryPolicy{Tries: tries}, func(ctx context.Context) ([]rpc.SignatureInfo, error) {
		return node.Signatures(ctx, keyText(d.Program), opts)
	})
	if err != nil {
		return nil, fmt.Errorf("list signatures below slot %d: %w", upper, err)
	}
	if len(page) > 0 && before != [64]byte{} && (int64(page[0].Slot) > upper || page[len(page)-1].Signature == before) {
		return nil, fmt.Errorf("%w (slot %d below slot %d)", errRepeated, page[0].Slot, upper)
	}
	for i := 1; i < len(page); i++ {
		if page[i].Slot > page[i-1].Slot {
			return nil, fmt.Errorf("%w (%d after %d)", errUnordered, page[i].Slot, page[i-1].Slot)
		}
	}
	return page, nil
}

// wanted reports whether a listed slot is this pass's: neither finalized since
// it began nor before auditing did.
func (w *walk) wanted(slot uint64) bool {
	if store.Weak(store.WeakNoOverlap) && int64(slot) <= w.frontier {
		return false
	}
	return slot <= uint64(w.upTo) && int64(slot) >= w.auditedFrom
}

// record stores what the page lists and the record lacks or has otherwise.
func (w *walk) record(ctx context.Context, page []rpc.SignatureInfo) error {
	names := make([][64]byte, 0, len(page))
	for i := range page {
		if w.wanted(page[i].Slot) {
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
	for i := range page {
		k, stored := known[page[i].Signature]
		same := stored && k.Slot == page[i].Slot && k.Failed == (page[i].Err != nil) && !k.Dropped
		if w.wanted(page[i].Slot) && !same {
			missing = append(missing, page[i])
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
