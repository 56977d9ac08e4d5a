package main

import (
	"context"
	"fmt"
	"io"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"minesaudit/internal/backfill"
	"minesaudit/internal/config"
	"minesaudit/internal/ingest"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// historyFlags say from which node history is read, how fast, and into which record.
type historyFlags struct {
	RPCURL  config.Secret `name:"rpc-url" env:"MINESAUDIT_RPC_URL" placeholder:"URL" group:"Node:" help:"Node's JSON-RPC address, http:// or https://. A secret if it has a key in it: better in the file that $MINESAUDIT_RPC_URL_FILE names." yaml:"rpc_url"`
	RPCRate float64       `name:"rpc-rate" env:"MINESAUDIT_RPC_RATE" placeholder:"N" group:"Node:" default:"0" help:"Most calls a second, of all processes that read this record's history from the node together; a call of a batch counts as one. 0 is no limit of our own. Public nodes bear about 4. Default ${default}." yaml:"rpc_rate"`
	Node    string        `name:"node" placeholder:"NAME" group:"Node:" help:"Name under which processes share the rate. Default: made of the address's host."`
	Batch   int           `name:"batch" placeholder:"N" group:"Node:" default:"50" help:"Most transactions in one JSON-RPC batch; 1 for a node that takes none, which is also found out. Default ${default}."`
	Pages   int           `name:"pages" placeholder:"N" group:"Node:" default:"2" help:"Pages of a thousand transactions that this process reads at once. Default ${default}."`
	recordFlags
}

// history is what reads a record's history.
type history struct {
	db       *resultStore
	watch    store.Watch
	queue    *backfill.Queue
	client   *rpc.Client
	budget   *backfill.Budget
	flags    *historyFlags
	program  string
	reader   ingest.History
	redactor *config.Redactor
	log      *zap.Logger
}

// openHistory connects to record and node, and checks that they go together.
func (f *historyFlags) openHistory(ctx context.Context, s *streams, level zapcore.Level) (h *history, err error) {
	if f.Batch < 1 || f.Pages < 1 || f.Pages > 64 {
		return nil, usage(fmt.Errorf("--batch %d, --pages %d: give 1 or more, at most 64 pages", f.Batch, f.Pages))
	}
	db, profile, err := f.open(ctx, s)
	if err != nil {
		return nil, err
	}
	h = &history{db: db, flags: f, redactor: config.NewRedactor(f.DatabaseURL.Reveal(), f.RPCURL.Reveal())}
	if err := h.prepare(ctx, s.Err, profile, level); err != nil {
		h.close()
		return nil, h.redactor.Error(err)
	}
	return h, nil
}

func (h *history) prepare(ctx context.Context, to io.Writer, profile *config.Profile, level zapcore.Level) (err error) {
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
	cfg := config.Default()
	cfg.RPCURL, cfg.RPCRate, cfg.Program, cfg.Profile = h.flags.RPCURL, h.flags.RPCRate, h.program, h.flags.Profile
	settings, err := cfg.Check()
	if err != nil {
		return err
	}
	settings.Level = level
	h.log = newLog(to, settings, h.redactor)
	reader, err := formOf(profile).Reader(h.program)
	if err != nil {
		return usage(err)
	}
	h.reader = ingest.History{
		Reader:   reader,
		Standard: ingest.Standard{Layout: profile.Layout, Rules: profile.Rules()},
	}
	if h.queue, err = backfill.OpenQueue(h.db.store); err != nil {
		return usage(err)
	}
	if err := h.queue.Migrate(ctx); err != nil {
		return err
	}
	// The rate is the shared budget's to keep: a second limit here would only lose places.
	if h.client, err = rpc.NewClient(rpc.Config{URL: settings.RPCURL.Reveal(), MaxConcurrent: 16 * h.flags.Pages}); err != nil {
		return usage(err)
	}
	name := h.flags.Node
	if name == "" {
		name = backfill.NodeName(settings.RPCURL.Reveal())
	}
	h.budget = &backfill.Budget{Store: h.db.store, Node: name, PerSecond: settings.RPCRate}
	return nil
}

// workers are this process's.
func (h *history) workers(ctx context.Context) (*backfill.Workers, error) {
	nodes := rpc.Single(h.client)
	if err := backfill.Meet(ctx, nodes, h.watch); err != nil {
		return nil, h.redactor.Error(err)
	}
	return &backfill.Workers{
		Queue: h.queue, Store: h.db.store, Nodes: nodes, Program: h.program, History: &h.reader,
		Budget: func(string) *backfill.Budget { return h.budget },
		Batch:  h.flags.Batch, Pages: h.flags.Pages, Log: h.log,
	}, nil
}

func (h *history) planner() *backfill.Planner {
	return &backfill.Planner{Queue: h.queue, Store: h.db.store, Node: h.client, Program: h.program, Budget: h.budget}
}

func (h *history) close() {
	if h.log != nil {
		_ = h.log.Sync()
	}
	if h.client != nil {
		h.client.Close()
	}
	if h.queue != nil {
		h.queue.Close()
	}
	h.db.close()
}
