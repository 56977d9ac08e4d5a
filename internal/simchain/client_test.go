package simchain

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// serve serves a chain for the length of a test.
func serve(t testing.TB, c *Chain) *Server {
	t.Helper()
	s, err := c.Serve(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// post sends a body as it is and gives status and answer.
func post(t testing.TB, s *Server, body string) (int, string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Post(s.RPCURL, "application/json", bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// answerTo is an answer as a client reads it.
type answerTo struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

// ask calls a method; params is JSON, "" for none.
func ask(t testing.TB, s *Server, method, params string) answerTo {
	t.Helper()
	if params == "" {
		params = "[]"
	}
	_, text := post(t, s, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params))
	var a answerTo
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatalf("%s answers %q: %v", method, text, err)
	}
	return a
}

// get calls a method that must succeed and reads its result.
func get[T any](t testing.TB, s *Server, method, params string) T {
	t.Helper()
	a := ask(t, s, method, params)
	if a.Error != nil {
		t.Fatalf("%s %s: error %d %s", method, params, a.Error.Code, a.Error.Message)
	}
	var v T
	if err := json.Unmarshal(a.Result, &v); err != nil {
		t.Fatalf("%s %s answers %s: %v", method, params, a.Result, err)
	}
	return v
}

// mustFail calls a method that must fail with a code.
func mustFail(t testing.TB, s *Server, code int, method, params string) answerTo {
	t.Helper()
	a := ask(t, s, method, params)
	if a.Error == nil || a.Error.Code != code {
		t.Fatalf("%s %s answers %+v, want error %d", method, params, a, code)
	}
	return a
}

// dial opens a websocket for the length of a test.
func dial(t testing.TB, url string) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// send writes a request to a websocket.
func send(t testing.TB, conn *websocket.Conn, body string) {
	t.Helper()
	if err := conn.Write(t.Context(), websocket.MessageText, []byte(body)); err != nil {
		t.Fatal(err)
	}
}

// note is a message from a websocket: an answer or a notification.
type note struct {
	answerTo
	Method string
	Params struct {
		Subscription uint64
		Result       struct {
			Slot, Parent, Root uint64
			Context            struct{ Slot uint64 }
			Value              struct {
				Signature string
				Err       json.RawMessage
				Logs      []string
			}
		}
	}
}

// receive reads the next message; the error is the socket's.
func receive(t testing.TB, conn *websocket.Conn) (note, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, text, err := conn.Read(ctx)
	if err != nil {
		return note{}, err
	}
	var n note
	if err := json.Unmarshal(text, &n); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return n, nil
}

func mustReceive(t testing.TB, conn *websocket.Conn) note {
	t.Helper()
	n, err := receive(t, conn)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// subscribe sends a subscription and gives its id.
func subscribe(t testing.TB, conn *websocket.Conn, method, params string) uint64 {
	t.Helper()
	send(t, conn, fmt.Sprintf(`{"jsonrpc":"2.0","id":5,"method":%q,"params":%s}`, method, params))
	n := mustReceive(t, conn)
	var id uint64
	if n.Error != nil || json.Unmarshal(n.Result, &id) != nil || string(n.ID) != "5" {
		t.Fatalf("%s %s answers %+v", method, params, n.answerTo)
	}
	return id
}

func (c *Chain) mentions(level string) string {
	return fmt.Sprintf(`[{"mentions":[%q]},{"commitment":%q}]`, c.Program(), level)
}

func advance(t testing.TB, c *Chain, n int) {
	t.Helper()
	for range n {
		if err := c.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
