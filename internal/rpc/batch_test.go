package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// batchNode answers batches by way of scripted, which gets the ids asked for.
func batchNode(t *testing.T, answer func(w http.ResponseWriter, ids []int)) *Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked []struct {
			ID     int    `json:"id"`
			Method string `json:"method"`
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Errorf("the request is no batch: %v", err)
		}
		var ids []int
		for _, a := range asked {
			if a.Method != methodTransaction {
				t.Errorf("method %s", a.Method)
			}
			ids = append(ids, a.ID)
		}
		answer(w, ids)
	}))
	t.Cleanup(server.Close)
	c, err := NewClient(Config{URL: server.URL + "/key-of-mine", MaxBody: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func batchNames(n int) [][64]byte {
	names := make([][64]byte, n)
	for i := range names {
		names[i] = [64]byte{byte(i + 1)}
	}
	return names
}

// minimal is a transaction whose own bytes cannot be read: then it is what was asked for.
func minimal(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"slot":%d,"transaction":null,"meta":{"err":null,"logMessages":["a"]}}}`, id, 100+id)
}

// A batch's answers may come in any order, with faults of single ones among them.
func TestABatchIsAnsweredItemByItem(t *testing.T) {
	t.Parallel()
	c := batchNode(t, func(w http.ResponseWriter, ids []int) {
		slices.Reverse(ids)
		var out []string
		for _, id := range ids {
			switch id {
			case 1:
				out = append(out, `{"jsonrpc":"2.0","id":1,"result":null}`)
			case 2:
				out = append(out, `{"jsonrpc":"2.0","id":2,"error":{"code":-32015,"message":"too new"}}`)
			case 3: // nothing is said of it
			case 4:
				out = append(out, `{"jsonrpc":"2.0","id":4,"result":{"noslot":1}}`)
			default:
				out = append(out, minimal(id))
			}
		}
		out = append(out, `{"jsonrpc":"2.0","id":99,"result":{}}`, `{"jsonrpc":"2.0","id":-1,"result":{}}`)
		_, _ = fmt.Fprintf(w, "[%s]", strings.Join(out, ","))
	})
	names := batchNames(6)
	found, err := c.Transactions(t.Context(), names, Finalized)
	if err != nil {
		t.Fatal(err)
	}
	want := []Class{0, NotFound, UnsupportedVersion, Unavailable, Unavailable, 0}
	for i, f := range found {
		if ClassOf(f.Err) != want[i] || (f.Err == nil) != (f.Tx != nil) {
			t.Errorf("item %d: %v, want class %v", i, f.Err, want[i])
		}
		if f.Tx != nil && (f.Tx.Slot != uint64(100+i) || f.Tx.Signature != names[i] || len(f.Tx.Answer) == 0) {
			t.Errorf("item %d is the transaction of slot %d", i, f.Tx.Slot)
		}
	}
}

// What a node says to a whole batch tells a batch that is not taken from one that may
// be sent again.
func TestARefusedBatchSaysWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		status int
		header string
		body   string
		want   Class
	}{
		{"one error for all", 200, "", `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}`, Invalid},
		{"a list of one error", 200, "", `[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}]`, Invalid},
		{"one answer", 200, "", minimal(0), Invalid},
		{"too long", 413, "", "<html>", Invalid},
		{"bad request", 400, "", "", Invalid},
		{"rate", 429, "7", "", RateLimited},
		{"rate by code", 200, "", `{"jsonrpc":"2.0","id":null,"error":{"code":429,"message":"slow down"}}`, RateLimited},
		{"down", 503, "", "<html>", Unavailable},
		{"page", 200, "", "<html>key-of-mine", Unavailable},
		{"cut short", 200, "", "[" + minimal(0) + ",", Unavailable},
		{"longer than the limit", 200, "", "[" + strings.Repeat(" ", 1<<20) + "]", Invalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			client := batchNode(t, func(w http.ResponseWriter, _ []int) {
				if c.header != "" {
					w.Header().Set("Retry-After", c.header)
				}
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			})
			found, err := client.Transactions(t.Context(), batchNames(3), Finalized)
			if ClassOf(err) != c.want || found != nil {
				t.Errorf("%v (%v), want class %v", err, found, c.want)
			}
			if err != nil && strings.Contains(err.Error(), "key-of-mine") {
				t.Errorf("the key is told: %v", err)
			}
			if e := (*Error)(nil); c.header != "" && (!errors.As(err, &e) || e.RetryAfter != 7*time.Second) {
				t.Errorf("the wish to be left alone is lost: %v", err)
			}
		})
	}
}

// Each item counts against the budget, as the node counts it.
func TestABatchWaitsForAllItsTurns(t *testing.T) {
	t.Parallel()
	sent := 0
	c := batchNode(t, func(w http.ResponseWriter, _ []int) { sent++; _, _ = w.Write([]byte("[]")) })
	limited, err := newBudget(0.001, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.budget = limited
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := c.Transactions(ctx, batchNames(2), Finalized); ClassOf(err) != Canceled || sent != 0 {
		t.Errorf("%v after %d requests; the second item's turn is far off", err, sent)
	}
	if len(c.turns) != 0 {
		t.Error("a place among the requests in flight is lost")
	}
}
