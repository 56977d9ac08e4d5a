package rpc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
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
	if !s.Connected || s.Reconnects != 1 || s.Failures != 0 || s.LastReason != Closed || s.LastError == "" || r.Head() != 151 {
		t.Errorf("state %+v, head %d", s, r.Head())
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
func TestReasonsOfEnds(t *testing.T) {
	shortly := 200 * time.Millisecond
	cases := []struct {
		name   string
		script func(*wsConn)
		change func(*StreamConfig)
		reason Reason
		up     bool
		text   string
	}{
		{"subscribe refused", func(c *wsConn) {
			logs, _ := c.requests()
			c.send(`{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params"},"id":%s}`, logs.ID)
			hold(c)
		}, nil, Refused, false, "logsSubscribe: invalid (-32602): Invalid params"},
		{"refusal that names no request", func(c *wsConn) {
			c.requests()
			c.send(`{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}`)
			hold(c)
		}, nil, Refused, false, "Parse error"},
		{
			"never acknowledged", func(c *wsConn) { c.requests(); hold(c) },
			func(c *StreamConfig) { c.AckTimeout = shortly }, AckTimeout, false, "no answer",
		},
		{"slots never acknowledged", func(c *wsConn) {
			logs, _ := c.requests()
			c.send(`{"jsonrpc":"2.0","result":7,"id":%s}`, logs.ID)
			hold(c)
		}, func(c *StreamConfig) { c.AckTimeout = shortly }, AckTimeout, false, "no answer"},
		{
			"acknowledged, then silent", func(c *wsConn) { c.accept(); hold(c) },
			func(c *StreamConfig) { c.StallAfter = shortly }, Stalled, false, "no slot",
		},
		{
			"up, then silent", func(c *wsConn) { c.accept(); c.slot(1000); hold(c) },
			func(c *StreamConfig) { c.StallAfter = shortly }, Stalled, true, "no slot",
		},
		{"closed with a code", func(c *wsConn) {
			c.accept()
			c.slot(1000)
			_ = c.conn.Close(websocket.StatusTryAgainLater, "busy")
		}, nil, Closed, true, "close frame 1013: busy"},
		{
			"not JSON", func(c *wsConn) { c.accept(); c.slot(1000); c.send("Program log: hello"); hold(c) },
			nil, Malformed, true, "not JSON",
		},
		{
			"cut JSON", func(c *wsConn) { c.accept(); c.slot(1000); c.send(`{"jsonrpc":"2.0","method":"logsNoti`); hold(c) },
			nil, Malformed, true, "not JSON",
		},
		{"notification without signature", func(c *wsConn) {
			c.accept()
			c.slot(1000)
			c.send(`{"method":"logsNotification","params":{"result":{"context":{"slot":1},"value":{"err":null,"logs":[]}},"subscription":7}}`)
			hold(c)
		}, nil, Malformed, true, "signature"},
		{"binary frame", func(c *wsConn) {
			c.accept()
			c.slot(1000)
			_ = c.conn.Write(c.ctx, websocket.MessageBinary, []byte(noteFrame(1, 1, 7)))
			hold(c)
		}, nil, Malformed, true, "binary"},
		{"frame over the limit", func(c *wsConn) {
			c.accept()
			c.slot(1000)
			c.send(`{"jsonrpc":"2.0","method":"other","pad":"%s"}`, strings.Repeat("x", 4096))
			hold(c)
		}, func(c *StreamConfig) { c.ReadLimit = 1024 }, Malformed, true, "over 1024 bytes"},
		{
			"ping unanswered and no frame", func(c *wsConn) { c.deaf.Store(true); c.accept(); c.slot(1000); hold(c) },
			func(c *StreamConfig) { c.PingEvery, c.PingTimeout = time.Millisecond, shortly }, PingTimeout, true, "pong",
		},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			url := newWSNode(t, tc.script)
			m := NewMetrics(nil)
			r := start(t, url, func(c *StreamConfig) { c.Metrics = m }, func(c *StreamConfig) {
				if tc.change != nil {
					tc.change(c)
				}
			})
			if tc.up {
				r.wantUp(1000)
				r.wantDown(tc.reason)
			}
			e := r.nextEnd()
			if e.Reason != tc.reason || e.WasUp != tc.up || e.Err == nil || !strings.Contains(e.Err.Error(), tc.text) {
				t.Errorf("end %+v, want %s with %q", e, tc.reason, tc.text)
			}
			if got := testutil.ToFloat64(m.ends.WithLabelValues(string(tc.reason))); got < 1 {
				t.Errorf("counted %v", got)
			}
			if !tc.up {
				r.stop()
				for it := range r.Items() {
					t.Errorf("item %+v of a connection that never came up", it)
				}
			}
		})
	}
}

func TestWithoutSlotsSilenceProvesNothing(t *testing.T) {
	proceed := make(chan struct{})
	url := newWSNode(t, func(c *wsConn) {
		logs, slot := c.requests()
		c.send(`{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":%s}`, slot.ID)
		c.send(`{"jsonrpc":"2.0","result":7,"id":%s}`, logs.ID)
		<-proceed
		c.note(1, 50)
		hold(c)
	})
	// A clock that ran at all would end the connection long before the note.
	r := start(t, url, func(c *StreamConfig) { c.StallAfter = time.Nanosecond; c.AckTimeout = patience })
	r.wantUp(0)
	close(proceed)
	r.wantNote(1)
	if n := len(r.ends); n != 0 {
		t.Errorf("%d ends", n)
	}
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

func TestUnknownMethodsAndForeignRepliesAreNoEnd(t *testing.T) {
	url := newWSNode(t, func(c *wsConn) {
		c.accept()
		c.send(`{"jsonrpc":"2.0","result":5,"id":99}`)
		c.send(`{"jsonrpc":"2.0","method":"rootNotification","params":{"result":42,"subscription":3}}`)
		c.slot(10)
		hold(c)
	})
	r := start(t, url)
	r.wantUp(10)
}

func TestPingsUnansweredWhileFramesComeAreNoEnd(t *testing.T) {
	enough := make(chan struct{})
	url := newWSNode(t, func(c *wsConn) {
		c.deaf.Store(true)
		c.accept()
		go hold(c)
		for i := uint64(0); c.pings.Load() < 5; i++ { // each ping follows a deadline missed
			c.slot(1000 + i)
		}
		close(enough)
		<-c.conn.CloseRead(c.ctx).Done()
	})
	r := start(t, url, func(c *StreamConfig) { c.PingEvery, c.PingTimeout = time.Millisecond, 200*time.Millisecond })
	r.wantUp(1000)
	select {
	case <-enough:
	case e := <-r.ends:
		t.Fatalf("ended: %+v", e)
	case <-time.After(patience):
		t.Fatal("five pings did not come")
	}
}

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

// The pong lies unread behind the frames that find no place.
func TestPingsWhileTheQueueIsFullAreNoEnd(t *testing.T) {
	pinged := make(chan struct{})
	url := newWSNode(t, func(c *wsConn) {
		c.deaf.Store(true)
		c.accept()
		c.slot(1)
		c.note(1, 2)
		go hold(c)
		for c.pings.Load() < 3 {
			runtime.Gosched()
		}
		close(pinged)
		<-c.conn.CloseRead(c.ctx).Done()
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

// A consumer that never reads: every Up that was queued has its Down right behind it,
// connections that find the queue full never come up, and the end of Run adds no wait.
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

func TestStopIsPoliteAndComplete(t *testing.T) {
	left := make(chan error, 1)
	url := newWSNode(t, func(c *wsConn) {
		c.accept()
		c.slot(9)
		left <- c.untilGone()
	})
	r := start(t, url)
	r.wantUp(9)
	r.stop()
	r.wantDown(Stopped)
	if _, open := <-r.Items(); open {
		t.Error("an item after the last down")
	}
	if err := <-left; websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Errorf("the node saw %v", err)
	}
	if s := r.State(); s.Connected || s.LastReason != Stopped {
		t.Errorf("state %+v", s)
	}
}

func TestStopDoesNotWaitForADeafNode(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	url := newWSNode(t, func(c *wsConn) { c.accept(); c.slot(9); <-ctx.Done() })
	r := start(t, url)
	r.wantUp(9)
	r.stop()
	r.wantDown(Stopped) // within patience; the handshake alone would take 5 s
}

func TestConnectFailuresAreToldAndRetried(t *testing.T) {
	var mu sync.Mutex
	answers := []int{401, 429, 200}
	inner := newWSNode(t, func(c *wsConn) { c.accept(); c.slot(3); hold(c) })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if len(answers) == 0 {
			http.Redirect(w, r, "http"+strings.TrimPrefix(inner, "ws"), http.StatusTemporaryRedirect)
			return
		}
		w.WriteHeader(answers[0])
		fmt.Fprint(w, "<html>no</html>")
		answers = answers[1:]
	}))
	defer server.Close()
	r := start(t, "ws"+strings.TrimPrefix(server.URL, "http"))
	for _, want := range []Class{Auth, RateLimited, Invalid, Invalid} { // the last: a redirect is not followed
		e := r.nextEnd()
		if e.Reason != ConnectFailed || e.WasUp || !errors.Is(e.Err, want) {
			t.Errorf("end %+v, want %v", e, want)
		}
	}
	if s := r.State(); s.Failures < 4 || s.Connected || s.Reconnects != 0 {
		t.Errorf("state %+v", s)
	}
}

func TestHandshakeRetryAfterIsKept(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(429)
	}))
	defer server.Close()
	r := start(t, "ws"+strings.TrimPrefix(server.URL, "http"))
	if e := r.nextEnd(); e.Wait != time.Minute {
		t.Errorf("waits %v", e.Wait)
	}
}

func TestConfigurationErrorsEndRun(t *testing.T) {
	for name, cfg := range map[string]StreamConfig{
		"ws-url":  {URL: "http://x/MARKER", Program: testProgram},
		"program": {URL: "ws://x/MARKER", Program: "0OIl"},
	} {
		s := NewStream(cfg)
		err := s.Run(t.Context())
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "MARKER") {
			t.Errorf("%s: %v", name, err)
		}
		if _, open := <-s.Items(); open {
			t.Errorf("%s: items", name)
		}
		if err := s.Run(t.Context()); err == nil {
			t.Errorf("%s: a second Run", name)
		}
	}
}
