package main

import (
	"context"
	"io"
	"strings"
	"sync"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"minesaudit/internal/backfill"
	"minesaudit/internal/config"
	"minesaudit/internal/ingest"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// history is what reads a record's history.
type history struct {
	db       *resultStore // nil before it is open
	watch    store.Watch
	queue    *backfill.Queue
	nodes    []config.Node
	pool     *rpc.Pool
	unwatch  func() // ends the comparison of nodes; nil before it began
	budget   func(node string) *backfill.Budget
	flags    *historyFlags
	program  string
	reader   ingest.History
	redactor *config.Redactor
	log      *zap.Logger
}

// prepare checks that record, profile and nodes go together.
func (h *history) prepare(ctx context.Context, to io.Writer, profile *config.Profile, only string, level zapcore.Level) (err error) {
	if h.watch, err = h.db.watched(ctx); err != nil {
		return err
	}
	if err := fits(profile, h.watch); err != nil {
		return err
	}
	if err := madeBy(profile, h.watch); err != nil {
		return usage(err)
	}
	h.program = rpc.KeyString(h.watch.Program)
	h.log = newLog(to, &config.Settings{Config: config.Default(), Level: level}, h.redactor)
	if h.reader, err = historyReader(profile, h.program); err != nil {
		return err
	}
	if h.queue, err = backfill.OpenQueue(h.db.store); err != nil {
		return usage(err)
	}
	if err := h.queue.Migrate(ctx); err != nil {
		return err
	}
	h.budget = budgets(h.db.store, h.nodes, only, 1)
	if err := backfill.Meet(ctx, h.pool, h.watch); err != nil {
		return err
	}
	h.compareNodes(ctx)
	return nil
}

// historyReader reads and judges history by a profile.
func historyReader(profile *config.Profile, program string) (ingest.History, error) {
	reader, err := formOf(profile).Reader(program)
	if err != nil {
		return ingest.History{}, usage(err)
	}
	return ingest.History{Reader: reader, Standard: ingest.Standard{Layout: profile.Layout, Rules: profile.Rules()}}, nil
}

// compareNodes has the pool compare chains and slots until close: of several nodes only
// those are read from that were seen to be of the record's chain.
func (h *history) compareNodes(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { _ = h.pool.Watch(ctx) }) // it ends with ctx, and never fails
	h.unwatch = func() {
		cancel()
		watching.Wait()
	}
}

// workers are this process's.
func (h *history) workers() *backfill.Workers {
	return &backfill.Workers{
		Queue: h.queue, Store: h.db.store, Nodes: h.pool, Program: h.program, History: &h.reader,
		Budget: h.budget, Batch: h.flags.Batch, Pages: h.flags.Pages, Log: h.log,
	}
}

func (h *history) planner() *backfill.Planner {
	return &backfill.Planner{Queue: h.queue, Store: h.db.store, Nodes: h.pool, Program: h.program, Budget: h.budget}
}

// pace is how many calls a second the node bears that is read from first, most of which
// are for transactions; 0 where no limit is known.
func (h *history) pace() float64 { return h.budget(h.nodes[0].Name).Pace("getTransaction") }

// queues lists the names under which rates are shared.
func (h *history) queues() string {
	names := make([]string, len(h.nodes))
	for i := range h.nodes {
		names[i] = h.budget(h.nodes[i].Name).Node
	}
	return strings.Join(names, ", ")
}

func (h *history) close() {
	if h.log != nil {
		_ = h.log.Sync()
	}
	if h.unwatch != nil {
		h.unwatch()
	}
	h.pool.Close()
	if h.queue != nil {
		h.queue.Close()
	}
	if h.db != nil {
		h.db.close()
	}
}

// tellKept logs what became of pages of history.
func tellKept(log *zap.Logger) func(backfill.Page, ingest.Kept) {
	return func(p backfill.Page, kept ingest.Kept) {
		log.Info("history stored", zap.Int64("from_slot", p.From), zap.Int64("to_slot", p.To), zap.Int("listed", p.Count),
			zap.Int("new", kept.New), zap.Int("replaced", kept.Replaced), zap.Int("dropped", kept.Dropped), zap.Int("unreadable", kept.Troubled))
	}
}
