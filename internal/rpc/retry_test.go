package rpc

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func atOnce(p RetryPolicy) RetryPolicy {
	p.Initial, p.Max = time.Microsecond, time.Microsecond
	return p
}

const anyTx = `{"slot":5,"blockTime":null,"meta":{"err":null,"logMessages":[]},"transaction":null}`

func TestRetryNullNullThenTransaction(t *testing.T) {
	node := newFakeNode(t, result("null"), result("null"), result(anyTx))
	c := newTestClient(t, node.URL)
	get := func(ctx context.Context) (*Tx, error) { return c.Transaction(ctx, testSig(1), Confirmed) }
	tx, err := Retry(t.Context(), atOnce(RetryPolicy{Tries: 5, NotFound: true}), get)
	if err != nil || tx.Slot != 5 || len(node.asked()) != 3 {
		t.Fatalf("%+v, %v after %d requests", tx, err, len(node.asked()))
	}
	node = newFakeNode(t, result("null"), result(anyTx))
	c = newTestClient(t, node.URL)
	if _, err := Retry(t.Context(), atOnce(RetryPolicy{Tries: 5}), get); !errors.Is(err, NotFound) || len(node.asked()) != 1 {
		t.Errorf("not asked to repeat null: %v after %d requests", err, len(node.asked()))
	}
}

func TestRetryRepeatsOnlyWhatMayPass(t *testing.T) {
	ok := result("1")
	cases := map[string]struct {
		first scripted
		tries int
		asked int
		class Class // 0 = succeeds
	}{
		"behind":                {failure(-32016, "x"), 3, 2, 0},
		"HTML":                  {scripted{body: "<html>"}, 3, 2, 0},
		"cut":                   {scripted{body: `{"result":`}, 3, 2, 0},
		"429 as JSON-RPC":       {failure(429, "x"), 3, 2, 0},
		"behind, one try":       {failure(-32016, "x"), 1, 1, Unavailable},
		"version above":         {failure(-32015, "x"), 3, 1, UnsupportedVersion},
		"bad parameters":        {failure(-32602, "x"), 3, 1, Invalid},
		"bad parameters, 1 try": {failure(-32602, "x"), 1, 1, Invalid},
		"bad key":               {scripted{status: 401}, 3, 1, Auth},
		"no history":            {failure(-32011, "x"), 3, 1, NoHistory},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			node := newFakeNode(t, tc.first, ok)
			c := newTestClient(t, node.URL)
			_, err := Retry(t.Context(), atOnce(RetryPolicy{Tries: tc.tries}), func(ctx context.Context) (uint64, error) { return c.Slot(ctx, Confirmed) })
			if ClassOf(err) != tc.class || len(node.asked()) != tc.asked {
				t.Errorf("%v after %d requests, want class %v after %d", err, len(node.asked()), tc.class, tc.asked)
			}
			if e := (*Error)(nil); err != nil && !errors.As(err, &e) {
				t.Errorf("%T hides the *Error", err)
			}
		})
	}
}

func TestRetryGivesUpWithTheLastError(t *testing.T) {
	node := newFakeNode(t, failure(-32005, "first"), failure(-32016, "last"))
	c := newTestClient(t, node.URL)
	var heard int
	p := atOnce(RetryPolicy{Tries: 4, OnRetry: func(error, time.Duration) { heard++ }})
	_, err := Retry(t.Context(), p, func(ctx context.Context) (uint64, error) { return c.Slot(ctx, Confirmed) })
	if !errors.Is(err, Unavailable) || !strings.Contains(err.Error(), "last") || len(node.asked()) != 4 || heard != 3 {
		t.Errorf("%v after %d requests, %d heard", err, len(node.asked()), heard)
	}
}

func TestRetryKeepsToRetryAfter(t *testing.T) {
	node := newFakeNode(t, scripted{status: 429, retryAfter: "7"})
	c := newTestClient(t, node.URL)
	ctx, cancel := context.WithCancel(t.Context())
	var waits []time.Duration
	p := atOnce(RetryPolicy{OnRetry: func(_ error, d time.Duration) {
		waits = append(waits, d)
		cancel() // instead of waiting seven seconds
	}})
	_, err := Retry(ctx, p, func(ctx context.Context) (uint64, error) { return c.Slot(ctx, Confirmed) })
	if len(waits) != 1 || waits[0] != 7*time.Second {
		t.Errorf("waits %v", waits)
	}
	if !errors.Is(err, context.Canceled) || !errors.Is(err, RateLimited) {
		t.Errorf("error %v tells not both why it ended and why it waited", err)
	}
	w := waitAfter(RetryPolicy{MaxRetryAfter: time.Second}, &Error{Class: RateLimited, RetryAfter: time.Hour})
	if w != time.Second {
		t.Errorf("an hour is waited for %v", w)
	}
}

func waitAfter(p RetryPolicy, last error) time.Duration {
	w := waits{policy: p, last: last}
	w.next.InitialInterval, w.next.MaxInterval, w.next.Multiplier = 1, 1, 1
	return w.NextBackOff()
}
