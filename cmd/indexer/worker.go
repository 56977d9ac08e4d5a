package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"minesaudit/internal/backfill"
	"minesaudit/internal/ingest"
)

type workerCmd struct {
	historyFlags
}

// Help is shown under the flags.
func (workerCmd) Help() string {
	return `Works the jobs that indexer backfill makes, until SIGINT or SIGTERM. Any number of workers, on any machines, may work at one record beside its daemon; those that name a node alike keep its rate together. A worker that is killed leaves nothing half done: another one takes its pages up within seconds.

Exit codes: 0 stopped, 2 usage, 4 the node or the database cannot be reached.

Example:
  indexer worker --database-url postgres://owner@db/audit --rpc-url https://NODE --rpc-rate 4`
}

func (c *workerCmd) Run(s *streams) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	h, err := c.openHistory(ctx, s, zapcore.InfoLevel)
	if err != nil {
		return err
	}
	defer h.close()
	w, err := h.workers(ctx)
	if err != nil {
		return err
	}
	w.OnKept = func(p backfill.Page, kept ingest.Kept) {
		h.log.Info("history stored", zap.Int64("from_slot", p.From), zap.Int64("to_slot", p.To), zap.Int("listed", p.Count),
			zap.Int("new", kept.New), zap.Int("replaced", kept.Replaced), zap.Int("dropped", kept.Dropped), zap.Int("unreadable", kept.Troubled))
	}
	h.log.Info("waiting for jobs", zap.String("program", h.program), zap.String("node", h.budget.Node))
	return h.redactor.Error(w.Run(ctx))
}
