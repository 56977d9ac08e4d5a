package rpc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

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
	// It runs until the node says that it has no slots, so that it must not be short.
	const stall = 2 * time.Second
	r := start(t, url, func(c *StreamConfig) { c.StallAfter = stall; c.AckTimeout = patience })
	r.wantUp(0)
	time.Sleep(stall + stall/2) // a clock that ran on would end the connection before the note
	close(proceed)
	r.wantNote(1)
	if n := len(r.ends); n != 0 {
		t.Errorf("%d ends", n)
	}
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
		gone := c.reading()
		for i := uint64(0); c.pings.Load() < 5; i++ { // each ping follows a deadline missed
			c.slot(1000 + i)
		}
		close(enough)
		<-gone
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
