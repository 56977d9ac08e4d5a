package ingest

import (
	"context"

	"minesaudit/internal/store"
)

// notRunning is the reason of the gap between two runs of the daemon.
const notRunning = "not_running"

func (d *Daemon) openGap(ctx context.Context, reason, detail string, from uint64) error {
	err := d.write(ctx, "record a gap", func(ctx context.Context, w *store.Writer) error { return w.OpenGap(ctx, reason, detail, from) })
	if err == nil {
		d.state.setGapOpen(true)
	}
	return err
}

func (d *Daemon) closeGaps(ctx context.Context, to uint64) error {
	err := d.write(ctx, "close gaps", func(ctx context.Context, w *store.Writer) error { return w.CloseGaps(ctx, to) })
	if err == nil {
		d.state.setGapOpen(false)
	}
	return err
}
