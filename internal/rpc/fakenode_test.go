package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
)

const (
	testProgram = "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu"
	patience    = 20 * time.Second // for what must happen; no test waits it out
)

// scripted is one scripted HTTP answer.
type scripted struct {
	status     int // 0 = 200
	retryAfter string
	body       string // %ID% becomes the request's id
	hang       bool   // answer nothing until the client goes away
}

func result(json string) scripted {
	return scripted{body: `{"jsonrpc":"2.0","id":%ID%,"result":` + json + `}`}
}

func failure(code int, message string) scripted {
	return scripted{body: fmt.Sprintf(`{"jsonrpc":"2.0","id":%%ID%%,"error":{"code":%d,"message":%q}}`, code, message)}
}

// request is what the node was asked.
type request struct {
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
	ID     json.RawMessage   `json:"id"`

	auth, uri string
}

// fakeNode speaks JSON-RPC from a script: the n-th request gets the n-th scripted, and
// the last answer repeats.
type fakeNode struct {
	*httptest.Server
	mu       sync.Mutex
	script   []scripted
	requests []request
}

func newFakeNode(t *testing.T, script ...scripted) *fakeNode {
	t.Helper()
	n := &fakeNode{script: script}
	n.Server = httptest.NewServer(http.HandlerFunc(n.serve))
	t.Cleanup(n.Close)
	return n
}

func (n *fakeNode) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	req := request{auth: r.Header.Get("Authorization"), uri: r.RequestURI}
	_ = json.Unmarshal(body, &req)
	n.mu.Lock()
	a := n.script[min(len(n.requests), len(n.script)-1)]
	n.requests = append(n.requests, req)
	n.mu.Unlock()
	if a.hang {
		<-r.Context().Done()
		return
	}
	if a.retryAfter != "" {
		w.Header().Set("Retry-After", a.retryAfter)
	}
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	_, _ = io.WriteString(w, strings.ReplaceAll(a.body, "%ID%", string(req.ID)))
}

func (n *fakeNode) asked() []request {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]request(nil), n.requests...)
}

func newTestClient(t *testing.T, url string, change ...func(*Config)) *Client {
	t.Helper()
	cfg := Config{URL: url, Timeout: patience}
	for _, f := range change {
		f(&cfg)
	}
	c, err := NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c.budget.pauses = []time.Duration{time.Millisecond} // what they are in earnest has tests of its own
	t.Cleanup(c.Close)
	return c
}

// wsConn is the server's end of one subscription connection.
type wsConn struct {
	t    testing.TB
	n    int // 0 for the first connection
	ctx  context.Context
	conn *websocket.Conn

	deaf  atomic.Bool  // pings are counted and not answered
	pings atomic.Int64 // counted while deaf
}

// newWSNode serves websockets by a script that is run for each connection; when it
// returns, the connection is dropped without a close frame.
func newWSNode(t testing.TB, script func(*wsConn)) string {
	t.Helper()
	var mu sync.Mutex
	connections := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &wsConn{t: t, ctx: context.WithoutCancel(r.Context())}
		conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{OnPingReceived: func(context.Context, []byte) bool {
			return !c.deaf.Load() || c.pings.Add(1) < 0
		}})
		if err != nil {
			return
		}
		defer conn.CloseNow()
		mu.Lock()
		c.n, c.conn = connections, conn
		connections++
		mu.Unlock()
		script(c)
	}))
	t.Cleanup(server.Close)
	return "ws" + strings.TrimPrefix(server.URL, "http")
}

func (c *wsConn) send(format string, args ...any) {
	_ = c.conn.Write(c.ctx, websocket.MessageText, fmt.Appendf(nil, format, args...))
}

// requests reads the two subscribe requests, in order.
func (c *wsConn) requests() (logs, slot request) {
	for _, r := range []*request{&logs, &slot} {
		_, data, err := c.conn.Read(c.ctx)
		if err != nil {
			return logs, slot
		}
		if err := json.Unmarshal(data, r); err != nil {
			c.t.Errorf("request %q: %v", data, err)
		}
	}
	if logs.Method != "logsSubscribe" || slot.Method != "slotSubscribe" {
		c.t.Errorf("asked for %s and %s", logs.Method, slot.Method)
	}
	return logs, slot
}

// accept acknowledges both subscriptions, logs as 7 and slots as 0.
func (c *wsConn) accept() {
	logs, slot := c.requests()
	c.send(`{"jsonrpc":"2.0","result":7,"id":%s}`, logs.ID)
	c.send(`{"jsonrpc":"2.0","result":0,"id":%s}`, slot.ID)
}

func (c *wsConn) slot(n uint64) {
	c.send(`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"slot":%d,"parent":%d,"root":%d},"subscription":0}}`, n, n-1, n-31)
}

func (c *wsConn) note(i int, slot uint64) { c.send("%s", noteFrame(i, slot, 7)) }

// untilGone reads, and so answers pings and close frames, until the client is gone.
func (c *wsConn) untilGone() error {
	for {
		if _, _, err := c.conn.Read(c.ctx); err != nil {
			return err
		}
	}
}

// reading is untilGone beside a script that writes.
func (c *wsConn) reading() (gone <-chan struct{}) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = c.untilGone()
	}()
	return done
}

func noteFrame(i int, slot, subscription uint64) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"logsNotification","params":{"result":{"context":{"slot":%d},"value":{"signature":%q,"err":null,"logs":["Program %s invoke [1]"]}},"subscription":%d}}`,
		slot, SignatureString(testSig(i)), testProgram, subscription)
}

func testSig(i int) (sig [64]byte) {
	copy(sig[:], fmt.Sprintf("signature %d", i))
	return sig
}

func newSilentLog() *log.Logger { return log.New(io.Discard, "", 0) }
