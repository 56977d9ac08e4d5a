package main

import (
	"context"
	stdlog "log"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.uber.org/zap"

	"minesaudit/internal/api"
	"minesaudit/internal/config"
	"minesaudit/internal/ingest"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// awaitSecond is how long the record waits for a second node that cannot be asked: a
// node that refuses some calls is left for ten seconds at first.
const awaitSecond = time.Minute

// watcher is a daemon with everything it needs, as run and demo use it.
type watcher struct {
	daemon *ingest.Daemon
	store  *store.Store
	nodes  *rpc.Pool
	server *api.Server
	past   *past // nil: the daemon reads no history beside what it follows
}

// newWatcher wires a daemon and begins to serve its API. Nothing is asked of
// the node or the database yet. What the API tells of errors passes the
// redactor. onVerdict may be nil.
func newWatcher(s *config.Settings, dsn string, redactor *config.Redactor, log *zap.Logger, onVerdict func(*store.Game, *store.Verdict)) (*watcher, error) {
	reg := prometheus.NewRegistry()
	reg.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	registerBuild(reg)
	metrics := rpc.NewMetrics(reg)
	reader, err := formOf(&s.Profile).Reader(s.Program)
	if err != nil {
		return nil, usage(err)
	}
	w := &watcher{}
	if w.nodes, err = newPool(s.AllNodes(), followingAtOnce+pageAtOnce*s.BackfillWorkers, metrics); err != nil {
		return nil, usage(redactor.Error(err))
	}
	stream, err := w.nodes.Live(rpc.StreamConfig{
		Program: s.Program, Commitment: rpc.Commitment(s.Commitment), Metrics: metrics,
		QueueWait: 20 * time.Second, // a checkpoint of the database can take as long; the node may give up before
		OnEnd: func(e rpc.End) {
			log.Debug("connection ended", zap.String("reason", string(e.Reason)), zap.Bool("was_up", e.WasUp), zap.Duration("next_try_in", e.Wait), zap.Error(e.Err))
		},
	})
	if err != nil {
		w.close()
		return nil, usage(err)
	}
	if w.store, err = store.Open(dsn); err != nil {
		w.close()
		return nil, usage(err)
	}
	ceiling := s.Profile.VoidRateCeiling
	cfg := ingest.Config{
		Program: s.ProgramKey, ProfileHash: s.Profile.Hash(), VoidCeiling: &ceiling, Rules: s.Profile.Rules(),
		From: ingest.From{Now: s.From.Kind == config.FromNow, Slot: s.From.Slot},
		Live: rpc.Commitment(s.Commitment), Interval: s.ReconcileInterval,
		Nodes: w.nodes, Sample: s.CheckShare, AwaitSecond: awaitSecond, Stream: stream, Reader: reader, Store: w.store, Metrics: ingest.NewMetrics(reg), Log: log,
		KeepSuperseded: s.KeepSuperseded, KeepEventless: s.KeepForeign,
		OnVerdict: onVerdict,
	}
	if s.BackfillWorkers > 0 {
		if w.past, err = newPast(s, w, log); err != nil {
			w.close()
			return nil, usage(err)
		}
		cfg.Beside, cfg.Waiting = w.past.run, w.past.waiting
	}
	w.daemon = ingest.New(cfg)
	w.daemon.RegisterGauges(reg)
	faults := zap.NewStdLog(log)
	if w.server, err = api.Listen(s.Listen, api.Handler(w.source(redactor, reg, faults, s.PProf)), faults); err != nil {
		w.close()
		return nil, usage(err)
	}
	return w, nil
}

// source is what the API shows. Errors in it come from nodes and drivers and
// leave through the redactor.
func (w *watcher) source(redactor *config.Redactor, reg prometheus.Gatherer, faults *stdlog.Logger, profiles bool) api.Source {
	return api.Source{
		Turned:  w.daemon.Turned,
		Ready:   func(ctx context.Context) error { return redactor.Error(w.store.Ready(ctx)) },
		Status:  func() any { return redactor.JSON(w.daemon.Status()) },
		Metrics: reg, Log: faults, Profiles: profiles,
	}
}

// run follows the program until ctx ends.
func (w *watcher) run(ctx context.Context) error { return w.daemon.Run(ctx) }

func (w *watcher) close() {
	if w.server != nil {
		_ = w.server.Close()
	}
	if w.past != nil {
		w.past.queue.Close()
	}
	if w.store != nil {
		w.store.Close()
	}
	if w.nodes != nil {
		w.nodes.Close()
	}
}
