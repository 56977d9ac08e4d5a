package ingest

import (
	"context"
	"maps"
	"slices"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// skipToHead is what store.WeakStartAtHead names: what happened while the
// daemon was away is taken for covered.
func (d *Daemon) skipToHead(ctx, saving context.Context, have *store.Watch) error {
	slot, err := d.Nodes.Record().Slot(ctx, rpc.Finalized)
	if err != nil {
		return err
	}
	if int64(slot) <= have.Frontier {
		return nil
	}
	a := &store.Advance{Was: have.Frontier, Becomes: int64(slot), Head: slot}
	have.Frontier = a.Becomes
	return d.save(saving, work{complete: a.Becomes, advance: a})
}

// takeBack is what store.WeakBackIsFork names: what is stored above a node's finalized
// slot is taken for taken back.
func (d *Daemon) takeBack(saving context.Context, upTo, frontier int64) error {
	var above map[[64]byte]store.Known
	err := d.write(saving, "list what is taken back", func(ctx context.Context, w *store.Writer) (err error) {
		above, err = w.Between(ctx, upTo, frontier)
		return err
	})
	if err != nil {
		return err
	}
	return d.save(saving, work{dropped: slices.Collect(maps.Keys(above))})
}

// forgetUnchecked is what store.WeakNoRecheck names: slots that no second node was
// asked for are taken for checked.
func (d *Daemon) forgetUnchecked(saving context.Context, after, upTo int64) error {
	return d.write(saving, "forget unchecked slots", func(ctx context.Context, w *store.Writer) error {
		return w.Checked(ctx, after, upTo)
	})
}
