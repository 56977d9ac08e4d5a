package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest"

	"minesaudit/internal/decode"
	"minesaudit/internal/emitted"
	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
	"minesaudit/internal/store/storetest"
	"minesaudit/internal/verify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.M{M: m}) }

// patience bounds every wait, for a machine under heavy load.
const patience = 2 * time.Minute

// node is a simulated chain that is served over real sockets.
type node struct {
	chain *simchain.Chain
	cpi   bool
	url   string
	calls *counter
}

// counter counts JSON-RPC calls by method.
type counter struct {
	mu     sync.Mutex
	n      map[string]int
	bodies []string // of calls for a transaction, in order
}

func (c *counter) add(body string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range []string{"getTransaction", "getSignaturesForAddress", "getSlot", "getSignatureStatuses"} {
		if strings.Contains(body, `"`+m+`"`) {
			c.n[m]++
		}
	}
	if strings.Contains(body, `"getTransaction"`) {
		c.bodies = append(c.bodies, body)
	}
}

// asked lists the signatures of the transactions that were asked for, in order.
func (c *counter) asked(t *testing.T) (names []string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, body := range c.bodies {
		var call struct{ Params []json.RawMessage }
		if err := json.Unmarshal([]byte(body), &call); err != nil || len(call.Params) == 0 {
			t.Fatalf("%s: %v", body, err)
		}
		names = append(names, string(call.Params[0]))
	}
	return names
}

func (c *counter) of(method string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n[method]
}

// quick is a chain that plays its games in a second or two.
func quick(games int, cheats string) simchain.Config {
	list, err := simchain.ParseCheats(cheats)
	if err != nil {
		panic(err)
	}
	return simchain.Config{
		Seed: 42, Games: games, Rate: 150, SlotTime: 20 * time.Millisecond, FinalitySlots: 10, Cheats: list,
		WaitForSubscriber: true,
	}
}

// serve makes a chain and serves it; play must be called for blocks to come.
func serve(t *testing.T, cfg simchain.Config) *node {
	t.Helper()
	chain, err := simchain.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	n := &node{chain: chain, cpi: cfg.CPI, calls: &counter{n: map[string]int{}}}
	handler := chain.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			r.Body = n.calls.tee(r.Body)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		chain.DropSockets()
		server.CloseClientConnections()
		server.Close()
	})
	n.url = server.URL
	return n
}

// play runs the chain until the test ends.
func (n *node) play(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- n.chain.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the chain stopped: %v", err)
		}
	})
}

// reader reads the chain's events from where it emits them.
func (n *node) reader(t *testing.T) emitted.Reader {
	t.Helper()
	where := decode.InLogs
	if n.cpi {
		where = decode.InCPI
	}
	reader, err := decode.NewReader(n.chain.Program(), decode.BuiltinLayout(), where, false)
	if err != nil {
		t.Fatal(err)
	}
	return emitted.Reader{Reader: reader}
}

// listen subscribes to the chain's logs until the test ends, so that it plays
// without a daemon.
func (n *node) listen(t *testing.T) {
	t.Helper()
	stream := rpc.NewStream(rpc.StreamConfig{URL: "ws" + strings.TrimPrefix(n.url, "http"), Program: n.chain.Program()})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- stream.Run(ctx) }()
	go func() {
		for range stream.Items() {
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
}

// watcher is a daemon under test.
type watcher struct {
	*Daemon
	registry *prometheus.Registry
	dsn      string
	cancel   context.CancelFunc
	done     chan error
}

// watch starts a daemon on a database. change may alter its configuration.
func watch(t *testing.T, n *node, dsn string, change ...func(*Config)) *watcher {
	t.Helper()
	st, err := store.Open(dsn)
	if err != nil {
		t.Fatal(err)
	}
	reg := prometheus.NewRegistry()
	metrics := rpc.NewMetrics(reg)
	client, err := rpc.NewClient(rpc.Config{URL: n.url, Metrics: metrics, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	program, err := rpc.ParseKey(n.chain.Program())
	if err != nil {
		t.Fatal(err)
	}
	stream := rpc.NewStream(rpc.StreamConfig{
		URL: "ws" + strings.TrimPrefix(n.url, "http"), Program: n.chain.Program(), Metrics: metrics,
		BackoffInitial: 10 * time.Millisecond, BackoffMax: 100 * time.Millisecond, StallAfter: 2 * time.Second,
	})
	cfg := Config{
		Program: program, ProfileHash: "test", Rules: verify.DefaultRules(), Live: rpc.Confirmed, Interval: 50 * time.Millisecond,
		Nodes: rpc.Single(client), Stream: stream, Reader: n.reader(t), Store: st, Metrics: NewMetrics(reg), Log: zaptest.NewLogger(t, zaptest.Level(logLevel())),
	}
	for _, c := range change {
		c(&cfg)
	}
	w := &watcher{Daemon: New(cfg), registry: reg, dsn: dsn, done: make(chan error, 1)}
	w.RegisterGauges(reg)
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	go func() {
		w.done <- w.Run(ctx)
		st.Close()
		client.Close()
	}()
	t.Cleanup(func() { w.stop(t) })
	return w
}

// stop ends the daemon and waits for it. Later calls do nothing.
func (w *watcher) stop(t *testing.T) {
	t.Helper()
	if w.done == nil {
		return
	}
	w.cancel()
	if err := w.wait(t); err != nil {
		t.Errorf("the daemon ended with: %v", err)
	}
}

// wait gives what Run returned.
func (w *watcher) wait(t *testing.T) error {
	t.Helper()
	select {
	case err := <-w.done:
		w.done = nil
		return err
	case <-time.After(patience):
		t.Fatal("the daemon does not end")
		return nil
	}
}

// until waits for a condition of the daemon's.
func (w *watcher) until(t *testing.T, what string, ok func(Status) bool) {
	t.Helper()
	eventually(t, what, func() bool { return ok(w.Status()) })
}

// catchUp waits until every game has ended and the frontier has passed it.
func (w *watcher) catchUp(t *testing.T, n *node) {
	t.Helper()
	select {
	case <-n.chain.Done():
	case <-time.After(patience):
		t.Fatal("the games do not end")
	}
	last := int64(n.chain.FinalizedSlot())
	w.until(t, "the frontier passes the last game", func(s Status) bool { return s.FrontierSlot != nil && *s.FrontierSlot >= last })
}

// outcomes reads the record's verdicts by game.
func outcomes(t *testing.T, dsn string) map[string]store.Outcome {
	t.Helper()
	st, err := store.Open(dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	got := make(map[string]store.Outcome)
	err = st.EachOutcome(context.Background(), func(o store.Outcome) {
		got[rpc.KeyString(o.Game)+" "+rpc.KeyString(o.User)+" "+o.Nonce] = o
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// agree holds the record against what the chain knows: every game has the
// verdict of a perfect auditor, with exactly the checks failed that must.
func agree(t *testing.T, n *node, dsn string) {
	t.Helper()
	got := outcomes(t, dsn)
	for _, truth := range n.chain.Truth() {
		name := truth.Game + " " + truth.User + " " + truth.Nonce
		o, found := got[name]
		delete(got, name)
		if !found {
			t.Errorf("game %s (%s) is not in the record", name, truth.Cheat)
			continue
		}
		var failed []string
		for c, r := range o.Results {
			if r == verify.ResultFail {
				failed = append(failed, verify.Check(c).String())
			}
		}
		want := slices.Sorted(slices.Values(truth.Fails))
		slices.Sort(failed)
		if o.Verdict.String() != truth.Verdict || !slices.Equal(failed, want) || !o.Finalized {
			t.Errorf("game %s (%q): verdict %s, failed %v, finalized %v; want %s, %v", name, truth.Cheat, o.Verdict, failed, o.Finalized, truth.Verdict, want)
		}
	}
	for name, o := range got {
		t.Errorf("game %s has verdict %s and was never played", name, o.Verdict)
	}
	storetest.Consistent(t, dsn)
}

func database(t *testing.T) string { return pgtest.URL(t) }

// logLevel shows the daemon's log only where TEST_LOG asks for it.
func logLevel() zapcore.Level {
	if os.Getenv("TEST_LOG") != "" {
		return zapcore.DebugLevel
	}
	return zapcore.FatalLevel
}

// tee counts a request's methods on the way.
func (c *counter) tee(body io.ReadCloser) io.ReadCloser {
	text, err := io.ReadAll(body)
	_ = body.Close()
	if err == nil {
		c.add(string(text))
	}
	return io.NopCloser(bytes.NewReader(text))
}

// gaps counts the gaps on record for a reason.
func gaps(t *testing.T, dsn, reason string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if err := conn.QueryRow(context.Background(), `select count(*) from audit.gap where reason = $1`, reason).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// eventually waits for a condition that nothing signals.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}
