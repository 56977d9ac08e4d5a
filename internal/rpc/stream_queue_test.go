package rpc

import (
	"runtime"
	"testing"
	"time"
)

func TestSlowConsumerLosesNothing(t *testing.T) {
	const burst = 500
	url := newWSNode(t, func(c *wsConn) {
		c.accept()
		c.slot(1)
		for i := range burst {
			c.note(i, 2)
		}
		hold(c)
	})
	r := start(t, url, func(c *StreamConfig) { c.QueueSize = 10; c.StallAfter = 400 * time.Millisecond })
	r.wantUp(1)
	<-time.After(time.Second) // more than the slot clock allows while it runs
	for i := range burst {
		r.wantNote(i)
	}
}

func TestPingsWhileTheQueueIsFullAreNoEnd(t *testing.T) {
	pinged := make(chan struct{})
	url := newWSNode(t, func(c *wsConn) {
		c.deaf.Store(true)
		c.accept()
		c.slot(1)
		c.note(1, 2)
		gone := c.reading()
		for c.pings.Load() < 3 {
			runtime.Gosched()
		}
		close(pinged)
		<-gone
	})
	r := start(t, url, func(c *StreamConfig) {
		c.QueueSize, c.PingEvery, c.PingTimeout = 1, 100*time.Millisecond, 100*time.Millisecond
	})
	select {
	case <-pinged:
	case e := <-r.ends:
		t.Fatalf("ended: %+v", e)
	case <-time.After(patience):
		t.Fatal("three pings did not come")
	}
	r.wantUp(1)
	r.wantNote(1)
}

// The slot clock stands while the queue is full, and runs again afterwards.
func TestStallAfterAFullQueueIsFound(t *testing.T) {
	url := newWSNode(t, func(c *wsConn) {
		c.accept()
		c.slot(1)
		c.note(1, 2)
		c.note(2, 2)
		hold(c)
	})
	r := start(t, url, func(c *StreamConfig) { c.QueueSize, c.StallAfter = 1, 300*time.Millisecond })
	<-time.After(700 * time.Millisecond) // the clock would have ended the connection, if it ran
	r.wantUp(1)
	r.wantNote(1)
	r.wantNote(2)
	r.wantDown(Stalled)
}

func TestOverflowKeepsWhatWasQueuedAndTellsDown(t *testing.T) {
	const size = 4
	url := newWSNode(t, func(c *wsConn) {
		if c.n > 0 {
			hold(c)
			return
		}
		c.accept()
		c.slot(1)
		for i := range 500 {
			c.note(i, uint64(10+i))
		}
		hold(c)
	})
	m := NewMetrics(nil)
	r := start(t, url, func(c *StreamConfig) { c.QueueSize, c.QueueWait, c.Metrics = size, 20*time.Millisecond, m })
	if e := r.nextEnd(); e.Reason != Overflow || !e.WasUp {
		t.Fatalf("end %+v", e)
	}
	if got := m.queueDepth(); got != size+1 {
		t.Errorf("queue depth %v, want %d notes and the down", got, size+1)
	}
	r.wantUp(1)
	for i := range size - 1 {
		r.wantNote(i)
	}
	if down := r.wantDown(Overflow); down.Slot != 10+size-1 {
		t.Errorf("down at slot %d: the note that found no place was of slot %d", down.Slot, 10+size-1)
	}
}

func TestDownsSurviveAnAbsentConsumer(t *testing.T) {
	url := newWSNode(t, func(c *wsConn) {
		c.accept()
		c.slot(uint64(c.n + 1))
		c.note(c.n, 5)
	})
	r := start(t, url, func(c *StreamConfig) { c.QueueSize, c.QueueWait = 7, 5*time.Millisecond })
	for r.nextEnd().Reason != Overflow {
	}
	r.nextEnd()
	r.stop()
	ups, downs := 0, 0
	for it := range r.Items() {
		switch it.Kind {
		case Up:
			ups++
		case Down:
			downs++
		}
		if ups-downs != 0 && ups-downs != 1 {
			t.Fatalf("%d ups and %d downs", ups, downs)
		}
	}
	if ups == 0 || ups != downs {
		t.Errorf("%d ups and %d downs", ups, downs)
	}
}
