//go:build sim

package sim

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"time"

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

// watcher is a daemon with its record and the node that it asks. The daemon can
// be stopped and started; the other two stay.
type watcher struct {
	side   *side
	node   *simchain.Node
	server *httptest.Server
	record *database
	cpi    bool

	daemon *ingest.Daemon // nil: it is not running
	cancel context.CancelFunc
	done   chan error
}

func newWatcher(chain *simchain.Chain, i int, s *schedule, record *database) (*watcher, error) {
	w := &watcher{side: &s.sides[i], node: chain.Node(i), record: record, cpi: s.chain.CPI}
	if err := w.node.Faults.Inject(w.side.seed, w.side.faults...); err != nil {
		return nil, err
	}
	w.server = httptest.NewServer(w.node.Handler())
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
		Nodes: pool, Stream: live, Reader: emitted.Reader{Reader: reader}, Store: st, Metrics: ingest.NewMetrics(reg), Log: zap.NewNop(),
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

// connect gives the nodes that a daemon asks and listens to: its own. Several, of
// which some may lie, are more providers of the pool.
func (w *watcher) connect(program string, metrics *rpc.Metrics) (*rpc.Pool, *rpc.Live, error) {
	pool, err := rpc.NewPool(rpc.PoolConfig{Metrics: metrics, Providers: []rpc.Provider{{
		Client: rpc.Config{Name: "node", Timeout: time.Second},
		Ends:   rpc.Endpoints{RPC: w.server.URL, WS: "ws" + strings.TrimPrefix(w.server.URL, "http")},
	}}})
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
	w.node.DropSockets()
	w.server.CloseClientConnections()
	w.server.Close()
}

var errBehind = errors.New("the frontier does not get there")

// await waits until the frontier has come to a slot.
func (w *watcher) await(ctx context.Context, slot uint64) error {
	for {
		s := w.daemon.Status()
		if s.FrontierSlot != nil && *s.FrontierSlot >= int64(slot) {
			return nil
		}
		select {
		case err := <-w.done:
			w.done <- err
			return fmt.Errorf("%w: %v", errStopped, err)
		case <-ctx.Done():
			return fmt.Errorf("%w (slot %d): %+v", errBehind, slot, s)
		case <-time.After(time.Millisecond):
		}
	}
}
