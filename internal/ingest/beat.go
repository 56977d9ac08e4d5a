package ingest

import (
	"context"
	"errors"
	"time"

	"minesaudit/internal/store"
)

// beatEvery is how often a leader is heard of, at least: often enough that a
// daemon that stands by never takes it for stopped.
const beatEvery = 2 * time.Second

// beats lets the database hear of this daemon where nothing else does, until ctx
// ends. It fails with store.ErrLocked once another one leads.
func (d *Daemon) beats(ctx, saving context.Context) error {
	ticker := time.NewTicker(beatEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
		select {
		case d.turn <- struct{}{}:
		default:
			continue // somebody else is heard of
		}
		err := d.attempt(saving, "beat", func(ctx context.Context, w *store.Writer) error { return w.Beat(ctx) })
		<-d.turn
		if errors.Is(err, store.ErrLocked) {
			return err
		}
		if ctx.Err() == nil {
			d.tell(d.state.database(err), "the database does not answer; trying again", "the database can be written to again", err)
		}
	}
}
