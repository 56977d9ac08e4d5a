package backfill

import (
	"context"
	"sync"
	"time"

	"minesaudit/internal/store"
)

// places are those of one queue of calls that the database keeps. A place is for one
// call, and lasts as long as the pace says.
type places struct {
	store     *store.Store
	name      string
	perSecond float64 // above 0

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

// wait returns when n calls may be made at once. Where that is noticed late, on a
// machine that is busy, the places are lost and others are taken: made late, calls
// would come in a crowd with those whose time it is.
func (p *places) wait(ctx context.Context, n int) error {
	for {
		at, err := p.take(ctx, n)
		if err != nil {
			return err
		}
		if err := pause(ctx, time.Until(at)); err != nil {
			return err
		}
		if time.Since(at) <= stale {
			return nil
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

// take gives the time from which n calls may be made: for several, the time at which
// the last of their places begins, so that they are not made before any of them.
func (p *places) take(ctx context.Context, n int) (time.Time, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pace := time.Duration(float64(time.Second) / p.perSecond)
	if p.left < n || time.Since(p.next) > stale {
		many := max(n, int(slice/pace))
		wait, err := p.store.ReserveCalls(ctx, p.name, many, p.perSecond)
		if err != nil {
			return time.Time{}, err
		}
		p.next, p.left = time.Now().Add(wait), many
	}
	at := p.next.Add(time.Duration(n-1) * pace)
	p.next, p.left = at.Add(pace), p.left-n
	return at, nil
}

// hold keeps everybody from the queue for a time.
func (p *places) hold(ctx context.Context, pause time.Duration) error {
	p.mu.Lock()
	p.left = 0
	p.mu.Unlock()
	return p.store.HoldCalls(ctx, p.name, pause)
}
