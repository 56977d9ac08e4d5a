package reaudit

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
	"go.uber.org/zap"

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

// record is one that a daemon has made of a simulated chain.
type record struct {
	*store.Store
	dsn   string
	sql   *pgx.Conn
	chain *simchain.Chain
}

func bounded(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// play has a daemon audit a chain to its end, with the chain's cheats.
func play(t testing.TB, cfg simchain.Config, cheats string) *record {
	t.Helper()
	var err error
	cfg.Seed, cfg.Rate, cfg.SlotTime, cfg.FinalitySlots, cfg.WaitForSubscriber = 42, 150, 20*time.Millisecond, 10, true
	if cfg.Cheats, err = simchain.ParseCheats(cheats); err != nil {
		t.Fatal(err)
	}
	r := &record{dsn: pgtest.URL(t)}
	if r.chain, err = simchain.New(cfg); err != nil {
		t.Fatal(err)
	}
	if r.Store, err = store.Open(r.dsn); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	r.follow(t)
	if r.sql, err = pgx.Connect(bounded(t), r.dsn); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.sql.Close(context.Background()) })
	return r
}

// follow runs the chain and a daemon until every game is counted.
func (r *record) follow(t testing.TB) {
	t.Helper()
	server := httptest.NewServer(r.chain.Handler())
	defer server.Close()
	defer server.CloseClientConnections()
	defer r.chain.DropSockets()
	ctx, cancel := context.WithCancel(bounded(t))
	ended := make(chan error, 2)
	d := daemon(t, server.URL, r)
	go func() { ended <- r.chain.Run(ctx) }()
	go func() { ended <- d.Run(ctx) }()
	select {
	case <-r.chain.Done():
	case <-ctx.Done():
		t.Fatal("the games do not end")
	}
	last := int64(r.chain.FinalizedSlot())
	for {
		if s := d.Status(); s.FrontierSlot != nil && *s.FrontierSlot >= last {
			break
		}
		select {
		case err := <-ended:
			t.Fatalf("it ended before its time: %v", err)
		case <-time.After(2 * time.Millisecond):
		}
	}
	cancel()
	for range cap(ended) {
		if err := <-ended; err != nil {
			t.Errorf("chain or daemon: %v", err)
		}
	}
}

func daemon(t testing.TB, url string, r *record) *ingest.Daemon {
	t.Helper()
	registry := prometheus.NewRegistry()
	client, err := rpc.NewClient(rpc.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	program, err := rpc.ParseKey(r.chain.Program())
	if err != nil {
		t.Fatal(err)
	}
	events, err := decode.NewReader(r.chain.Program(), decode.BuiltinLayout(), decode.InLogs, false)
	if err != nil {
		t.Fatal(err)
	}
	return ingest.New(ingest.Config{
		Program: program, ProfileHash: "test", Rules: verify.DefaultRules(), Live: rpc.Confirmed, Interval: 50 * time.Millisecond,
		Nodes: rpc.Single(client), Stream: rpc.NewStream(rpc.StreamConfig{URL: "ws" + strings.TrimPrefix(url, "http"), Program: r.chain.Program()}),
		Reader: emitted.Reader{Reader: events}, Store: r.Store, Metrics: ingest.NewMetrics(registry), Log: zap.NewNop(),
	})
}

// standard is what the record was made by.
func standard() ingest.Standard {
	return ingest.Standard{Layout: decode.BuiltinLayout(), Rules: verify.DefaultRules()}
}

// again judges the whole record again.
func (r *record) again(t *testing.T, change ...func(*Options)) *Report {
	t.Helper()
	o := Options{Standard: standard(), Write: true, Most: 1000}
	for _, c := range change {
		c(&o)
	}
	report, err := Run(bounded(t), r.Store, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func (r *record) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	tag, err := r.sql.Exec(bounded(t), sql, args...)
	if err != nil {
		t.Fatal(err)
	}
	if tag.RowsAffected() == 0 {
		t.Fatalf("no rows: %s", sql)
	}
}

func scan[T any](t *testing.T, r *record, sql string, args ...any) (v T) {
	t.Helper()
	if err := r.sql.QueryRow(bounded(t), sql, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}
