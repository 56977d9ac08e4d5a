package ingest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"minesaudit/internal/rpc"
)

// liar stands before a node and changes what it answers. lie gets a method and
// its result, and gives the result to send.
func liar(t *testing.T, n *node, lie func(method string, params []any, result any) any) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var ask struct {
			Method string `json:"method"`
			Params []any  `json:"params"`
		}
		_ = json.Unmarshal(body, &ask)
		resp, err := http.Post(n.url, "application/json", bytes.NewReader(body))
		if err != nil {
			http.Error(w, "the node is gone", http.StatusBadGateway)
			return
		}
		defer func() { _ = resp.Body.Close() }()
		decoder := json.NewDecoder(resp.Body)
		decoder.UseNumber()
		answer := map[string]any{}
		_ = decoder.Decode(&answer)
		if result, ok := answer["result"]; ok {
			answer["result"] = lie(ask.Method, ask.Params, result)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL
}

// through has a daemon ask the liar, and listen to the node itself.
func through(t *testing.T, url string) func(*Config) {
	t.Helper()
	return func(c *Config) {
		c.Nodes.Close()
		client, err := rpc.NewClient(rpc.Config{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
		c.Nodes = rpc.Single(client)
	}
}

func TestShortPagesAreNotTheEndOfHistory(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, "all"))
	n.chain.Faults.Withhold(1)
	url := liar(t, n, func(method string, _ []any, result any) any {
		if list, ok := result.([]any); ok && method == "getSignaturesForAddress" && len(list) > 40 {
			return list[:40]
		}
		return result
	})
	n.listen(t)
	n.play(t)
	<-n.chain.Done()
	w := watch(t, n, database(t), through(t, url))
	w.catchUp(t, n)
	agree(t, n, w.dsn)
}

func TestANodeThatIgnoresBeforeIsFoundOut(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, ""))
	n.chain.Faults.Withhold(1)
	var first atomic.Pointer[any]
	url := liar(t, n, func(method string, _ []any, result any) any {
		list, ok := result.([]any)
		if !ok || method != "getSignaturesForAddress" || len(list) < 60 {
			return result
		}
		page := any(list[:50])
		first.CompareAndSwap(nil, &page)
		return *first.Load()
	})
	n.listen(t)
	n.play(t)
	<-n.chain.Done()
	w := watch(t, n, database(t), through(t, url))
	w.until(t, "the fault is shown", func(s Status) bool { return !s.Node.OK })
	if s := w.Status(); s.FrontierSlot != nil {
		t.Errorf("the frontier moved to %d by a list that repeats itself", *s.FrontierSlot)
	}
}

func TestAFinalizedSlotFarAheadIsNotTaken(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(60, "all"))
	var lies atomic.Bool
	url := liar(t, n, func(method string, params []any, result any) any {
		if method == "getSlot" && lies.Load() {
			return 4_000_000_000_000
		}
		return result
	})
	w := watch(t, n, database(t), through(t, url))
	n.play(t)
	w.until(t, "following", func(s Status) bool { return s.FrontierSlot != nil && s.Connection.Up })
	lies.Store(true)
	w.until(t, "the lie is shown", func(s Status) bool { return !s.Node.OK })
	lies.Store(false)
	w.catchUp(t, n)
	if s := w.Status(); s.HeadSlot > 1_000_000_000_000 || *s.FrontierSlot > 1_000_000_000_000 {
		t.Errorf("head %d and frontier %d follow a slot that never was", s.HeadSlot, *s.FrontierSlot)
	}
	agree(t, n, w.dsn)
}
