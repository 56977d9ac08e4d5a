package backfill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"sync"
	"time"

	"minesaudit/internal/store"
)

// Budget is how many calls a second a node bears from all processes together. The
// places in its queue are handed out by the database, so that the sum is kept
// whatever the number of machines, and all wait when one was refused.
type Budget struct {
	Store     *store.Store
	Node      string  // the queue's name: processes that name it alike share it
	PerSecond float64 // 0: no limit

	mu   sync.Mutex
	next time.Time // when the next of the places at hand begins
	left int       // places at hand
}

const (
	// slice is the time for which places are taken at once, where calls are so
	// frequent that a query for each would cost more than the call.
	slice = 50 * time.Millisecond
	// stale is how late a place may be used. What is older is lost: using it would
	// crowd calls together.
	stale = 200 * time.Millisecond
)

// NodeName names a node's queue where the operator gave it no name: by a hash of its
// host, as its address may hold keys.
func NodeName(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return "node"
	}
	sum := sha256.Sum256([]byte(u.Host))
	return "host-" + hex.EncodeToString(sum[:6])
}

// Wait returns when n calls may be made at once. Where that is noticed late, on a
// machine that is busy, the places are lost and others are taken: made late, calls
// would come in a crowd with those whose time it is.
func (b *Budget) Wait(ctx context.Context, n int) error {
	if b.PerSecond <= 0 {
		return nil
	}
	for {
		at, err := b.take(ctx, n)
		if err != nil {
			return err
		}
		if err := until(ctx, at); err != nil {
			return err
		}
		if time.Since(at) <= stale {
			return nil
		}
	}
}

func until(ctx context.Context, at time.Time) error {
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// take gives the time from which n calls may be made: for several, the time at which
// the last of their places begins, so that they are not made before any of them.
func (b *Budget) take(ctx context.Context, n int) (time.Time, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	pace := time.Duration(float64(time.Second) / b.PerSecond)
	if b.left < n || time.Since(b.next) > stale {
		places := max(n, int(slice/pace))
		wait, err := b.Store.ReserveCalls(ctx, b.Node, places, b.PerSecond)
		if err != nil {
			return time.Time{}, err
		}
		b.next, b.left = time.Now().Add(wait), places
	}
	at := b.next.Add(time.Duration(n-1) * pace)
	b.next, b.left = at.Add(pace), b.left-n
	return at, nil
}

// hold makes everybody leave the node alone for a time.
func (b *Budget) hold(ctx context.Context, pause time.Duration) error {
	if b.PerSecond <= 0 || pause <= 0 {
		return nil
	}
	b.mu.Lock()
	b.left = 0
	b.mu.Unlock()
	return b.Store.HoldCalls(ctx, b.Node, pause)
}
