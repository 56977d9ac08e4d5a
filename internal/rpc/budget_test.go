package rpc

import (
	"context"
	"errors"
	"testing"
	"time"
)

func refusal(after time.Duration) *Error {
	return &Error{Method: methodSlot, Class: RateLimited, RetryAfter: after}
}

// at gives moments of a clock that nobody waits for.
func at(d time.Duration) time.Time { return time.Unix(1_700_000_000, 0).Add(d) }

func newTestBudget(t *testing.T, perSecond float64, limits map[string]float64) *budget {
	t.Helper()
	b, err := newBudget(perSecond, limits)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRefusalsOutlastARollingWindow(t *testing.T) {
	b := newTestBudget(t, 0, nil)
	now, total := time.Duration(0), time.Duration(0)
	for i := range 3 {
		b.answered(at(now), refusal(0), at(now+time.Millisecond))
		pause := b.pause(at(now + time.Millisecond))
		if i > 0 && pause <= 10*time.Second {
			t.Errorf("refusal %d: a pause of %v ends within a window of ten seconds", i+1, pause)
		}
		total += pause
		now += pause + 2*time.Millisecond
	}
	if total > 2*time.Minute {
		t.Errorf("three refusals cost %v", total)
	}
	b.answered(at(now), nil, at(now))
	b.answered(at(now+time.Second), refusal(0), at(now+time.Second))
	if pause := b.pause(at(now + time.Second)); pause > 4*time.Second {
		t.Errorf("after a success the pauses go on at %v", pause)
	}
}

// Requests that were under way when the first of them was refused are one refusal.
func TestRefusalsTogetherAreOne(t *testing.T) {
	b := newTestBudget(t, 0, nil)
	for i := range 16 {
		b.answered(at(0), refusal(0), at(time.Duration(i+1)*time.Millisecond))
	}
	if b.refusals != 1 {
		t.Errorf("%d refusals", b.refusals)
	}
}

func TestTheNodesOwnTimeIsKept(t *testing.T) {
	b := newTestBudget(t, 0, nil)
	b.answered(at(0), refusal(7*time.Second), at(0))
	if pause := b.pause(at(0)); pause != 7*time.Second {
		t.Errorf("a pause of %v, want 7s", pause)
	}
	b.answered(at(0), refusal(time.Second), at(time.Second)) // does not shorten it
	if pause := b.pause(at(time.Second)); pause != 6*time.Second {
		t.Errorf("a pause of %v, want 6s", pause)
	}
	b.answered(at(0), refusal(24*time.Hour), at(time.Second))
	if pause := b.pause(at(time.Second)); pause != mostPause {
		t.Errorf("a pause of %v, want %v", pause, mostPause)
	}
	if b.answered(at(0), &Error{Class: Unavailable}, at(0)); b.refusals != 0 {
		t.Error("a failure of another kind counts as a refusal")
	}
}

func TestAPauseHoldsEveryRequestBack(t *testing.T) {
	node := newFakeNode(t, scripted{status: 429, retryAfter: "3600"}, result("1"))
	c := newTestClient(t, node.URL)
	if _, err := c.Slot(t.Context(), Finalized); !errors.Is(err, RateLimited) {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // shorter than the pause: known at once
	defer cancel()
	if _, err := c.GenesisHash(ctx); !errors.Is(err, Canceled) {
		t.Errorf("another method during the pause: %v", err)
	}
	if n := len(node.asked()); n != 1 {
		t.Errorf("the node was asked %d times", n)
	}
}

func TestMethodsHaveLimitsOfTheirOwn(t *testing.T) {
	node := newFakeNode(t, result("1"))
	c := newTestClient(t, node.URL, func(c *Config) { c.Limits = map[string]float64{"getSlot": 1e-6} })
	if _, err := c.Slot(t.Context(), Finalized); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	if _, err := c.Slot(ctx, Finalized); !errors.Is(err, Canceled) {
		t.Errorf("a second getSlot: %v", err)
	}
	if _, err := c.FirstAvailableBlock(ctx); err != nil {
		t.Errorf("another method: %v", err)
	}
}

// What a public node counts: any ten seconds, of which the first may begin after
// any idle time.
func TestABudgetIsKeptInEveryWindow(t *testing.T) {
	for _, perSecond := range []float64{0.5, 4, 10, 100} {
		l := limiter(perSecond)
		sent := 0
		for ms := range 10_000 {
			for l.AllowN(at(time.Duration(ms)*time.Millisecond), 1) {
				sent++
			}
		}
		if most := perSecond*10*1.05 + 1; float64(sent) > most || float64(sent) < perSecond*10*0.95 {
			t.Errorf("%v a second: %d in ten seconds, want about %v", perSecond, sent, perSecond*10)
		}
	}
}

func TestBadBudgetsAreRefused(t *testing.T) {
	for _, limits := range []map[string]float64{{"getSlots": 1}, {"getSlot": 0}, {"getSlot": -1}} {
		if _, err := newBudget(1, limits); err == nil {
			t.Errorf("limits %v are taken", limits)
		}
	}
	if _, err := newBudget(-1, nil); err == nil {
		t.Error("-1 a second is taken")
	}
}
