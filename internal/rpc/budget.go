package rpc

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// pauses are those after the first, second and further refusals (429) in a row that
// name no time. Public nodes count requests over rolling windows of ten seconds, and
// refused ones may count too. One refusal may be a burst's; from the second on a
// pause outlasts such a window.
func pauses() []time.Duration {
	return []time.Duration{2500 * time.Millisecond, 11 * time.Second, 22 * time.Second, time.Minute}
}

// mostPause is the longest that a node may ask for.
const mostPause = 5 * time.Minute

// budget is what a node lets one client ask: so many requests a second of all kinds
// and of single methods, and none for as long as it wants to be left alone. All
// requests of the client wait here, so that one that was refused holds the others
// back too. It is safe for concurrent use.
type budget struct {
	all     *rate.Limiter
	methods map[string]*rate.Limiter // read only
	pauses  []time.Duration          // read only

	mu       sync.Mutex
	began    time.Time // of the latest pause: requests sent before it add nothing to it
	until    time.Time // no request before
	refusals int       // in a row, each sent after the pause of the one before
}

func newBudget(perSecond float64, limits map[string]float64) (*budget, error) {
	if !(perSecond >= 0) || math.IsInf(perSecond, 0) { // NaN is not >= 0
		return nil, fmt.Errorf("requests per second: %v is no number of requests: give 0 for no limit", perSecond)
	}
	b := &budget{all: limiter(perSecond), methods: map[string]*rate.Limiter{}, pauses: pauses()}
	for method, perSecond := range limits {
		if !slices.Contains(methods(), method) {
			return nil, fmt.Errorf("limit of %q: no method that is called", method)
		}
		if !(perSecond > 0) || math.IsInf(perSecond, 0) {
			return nil, fmt.Errorf("limit of %s: %v is no number of requests a second", method, perSecond)
		}
		b.methods[method] = limiter(perSecond)
	}
	return b, nil
}

// limiter lets a twentieth of a second's requests through at once, so that no
// window of a second or more sees its share exceeded by more than that and one.
func limiter(perSecond float64) *rate.Limiter {
	if perSecond == 0 {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(perSecond), max(1, int(perSecond/20)))
}

// wait returns when a request may be sent. A turn for which a pause came in between
// is lost: those who held one would else all go at its end at once.
func (b *budget) wait(ctx context.Context, method string) error {
	for {
		if left := b.pause(time.Now()); left > 0 {
			if by, ok := ctx.Deadline(); ok && time.Until(by) < left {
				return context.DeadlineExceeded
			}
			if !sleep(ctx, left) {
				return ctx.Err()
			}
		}
		if limit, ok := b.methods[method]; ok {
			if err := limit.Wait(ctx); err != nil {
				return err
			}
		}
		if err := b.all.Wait(ctx); err != nil {
			return err
		}
		if b.pause(time.Now()) == 0 {
			return nil
		}
	}
}

// pause is how long the node is to be left alone.
func (b *budget) pause(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(0, b.until.Sub(now))
}

// answered learns from the outcome of a request that was sent at a time.
func (b *budget) answered(sent time.Time, err *Error, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case err == nil && sent.After(b.began):
		b.refusals = 0
	case err == nil || err.Class != RateLimited:
	case err.RetryAfter > 0:
		b.hold(now, min(err.RetryAfter, mostPause))
	case sent.After(b.began):
		b.refusals++
		// With up to a fifth more, so that several clients do not come back together.
		pause := b.pauses[min(b.refusals, len(b.pauses))-1]
		b.hold(now, pause+rand.N(pause/5+1))
	}
}

func (b *budget) hold(now time.Time, pause time.Duration) {
	if until := now.Add(pause); until.After(b.until) {
		b.began, b.until = now, until
	}
}
