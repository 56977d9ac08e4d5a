package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"minesaudit/internal/config"
)

type workerCmd struct {
	historyFlags
}

// Help is shown under the flags.
func (workerCmd) Help() string {
	return `Works the jobs that indexer backfill and daemons with --backfill-workers make, until SIGINT or SIGTERM. Any number of workers, on any machines, may work at one record beside its daemon; those that name a node alike, in --config or by --node, keep its rate and the limits of its methods together. A worker that is killed leaves nothing half done: another one takes its pages up within seconds.

Exit codes: 0 stopped, 2 usage, 4 the node or the database cannot be reached.

Example:
  indexer worker --database-url postgres://owner@db/audit --rpc-url https://NODE --rpc-rate 4
  indexer worker --config minesaudit.yaml
      from the nodes with the role record, at their rates, into its database_url`
}

func (c *workerCmd) Run(s *streams, resolver *config.Resolver) error {
	collectLess()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	h, err := c.openHistory(ctx, s, resolver.Nodes(), zapcore.InfoLevel)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil // asked to end before it had begun anything
	case err != nil:
		return err
	}
	defer h.close()
	w := h.workers()
	w.OnKept = tellKept(h.log)
	h.log.Info("waiting for jobs", zap.String("program", h.program), zap.String("nodes", h.queues()))
	return h.redactor.Error(w.Run(ctx))
}
