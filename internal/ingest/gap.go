package ingest

import (
	"context"

	"minesaudit/internal/store"
)

func (d *Daemon) openGap(ctx context.Context, reason, detail string, from uint64) error {
	err := d.write(ctx, "record a gap", func(w *store.Writer) error { return w.OpenGap(ctx, reason, detail, from) })
	if err == nil {
		d.state.setGapOpen(true)
	}
	return err
}

func (d *Daemon) closeGaps(ctx context.Context, to uint64) error {
	err := d.write(ctx, "close gaps", func(w *store.Writer) error { return w.CloseGaps(ctx, to) })
	if err == nil {
		d.state.setGapOpen(false)
	}
	return err
}
