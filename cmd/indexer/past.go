package main

import (
	"context"
	"time"

	"go.uber.org/zap"

	"minesaudit/internal/backfill"
	"minesaudit/internal/config"
	"minesaudit/internal/ingest"
	"minesaudit/internal/verify"
)

const (
	// followingAtOnce is how many requests to a node are under way to follow it.
	followingAtOnce = 16
	// pastShare is what history takes of a node's rate at most. What follows the program
	// asks at the same limiters and finds at least the rest, and no queue before it.
	pastShare = 0.75
	// pastBatch is the most transactions in one batch.
	pastBatch = 50
	// pastGrace is short, as the next daemon waits for this one's end.
	pastGrace = 2 * time.Second
)

// past is the daemon's own reading of history, at the nodes that it follows.
type past struct {
	watcher *watcher // whose daemon is set before run
	queue   *backfill.Queue
	workers *backfill.Workers
	planner *backfill.Planner
	from    int64
	log     *zap.Logger
}

func newPast(s *config.Settings, w *watcher, log *zap.Logger) (*past, error) {
	reader, err := historyReader(&s.Profile, s.Program)
	if err != nil {
		return nil, err
	}
	queue, err := backfill.OpenQueue(w.store)
	if err != nil {
		return nil, err
	}
	nodes, only := s.AllNodes(), ""
	if len(s.Nodes) == 0 {
		only = backfill.NodeName(s.RPCURL.Reveal())
	}
	budget := budgets(w.store, nodes, only, pastShare)
	p := &past{watcher: w, queue: queue, from: int64(s.BackfillFromSlot), log: log}
	for i := range nodes {
		budget(nodes[i].Name).Yield = backfill.Yield(p.behind)
	}
	p.planner = &backfill.Planner{Queue: queue, Store: w.store, Nodes: w.nodes, Program: s.Program, Budget: budget, OnPage: p.planned}
	p.workers = &backfill.Workers{
		Queue: queue, Store: w.store, Nodes: w.nodes, Program: s.Program, History: &reader,
		Budget: budget, Batch: pastBatch, Pages: s.BackfillWorkers, Grace: pastGrace, Log: log, OnKept: p.kept,
	}
	return p, nil
}

// run reads history for as long as the daemon leads.
func (p *past) run(ctx context.Context) {
	beside := &backfill.Beside{
		Workers: p.workers, Planner: p.planner, From: p.from,
		Upto: p.watcher.daemon.Frontier, Yield: backfill.Yield(p.behind), Log: p.log,
	}
	beside.Run(ctx)
}

func (p *past) behind() bool { return p.watcher.daemon.Behind() }

func (p *past) planned(page backfill.Page) {
	p.log.Debug("history planned", zap.Int64("from_slot", page.From), zap.Int64("to_slot", page.To), zap.Int("listed", page.Count))
}

// kept counts what was stored, and tells of it.
func (p *past) kept(page backfill.Page, kept ingest.Kept) {
	p.watcher.daemon.Stored(kept)
	tellKept(p.log)(page, kept)
	if n := kept.Verdicts[verify.VerdictFail]; n > 0 {
		p.log.Warn("mismatches in history", zap.Int("games", n), zap.Int64("from_slot", page.From), zap.Int64("to_slot", page.To))
	}
}

// waiting tells what is planned and not read yet.
func (p *past) waiting(ctx context.Context) (ingest.Waiting, error) {
	left, err := p.queue.Left(ctx)
	return ingest.Waiting{Pages: left.Pages, Transactions: left.Transactions, Failing: left.Failing, LastError: left.LastError}, err
}
