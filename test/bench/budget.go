//go:build bench

package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

const (
	// budgetRate is the calls a second that two workers together are given: what a
	// public node bears.
	budgetRate = 4
	// budgetWindow is counted from the first call on.
	budgetWindow = time.Minute
)

// Budget counts the calls that two workers make of a node that bears few of them.
func (b *Bench) Budget(ctx context.Context) error {
	c, err := b.playedChain(ctx, 2000) // a history of a quarter of an hour
	if err != nil {
		return fmt.Errorf("budget: %w", err)
	}
	defer c.stop()
	db, err := b.bound(ctx, c)
	if err != nil {
		return fmt.Errorf("budget: %w", err)
	}
	planned := exec.CommandContext(ctx, b.bin, "backfill", "--database-url", db.url, "--rpc-url", c.rpc,
		"--from-slot", strconv.Itoa(firstSlot), "--enqueue-only")
	if out, err := planned.CombinedOutput(); err != nil {
		return fmt.Errorf("budget: plan: %w\n%s", err, out)
	}
	calls, err := countCalls(c.rpc)
	if err != nil {
		return fmt.Errorf("budget: %w", err)
	}
	defer calls.server.Close()
	var workers []*process
	for n := range 2 {
		w, err := start(exec.Command(b.bin, "worker", "--database-url", db.url, "--rpc-url", calls.server.URL,
			"--rpc-rate", strconv.Itoa(budgetRate), "--node", "few"), b.logFile(fmt.Sprintf("worker%d", n)))
		if err != nil {
			return fmt.Errorf("budget: %w", err)
		}
		defer w.stop()
		workers = append(workers, w)
	}
	made := 0
	err = await(ctx, "a minute of calls is over", 100*time.Millisecond, 2*budgetWindow, workers, func() (over bool, err error) {
		made, over = calls.within(budgetWindow)
		return over, nil
	})
	if err != nil {
		return fmt.Errorf("budget: %w", err)
	}
	share := float64(made) / (budgetRate * budgetWindow.Seconds())
	r := &b.Report
	r.Figure("budget: calls of two workers in a minute", "calls", float64(made))
	r.AtMost("budget: calls made / calls allowed", share, 1.05)
	r.AtLeast("budget: calls made / calls allowed, at least", share, 0.95)
	return b.drop(ctx, db)
}

// callCounter stands before a node and counts the calls that come.
type callCounter struct {
	server *httptest.Server
	mu     sync.Mutex
	came   []time.Time // a call each, one of a batch too
}

func countCalls(node string) (*callCounter, error) {
	to, err := url.Parse(node)
	if err != nil {
		return nil, err
	}
	c := &callCounter{}
	proxy := httputil.NewSingleHostReverseProxy(to)
	c.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		c.add(body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	return c, nil
}

func (c *callCounter) add(body []byte) {
	n := 1
	var batch []json.RawMessage
	if json.Unmarshal(body, &batch) == nil {
		n = len(batch)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for range n {
		c.came = append(c.came, time.Now())
	}
}

// within counts the calls of a time from the first one on, once that is over.
func (c *callCounter) within(window time.Duration) (n int, over bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.came) == 0 || time.Since(c.came[0]) < window {
		return 0, false
	}
	for _, at := range c.came {
		if at.Sub(c.came[0]) < window {
			n++
		}
	}
	return n, true
}
