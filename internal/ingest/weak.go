package ingest

import (
	"context"

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
