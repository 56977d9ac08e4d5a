//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// pollEvery is shorter than a slot of the node (50 ms).
const pollEvery = 20 * time.Millisecond

// poll asks until done says yes, until it fails, or until limit has passed.
func poll(ctx context.Context, limit time.Duration, done func(context.Context) (bool, error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("not within %s", limit))
	defer cancel()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		ok, err := done(ctx)
		if ok || err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
