package backfill

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest"

	"minesaudit/internal/decode"
	"minesaudit/internal/emitted"
	"minesaudit/internal/ingest"
	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.M{M: m}) }

// patience bounds every wait, for a machine under heavy load.
const patience = 2 * time.Minute

func bounded(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// played is a simulated chain whose games are over, and its node.
type played struct {
	chain   *simchain.Chain
	program [32]byte
	genesis [32]byte
	cpi     bool
	url     string
	final   int64 // the finalized slot at the end

	mu    sync.Mutex
	calls map[string]int // requests by method, those of a batch each
	sent  []time.Time    // of every request
	deny  atomic.Bool    // batches are refused
}

// play plays a chain to its end and serves it.
func play(t testing.TB, cfg simchain.Config, cheats string) *played {
	t.Helper()
	p := begin(t, cfg, cheats)
	p.toTheEnd(t)
	p.final = int64(p.chain.FinalizedSlot())
	return p
}

// toTheEnd plays slots at once until every game has ended.
func (p *played) toTheEnd(t testing.TB) {
	t.Helper()
	p.until(t, func() bool {
		select {
		case <-p.chain.Done():
			return true
		default:
			return false
		}
	})
}

// until plays slots at once.
func (p *played) until(t testing.TB, over func() bool) {
	t.Helper()
	for !over() {
		if err := p.chain.Step(bounded(t)); err != nil {
			t.Fatal(err)
		}
	}
}

// goOn plays slots as they come until the test ends.
func (p *played) goOn(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.chain.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the chain stopped: %v", err)
		}
	})
}

// begin serves a simulated chain on which nothing has happened yet.
func begin(t testing.TB, cfg simchain.Config, cheats string) *played {
	t.Helper()
	var err error
	cfg.Seed, cfg.SlotTime, cfg.FinalitySlots, cfg.GamesPerSlot = 42, 20*time.Millisecond, 10, 10
	if cfg.Cheats, err = simchain.ParseCheats(cheats); err != nil {
		t.Fatal(err)
	}
	p := &played{cpi: cfg.CPI, calls: map[string]int{}}
	if p.chain, err = simchain.New(cfg); err != nil {
		t.Fatal(err)
	}
	p.program, p.genesis = key(t, p.chain.Program()), key(t, p.chain.Genesis())
	handler := p.chain.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			p.count(string(body))
			if p.deny.Load() && strings.HasPrefix(string(body), "[") {
				http.Error(w, "no batches", http.StatusBadRequest)
				return
			}
			r.Body = io.NopCloser(strings.NewReader(string(body)))
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		p.chain.DropSockets()
		server.CloseClientConnections()
		server.Close()
	})
	p.url = server.URL
	return p
}

func key(t testing.TB, text string) [32]byte {
	t.Helper()
	k, err := rpc.ParseKey(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func (p *played) count(body string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, method := range []string{"getTransaction", "getSignaturesForAddress"} {
		n := strings.Count(body, `"`+method+`"`)
		p.calls[method] += n
		for range n {
			p.sent = append(p.sent, time.Now())
		}
	}
}

// called gives how often a method was called since it was last asked.
func (p *played) called(method string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.calls[method]
	p.calls[method] = 0
	return n
}

func (p *played) reader(t testing.TB) emitted.Reader {
	t.Helper()
	where := decode.InLogs
	if p.cpi {
		where = decode.InCPI
	}
	reader, err := decode.NewReader(p.chain.Program(), decode.BuiltinLayout(), where, false)
	if err != nil {
		t.Fatal(err)
	}
	return emitted.Reader{Reader: reader}
}

func (p *played) client(t testing.TB) *rpc.Client {
	t.Helper()
	client, err := rpc.NewClient(rpc.Config{URL: p.url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// record is a database that history is read into.
type record struct {
	*store.Store
	dsn   string
	queue *Queue
	sql   *pgx.Conn
}

// bound makes a record that a daemon began when the games were over.
func (p *played) bound(t testing.TB) *record {
	t.Helper()
	r := p.unbound(t)
	w, err := r.OpenWriter(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Bind(bounded(t), store.Watch{
		Genesis: p.genesis, Program: p.program, ProfileHash: "test",
		AuditedFrom: p.final + 1, Frontier: p.final, Head: p.final,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(bounded(t)); err != nil {
		t.Fatal(err)
	}
	return r
}

// unbound makes a record that no daemon has seen.
func (p *played) unbound(t testing.TB) *record {
	t.Helper()
	r := &record{dsn: pgtest.URL(t)}
	var err error
	if r.Store, err = store.Open(r.dsn); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	if _, err := r.Migrate(bounded(t)); err != nil {
		t.Fatal(err)
	}
	if r.queue, err = OpenQueue(r.Store); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.queue.Close)
	if err := r.queue.Migrate(bounded(t)); err != nil {
		t.Fatal(err)
	}
	if r.sql, err = pgx.Connect(bounded(t), r.dsn); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.sql.Close(context.Background()) })
	return r
}

func scan[T any](t testing.TB, r *record, sql string, args ...any) (v T) {
	t.Helper()
	if err := r.sql.QueryRow(bounded(t), sql, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// follow runs a daemon on a record until the test or stop ends it.
func (p *played) follow(t testing.TB, r *record, from ingest.From, change ...func(*ingest.Config)) (d *ingest.Daemon, stop func()) {
	t.Helper()
	cfg := ingest.Config{
		Program: p.program, ProfileHash: "test", Rules: verify.DefaultRules(), Live: rpc.Confirmed, Interval: 50 * time.Millisecond,
		Nodes: rpc.Single(p.client(t)), Stream: rpc.NewStream(rpc.StreamConfig{URL: "ws" + strings.TrimPrefix(p.url, "http"), Program: p.chain.Program()}),
		Reader: p.reader(t), Store: r.Store, Metrics: ingest.NewMetrics(prometheus.NewRegistry()), Log: zap.NewNop(), From: from,
	}
	for _, c := range change {
		c(&cfg)
	}
	d = ingest.New(cfg)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the daemon: %v", err)
		}
	})
	t.Cleanup(stop)
	return d, stop
}

// walked is the record that a daemon makes by walking all of history by itself.
func (p *played) walked(t testing.TB) *record {
	t.Helper()
	r := p.unbound(t)
	d, stop := p.follow(t, r, ingest.From{})
	eventually(t, "the walk reaches the end", func() bool {
		s := d.Status()
		return s.FrontierSlot != nil && *s.FrontierSlot >= p.final
	})
	stop()
	return r
}

func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("in vain: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// planner makes jobs of a record.
func (p *played) planner(t testing.TB, r *record) *Planner {
	t.Helper()
	budget := &Budget{Store: r.Store, Node: "test"}
	return &Planner{
		Queue: r.queue, Store: r.Store, Nodes: rpc.Single(p.client(t)), Program: p.chain.Program(),
		Budget: func(string) *Budget { return budget },
	}
}

// workers are one process that works a record's jobs.
func (p *played) workers(t testing.TB, r *record, change ...func(*Workers)) *Workers {
	t.Helper()
	budget := &Budget{Store: r.Store, Node: "test"}
	w := &Workers{
		Queue: r.queue, Store: r.Store, Nodes: rpc.Single(p.client(t)), Program: p.chain.Program(), Batch: 50, Pages: 2,
		History: &ingest.History{Reader: p.reader(t), Standard: ingest.Standard{Layout: decode.BuiltinLayout(), Rules: verify.DefaultRules()}},
		Budget:  func(string) *Budget { return budget },
		Log:     zaptest.NewLogger(t, zaptest.Level(zap.ErrorLevel)),
	}
	for _, c := range change {
		c(w)
	}
	return w
}

// start runs workers until the test or stop ends them.
func start(t testing.TB, w *Workers) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the workers: %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// ledger is the first slot of a simulated chain.
const ledger = 250_000_000

// all is everything up to the frontier.
func (p *played) all() store.Span { return store.Span{From: ledger, To: p.final} }

func (r *record) done(t testing.TB) bool {
	t.Helper()
	left, err := r.queue.Left(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	return left.Pages == 0
}

// work works all jobs off.
func work(t testing.TB, r *record, w *Workers) {
	t.Helper()
	stop := start(t, w)
	defer stop()
	eventually(t, "all pages are read", func() bool { return r.done(t) })
}
