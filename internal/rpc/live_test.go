package rpc

import (
	"context"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

// runningLive is several subscriptions under test, heard as one.
type runningLive struct {
	*running
	*Live
	m *Metrics
}

func startLive(t *testing.T, urls ...string) *runningLive {
	t.Helper()
	m := NewMetrics(nil)
	var cfgs []StreamConfig
	for i, url := range urls {
		cfgs = append(cfgs, StreamConfig{
			Name: string(rune('a' + i)), URL: url, Program: testProgram, Metrics: m,
			QueueWait: patience, ConnectTimeout: patience, AckTimeout: patience, StallAfter: patience,
			PingEvery: time.Hour, PingTimeout: patience, BackoffInitial: time.Millisecond, BackoffMax: time.Millisecond,
		})
	}
	l := newLive(cfgs)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- l.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	// running's helpers read the items of its stream, which share one queue.
	return &runningLive{running: &running{Stream: l.streams[0], t: t}, Live: l, m: m}
}

// steps lets a test say when each node's script goes on.
type steps chan struct{}

func (s steps) wait(c *wsConn) bool {
	select {
	case <-s:
		return true
	case <-c.ctx.Done():
		return false
	case <-time.After(patience):
		return false
	}
}

func TestSeveralSubscriptionsAreHeardAsOne(t *testing.T) {
	first, second := make(steps), make(steps)
	a := newWSNode(t, func(c *wsConn) {
		if c.n > 0 {
			hold(c)
			return
		}
		c.accept()
		c.slot(100)
		c.note(1, 101)
		first.wait(c)
		c.note(2, 102) // b has told it
		c.note(3, 103)
		first.wait(c) // then it is gone
	})
	b := newWSNode(t, func(c *wsConn) {
		if c.n > 0 {
			hold(c)
			return
		}
		second.wait(c)
		c.accept()
		c.slot(102)
		c.note(1, 101) // a has told it
		c.note(2, 102)
		second.wait(c)
		c.note(4, 104)
		c.slot(105)
	})
	l := startLive(t, a, b)
	l.wantUp(100)
	l.wantNote(1)
	second <- struct{}{}
	l.wantNote(2) // b's: no second Up, no second note 1
	first <- struct{}{}
	l.wantNote(3)
	first <- struct{}{} // a ends; b goes on, so there is no Down
	for deadline := time.Now().Add(patience); l.streams[0].State().Connected; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a's end is not noticed")
		}
	}
	second <- struct{}{}
	l.wantNote(4)
	down := l.wantDown(Closed)
	if down.Slot != 105 {
		t.Errorf("down at slot %d, want b's 105", down.Slot)
	}
	if l.Live.Head() != 105 {
		t.Errorf("head %d", l.Live.Head())
	}
	if notes, repeats, up := testutil.ToFloat64(l.m.notes), testutil.ToFloat64(l.m.repeats), testutil.ToFloat64(l.m.up); notes != 4 || repeats != 2 || up != 0 {
		t.Errorf("%v notes, %v repeats, up %v", notes, repeats, up)
	}
	if st := l.Live.State(); st.Connected || st.LastReason == "" {
		t.Errorf("state %+v", st)
	}
}

// One node alone is not held against itself: whoever reads its notifications twice
// has to bear it, as ever.
func TestOneSubscriptionPassesRepeatsOn(t *testing.T) {
	url := newWSNode(t, func(c *wsConn) {
		c.accept()
		c.slot(1)
		c.note(1, 2)
		c.note(1, 2)
		hold(c)
	})
	l := startLive(t, url)
	l.wantUp(1)
	l.wantNote(1)
	l.wantNote(1)
}

func TestNodesThatTellOfATransactionDifferentlyAreMarked(t *testing.T) {
	q := newQueue(100, 0, NewMetrics(nil))
	q.told = newTold()
	note := func(slot uint64, err string, logs ...string) Item {
		tx := &Tx{Signature: testSig(1), Slot: slot, Logs: logs}
		if err != "" {
			tx.Err = []byte(err)
		}
		return Item{Kind: Note, Slot: slot, Tx: tx}
	}
	for _, step := range []struct {
		what       string
		note       Item
		heard      bool
		contradict bool
	}{
		{"the first", note(5, "", "a", "b"), true, false},
		{"the same", note(5, "", "a", "b"), false, false},
		{"another slot, as after a fork", note(6, "", "a", "b"), true, false},
		{"another line", note(5, "", "a", "c"), true, true},
		{"lines that join to the same", note(6, "", "ab"), true, true},
		{"a failure", note(5, `"x"`, "a", "b"), true, true},
	} {
		before := len(q.items)
		if !q.offer(step.note) {
			t.Fatalf("%s: no room", step.what)
		}
		if heard := len(q.items) > before; heard != step.heard {
			t.Fatalf("%s: heard %v", step.what, heard)
		}
		if step.heard {
			if it := <-q.items; it.Contradicts != step.contradict {
				t.Errorf("%s: contradicts %v", step.what, it.Contradicts)
			}
		}
	}
}

func TestWhatWasToldIsForgottenInTime(t *testing.T) {
	told := newTold()
	for i := range 3 * toldMost {
		told.keep(&Tx{Slot: uint64(i)})
	}
	if n := len(told.now) + len(told.old); n > 2*toldMost {
		t.Errorf("%d notifications are remembered", n)
	}
	if told.look(&Tx{Slot: 3*toldMost - 1}) != toldAlike || told.look(&Tx{Slot: 1}) != notTold {
		t.Error("the latest is forgotten, or the first is not")
	}
}

// The reserved place holds for the Downs of many streams too.
func TestDownsOfManyStreamsNeverWait(t *testing.T) {
	q := newQueue(1, 0, NewMetrics(nil))
	q.told = newTold()
	for round := range 3 {
		for range 5 {
			q.offer(Item{Kind: Up})
		}
		q.offer(Item{Kind: Note, Tx: &Tx{Slot: uint64(round)}}) // no place for it
		for range 5 {
			q.down(Item{Kind: Down})
		}
		if up, down := <-q.items, <-q.items; up.Kind != Up || down.Kind != Down || len(q.items) != 0 {
			t.Fatalf("round %d: %v, then %v, then %d more", round, up.Kind, down.Kind, len(q.items))
		}
	}
}
