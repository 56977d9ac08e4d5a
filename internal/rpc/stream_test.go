package rpc

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

// running is a stream under test.

type running struct {
	*Stream
	t    testing.TB
	ends chan End
	stop context.CancelFunc
	done chan error
}

// start runs a stream with waits of a millisecond and deadlines that only a test's own

// change makes short.

func start(t testing.TB, url string, change ...func(*StreamConfig)) *running {
	t.Helper()
	r := &running{t: t, ends: make(chan End, 1000), done: make(chan error, 1)}
	cfg := StreamConfig{
		URL: url, Program: testProgram,
		QueueWait: patience, ConnectTimeout: patience, AckTimeout: patience, StallAfter: patience,
		PingEvery: time.Hour, PingTimeout: patience,
		BackoffInitial: time.Millisecond, BackoffMax: time.Millisecond,
		OnEnd: func(e End) {
			select {
			case r.ends <- e:
			default:
			}
		},
	}
	for _, f := range change {
		f(&cfg)
	}
	r.Stream = NewStream(cfg)
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	go func() { r.done <- r.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		select {
		case <-r.done:
		case <-time.After(patience):
			t.Error("Run did not return")
		}
	})
	return r
}

// next gives the next item and whether the channel is still open.

func (r *running) next() Item {
	r.t.Helper()
	select {
	case it, open := <-r.Items():
		if !open {
			r.t.Fatal("items are closed")
		}
		return it
	case <-time.After(patience):
		r.t.Fatalf("no item; state %+v", r.State())
	}
	return Item{}
}

func (r *running) wantUp(slot uint64) {
	r.t.Helper()
	if it := r.next(); it.Kind != Up || it.Slot != slot || it.At.IsZero() {
		r.t.Fatalf("%+v, want up at slot %d", it, slot)
	}
}

func (r *running) wantNote(i int) Item {
	r.t.Helper()
	it := r.next()
	if it.Kind != Note || it.Tx == nil || it.Tx.Signature != testSig(i) {
		r.t.Fatalf("%+v, want note %d", it, i)
	}
	return it
}

func (r *running) wantDown(reason Reason) Item {
	r.t.Helper()
	it := r.next()
	if it.Kind != Down || it.Reason != reason {
		r.t.Fatalf("%+v, want down: %s", it, reason)
	}
	return it
}

func (r *running) nextEnd() End {
	r.t.Helper()
	select {
	case e := <-r.ends:
		return e
	case <-time.After(patience):
		r.t.Fatal("no end")
	}
	return End{}
}

// hold keeps a connection open until the client leaves.

func hold(c *wsConn) { _ = c.untilGone() }

func TestStreamReconnectsAndTellsTheGap(t *testing.T) {
	url := newWSNode(t, func(c *wsConn) {
		c.accept()
		if c.n == 0 {
			c.slot(100)
			for i := range 5 {
				c.note(i, 101)
			}
			c.slot(140)
			return // dropped in mid-stream
		}
		c.slot(150)
		c.note(4, 101) // told twice
		c.note(5, 151)
		hold(c)
	})
	m := NewMetrics(nil)
	r := start(t, url, func(c *StreamConfig) { c.Metrics = m })
	r.wantUp(100)
	for i := range 5 {
		if it := r.wantNote(i); it.Slot != 101 || it.Tx.Slot != 101 || it.Tx.Err != nil || len(it.Tx.Logs) != 1 || it.Tx.LogsMissing || it.Tx.HasBlockTime {
			t.Fatalf("note %d: %+v", i, it.Tx)
		}
	}
	down := r.wantDown(Closed)
	if down.Slot != 140 || down.Root != 109 || down.Err == nil {
		t.Errorf("down %+v, want slot 140 and root 109", down)
	}
	r.wantUp(150)
	r.wantNote(4)
	r.wantNote(5)
	if e := r.nextEnd(); e.Reason != Closed || !e.WasUp || e.Wait <= 0 {
		t.Errorf("end %+v", e)
	}
	s := r.State()
	if !s.Connected || s.Reconnects != 1 || s.Failures != 0 || s.LastReason != Closed || s.LastError == "" || r.Head() != 150 { // the note of slot 151 is no clock
		t.Errorf("state %+v, head %d", s, r.Head())
	}
	// A note is counted once it is in the queue, which may be after it was taken out.
	for deadline := time.Now().Add(patience); testutil.ToFloat64(m.notes) < 7 && time.Now().Before(deadline); {
		runtime.Gosched()
	}
	if up, again, notes := testutil.ToFloat64(m.up), testutil.ToFloat64(m.reconnects), testutil.ToFloat64(m.notes); up != 1 || again != 1 || notes != 7 {
		t.Errorf("up %v, reconnects %v, notifications %v", up, again, notes)
	}
}

func TestSubscribeRequests(t *testing.T) {
	got := make(chan [2]request, 1)
	url := newWSNode(t, func(c *wsConn) {
		logs, slot := c.requests()
		got <- [2]request{logs, slot}
		hold(c)
	})
	start(t, url, func(c *StreamConfig) { c.Commitment = Finalized })
	r := <-got
	if p := r[0].Params; len(p) != 2 || string(p[0]) != `{"mentions":["`+testProgram+`"]}` || string(p[1]) != `{"commitment":"finalized"}` {
		t.Errorf("logsSubscribe %s", p)
	}
	if len(r[1].Params) != 0 || string(r[0].ID) == string(r[1].ID) {
		t.Errorf("slotSubscribe %+v beside id %s", r[1], r[0].ID)
	}
}

func TestLargestNumbersOnTheSocket(t *testing.T) {
	url := newWSNode(t, func(c *wsConn) {
		logs, slot := c.requests()
		c.send(`{"jsonrpc":"2.0","result":18446744073709551615,"id":%s}`, logs.ID)
		c.send(`{"jsonrpc":"2.0","result":18446744073709551614,"id":%s}`, slot.ID)
		c.send(`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"slot":9007199254740993,"parent":1,"root":9007199254740992},"subscription":18446744073709551614}}`)
		c.send("%s", noteFrame(1, 18446744073709551615, 18446744073709551615))
		c.send("%s", noteFrame(2, 18446744073709551615, 18446744073709551614))
		hold(c)
	})
	r := start(t, url)
	r.wantUp(9007199254740993)
	if it := r.wantNote(1); it.Tx.Slot != 1<<64-1 {
		t.Errorf("slot %d", it.Tx.Slot)
	}
	// One less is another subscription; a float64 cannot tell the two apart.
	if down := r.wantDown(Malformed); down.Root != 9007199254740992 {
		t.Errorf("root %d", down.Root)
	}
}

// Each of these connections ends for the reason named, without or after an Up.

// Slots before the logs' acknowledgement may have gone by unheard.
func TestSlotsBeforeTheAcknowledgementAreNoUp(t *testing.T) {
	url := newWSNode(t, func(c *wsConn) {
		logs, slot := c.requests()
		c.send(`{"jsonrpc":"2.0","result":0,"id":%s}`, slot.ID)
		c.slot(80)
		c.send(`{"jsonrpc":"2.0","result":7,"id":%s}`, logs.ID)
		c.slot(81)
		hold(c)
	})
	r := start(t, url)
	r.wantUp(81)
}

func TestNotesBeforeTheFirstSlot(t *testing.T) {
	url := newWSNode(t, func(c *wsConn) {
		logs, slot := c.requests()
		c.note(1, 70) // overtakes its acknowledgement
		c.send(`{"jsonrpc":"2.0","result":7,"id":%s}`, logs.ID)
		c.send(`{"jsonrpc":"2.0","result":0,"id":%s}`, slot.ID)
		c.note(2, 71)
		c.slot(72)
		c.note(3, 73)
		c.send(`{"jsonrpc":"2.0","result":true,"id":99}`)
		hold(c)
	})
	r := start(t, url)
	r.wantUp(70)
	for i := 1; i <= 3; i++ {
		r.wantNote(i)
	}
	r.wantDown(Malformed)
}

// The pong lies unread behind the frames that find no place.

// A consumer that never reads: every Up that was queued has its Down right behind it,

// connections that find the queue full never come up, and the end of Run adds no wait.
