package ingest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// patiently repeats op until it succeeds, fails for good or ctx ends. show puts
// each outcome into the state and gives what of it is worth a line in the log.
func (d *Daemon) patiently(ctx context.Context, what string, show func(error) notice, op func() error) error {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 200*time.Millisecond, 10*time.Second
	for {
		d.state.beat()
		err := op()
		n := show(err)
		switch {
		case err == nil:
			d.tell(n, "", "can "+what+" again", nil)
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case forGood(err):
			return fmt.Errorf("%s: %w", what, err)
		}
		d.tell(n, "cannot "+what+"; trying again", "", err)
		if err := pause(ctx, wait.NextBackOff()); err != nil {
			return err
		}
	}
}

// pause waits, unless ctx ends.
func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// forGood tells what a person has to mend from what time can: a schema, a
// watch or another daemon; and credentials or a URL that the node refuses.
func forGood(err error) bool {
	for _, final := range []error{store.ErrSchemaNewer, store.ErrOtherWatch, store.ErrLocked, ErrNoProgram} {
		if errors.Is(err, final) {
			return true
		}
	}
	return rpc.ClassOf(err) == rpc.Auth || store.Refused(err)
}
