package rpc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// RetryPolicy bounds Retry. Zero values mean the defaults named.
type RetryPolicy struct {
	Tries         int           // attempts in all; 0 = until ctx ends
	Initial       time.Duration // first wait, ±50 %; default 250 ms; each next is twice as long
	Max           time.Duration // longest own wait; default 10 s
	MaxRetryAfter time.Duration // longest wait that an endpoint may ask for; default 5 min
	NotFound      bool          // repeat NotFound too: for what the node has just told of
	// OnRetry, if set, hears of each failure that will be repeated, and of the wait.
	OnRetry func(err error, wait time.Duration)
}

// Retry runs op until it succeeds, fails for good, or has been tried often enough.
// Unavailable and RateLimited are repeated (NotFound if the policy says so), after an
// exponential wait with jitter or the endpoint's Retry-After if that is longer. The
// last error of op is returned; if ctx ended the waiting, the context's error too.
func Retry[T any](ctx context.Context, p RetryPolicy, op func(context.Context) (T, error)) (T, error) {
	wait := &waits{policy: p, next: backoff.ExponentialBackOff{
		InitialInterval:     orDefault(p.Initial, 250*time.Millisecond),
		MaxInterval:         orDefault(p.Max, 10*time.Second),
		Multiplier:          2,
		RandomizationFactor: 0.5,
	}}
	attempt := func() (T, error) {
		v, err := op(ctx)
		wait.last = err
		if err != nil && !p.repeats(err) {
			return v, backoff.Permanent(err)
		}
		return v, err
	}
	v, err := backoff.Retry(ctx, attempt,
		backoff.WithBackOff(wait),
		backoff.WithMaxTries(uint(max(0, p.Tries))),
		backoff.WithMaxElapsedTime(0), // tries and ctx are the bounds
		backoff.WithNotify(func(err error, d time.Duration) {
			if p.OnRetry != nil {
				p.OnRetry(err, d)
			}
		}))
	var permanent *backoff.PermanentError
	if errors.As(err, &permanent) { // the last try is not unwrapped by the library
		err = permanent.Unwrap()
	}
	if err != nil && ctx.Err() != nil && wait.last != nil && !errors.Is(wait.last, ctx.Err()) {
		return v, fmt.Errorf("%w, after: %w", context.Cause(ctx), wait.last)
	}
	return v, err
}

func (p *RetryPolicy) repeats(err error) bool {
	switch ClassOf(err) {
	case Unavailable, RateLimited:
		return true
	case NotFound:
		return p.NotFound
	}
	return false
}

// waits is the back-off with Retry-After as its lower bound.
type waits struct {
	policy RetryPolicy
	next   backoff.ExponentialBackOff
	last   error
}

func (w *waits) Reset() { w.next.Reset() }

func (w *waits) NextBackOff() time.Duration {
	d := w.next.NextBackOff()
	var e *Error
	if errors.As(w.last, &e) {
		d = max(d, min(e.RetryAfter, orDefault(w.policy.MaxRetryAfter, 5*time.Minute)))
	}
	return d
}
