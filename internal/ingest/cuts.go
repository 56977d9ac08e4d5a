package ingest

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"minesaudit/internal/store"
)

// namedLate finds what comes late and cannot be read, and the games that it names.
func (c *changes) namedLate(ctx context.Context, w *store.Writer, b *store.Batch, complete int64) (err error) {
	for _, rows := range [][]store.Tx{b.New, b.Replaced} {
		for i := range rows {
			t := &rows[i]
			if t.Problem == "" || int64(t.Slot) > complete {
				continue
			}
			for _, account := range t.Accounts {
				c.cuts[account] = append(c.cuts[account], store.Truncation{Tx: t.ID, Slot: t.Slot})
			}
		}
	}
	c.named, err = w.NamedBy(ctx, slices.Collect(maps.Keys(c.cuts)))
	return err
}

// truncationsNaming looks for starts and ends that are missing where they may be
// hidden. Nothing is looked up for a game that began above what is complete, as
// in nearly every batch from the stream.
func (c *changes) truncationsNaming(ctx context.Context, w *store.Writer, todo []pending, complete int64) (map[[32]byte][]store.Truncation, error) {
	var addresses [][32]byte
	for i := range todo {
		var began, started, ended, over bool // began and over lie in what is complete
		for j := range todo[i].pieces {
			p := &todo[i].pieces[j]
			within := int64(p.Slot) <= complete
			started, began = started || p.IsStart(), began || p.IsStart() && within
			ended, over = ended || p.IsEnd(), over || p.IsEnd() && within
		}
		if (over && !started) || (began && !ended) {
			addresses = append(addresses, todo[i].account())
		}
	}
	cuts, err := w.Truncations(ctx, addresses)
	if err != nil {
		return nil, err
	}
	for address, late := range c.cuts {
		all := append(cuts[address], late...)
		slices.SortStableFunc(all, func(a, b store.Truncation) int { return cmp.Compare(a.Slot, b.Slot) })
		cuts[address] = all
	}
	return cuts, nil
}
