//go:build sim

package sim

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"

	"minesaudit/internal/decode"
	"minesaudit/internal/emitted"
	"minesaudit/internal/ingest"
	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// watcher is a daemon with its record and the nodes that it asks. The daemon can
// be stopped and started; the others stay.
type watcher struct {
	side   *side
	nodes  []served
	record *database
	cpi    bool

	daemon *ingest.Daemon // nil: it is not running
	cancel context.CancelFunc
	done   chan error
}

// served is a node of the chain under an address of its own.
type served struct {
	*simchain.Node
	server *httptest.Server
	ears   *ears
}

func newWatcher(chain *simchain.Chain, i int, s *schedule, record *database) (*watcher, error) {
	w := &watcher{side: &s.sides[i], record: record, cpi: s.chain.CPI}
	for j := range w.side.nodes {
		n, ears := chain.Node(nodeIndex(i, j)), newEars()
		if err := n.Faults.Inject(w.side.nodes[j].seed, w.side.nodes[j].faults...); err != nil {
			w.close()
			return nil, err
		}
		if w.side.nodes[j].down {
			n.Faults.Down()
		}
		w.nodes = append(w.nodes, served{n, httptest.NewServer(ears.before(n.Handler())), ears})
	}
	return w, nil
}

// start runs the daemon. It does nothing where one runs.
func (w *watcher) start(program string) error {
	if w.daemon != nil {
		return nil
	}
	st, err := store.Open(w.record.dsn)
	if err != nil {
		return err
	}
	reg := prometheus.NewRegistry()
	metrics := rpc.NewMetrics(reg)
	pool, live, err := w.connect(program, metrics)
	if err != nil {
		return err
	}
	where := decode.InLogs
	if w.cpi {
		where = decode.InCPI
	}
	reader, err := decode.NewReader(program, decode.BuiltinLayout(), where, false)
	if err != nil {
		return err
	}
	key, err := rpc.ParseKey(program)
	if err != nil {
		return err
	}
	cfg := ingest.Config{
		Program: key, ProfileHash: "sim", Rules: verify.DefaultRules(), Live: rpc.Confirmed, Interval: 20 * time.Millisecond,
		Nodes: pool, Stream: live, Sample: w.side.sample, Reader: emitted.Reader{Reader: reader}, Store: st,
		Metrics: ingest.NewMetrics(reg), Log: zap.NewNop(),
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.daemon, w.cancel, w.done = ingest.New(cfg), cancel, make(chan error, 1)
	go func() {
		err := w.daemon.Run(ctx)
		st.Close()
		pool.Close()
		w.done <- err
	}()
	return nil
}

// connect gives the nodes that a daemon asks and listens to: its own, by name, with
// the parts that it gives them.
func (w *watcher) connect(program string, metrics *rpc.Metrics) (*rpc.Pool, *rpc.Live, error) {
	cfg := rpc.PoolConfig{Metrics: metrics, LookEvery: 20 * time.Millisecond, LeaveFor: 50 * time.Millisecond}
	for j := range w.nodes {
		url := w.nodes[j].server.URL
		cfg.Providers = append(cfg.Providers, rpc.Provider{
			Client: rpc.Config{Name: nodeName(j), Timeout: time.Second}, Roles: w.side.nodes[j].roles,
			Ends: rpc.Endpoints{RPC: url, WS: "ws" + strings.TrimPrefix(url, "http")},
		})
	}
	pool, err := rpc.NewPool(cfg)
	if err != nil {
		return nil, nil, err
	}
	live, err := pool.Live(rpc.StreamConfig{
		Program: program, BackoffInitial: 5 * time.Millisecond, BackoffMax: 50 * time.Millisecond,
		StallAfter: 400 * time.Millisecond, AckTimeout: time.Second,
	})
	if err != nil {
		pool.Close()
	}
	return pool, live, err
}

var errStopped = errors.New("the daemon ended by itself")

// stop ends the daemon, which saves what it has heard.
func (w *watcher) stop() error {
	if w.daemon == nil {
		return nil
	}
	w.cancel()
	err := <-w.done
	w.daemon = nil
	if err != nil {
		return fmt.Errorf("%w: %w", errStopped, err)
	}
	return nil
}

// close ends everything but the record.
func (w *watcher) close() {
	_ = w.stop()
	for _, n := range w.nodes {
		n.DropSockets()
		n.server.CloseClientConnections()
		n.server.Close()
	}
}

var errBehind = errors.New("the daemon does not get there")

// await waits until a condition of the daemon's holds.
func (w *watcher) await(ctx context.Context, what string, ok func(ingest.Status) bool) error {
	for {
		s := w.daemon.Status()
		if ok(s) {
			return nil
		}
		select {
		case err := <-w.done:
			w.done <- err
			return fmt.Errorf("%w: %v", errStopped, err)
		case <-ctx.Done():
			return fmt.Errorf("%w (%s): %+v", errBehind, what, s)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// passes waits until the frontier has come to a slot.
func (w *watcher) passes(ctx context.Context, slot uint64) error {
	return w.await(ctx, fmt.Sprintf("slot %d", slot), func(s ingest.Status) bool {
		return s.FrontierSlot != nil && *s.FrontierSlot >= int64(slot)
	})
}

// examined waits until all that was to be held against a second node has been.
func (w *watcher) examined(ctx context.Context) error {
	if !w.side.several() {
		return nil
	}
	return w.record.conn(ctx, func(conn *pgx.Conn) error {
		return w.await(ctx, "everything examined", func(ingest.Status) bool {
			// In this order: what is looked at again waits before it is no longer noted.
			var noted bool
			err := conn.QueryRow(ctx, `select exists (select from audit.unchecked)`).Scan(&noted)
			s := w.daemon.Status()
			return err == nil && !noted && (s.Examined == nil || s.Examined.Backlog == 0)
		})
	})
}
