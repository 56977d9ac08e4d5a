package main

import (
	"context"
	"errors"
	"fmt"

	"go.uber.org/zap/zapcore"

	"minesaudit/internal/backfill"
	"minesaudit/internal/config"
)

// historyFlags say from which nodes history is read, how fast, and into which record.
type historyFlags struct {
	RPCURL  config.Secret `name:"rpc-url" env:"MINESAUDIT_RPC_URL" placeholder:"URL" group:"Node:" help:"Node's JSON-RPC address, http:// or https://. A secret if it has a key in it: better in the file that $MINESAUDIT_RPC_URL_FILE names. Not beside the nodes that --config lists: of those, the ones with the role record are read from, the first that is well and keeps the slots." yaml:"rpc_url"`
	RPCRate float64       `name:"rpc-rate" env:"MINESAUDIT_RPC_RATE" placeholder:"N" group:"Node:" default:"0" help:"Most calls a second, of all processes that read this record's history from the node together; a call of a batch counts as one. 0 is no limit of our own. Public nodes bear about 4. Nodes of --config have their own, and limits of single methods. Default ${default}." yaml:"rpc_rate"`
	Node    string        `name:"node" placeholder:"NAME" group:"Node:" help:"Name under which processes share the rate of --rpc-url. Default: made of the address's host. Nodes of --config share theirs by their names."`
	Batch   int           `name:"batch" placeholder:"N" group:"Node:" default:"50" help:"Most transactions in one JSON-RPC batch; 1 for a node that takes none, which is also found out. Default ${default}."`
	Pages   int           `name:"pages" placeholder:"N" group:"Node:" default:"2" help:"Pages of a thousand transactions that this process reads at once. Default ${default}."`
	recordFlags
}

// nodes are those to read from, and the name of the queue of the one that has none.
func (f *historyFlags) nodes(listed []config.Node) (nodes []config.Node, only string, err error) {
	if f.Batch < 1 || f.Pages < 1 || f.Pages > 64 {
		return nil, "", usage(fmt.Errorf("--batch %d, --pages %d: give 1 or more, at most 64 pages", f.Batch, f.Pages))
	}
	if f.Node != "" && len(listed) > 0 {
		return nil, "", usage(errors.New("--node: the nodes that --config lists have names: drop one of the two"))
	}
	cfg := config.Config{RPCURL: f.RPCURL, RPCRate: f.RPCRate, Nodes: listed}
	if nodes, err = cfg.CheckNodes("record"); err != nil || len(listed) > 0 {
		return nodes, "", err
	}
	if f.Node != "" {
		return nodes, f.Node, nil
	}
	return nodes, backfill.NodeName(f.RPCURL.Reveal()), nil
}

// openHistory connects to record and nodes, and checks that they go together. listed
// are the nodes of the file.
func (f *historyFlags) openHistory(ctx context.Context, s *streams, listed []config.Node, level zapcore.Level) (*history, error) {
	nodes, only, err := f.nodes(listed)
	if err != nil {
		return nil, err
	}
	known := config.Config{DatabaseURL: f.DatabaseURL, Nodes: nodes}
	h := &history{flags: f, nodes: nodes, redactor: known.Redactor()}
	if h.pool, err = historyPool(nodes, f.Pages); err != nil {
		return nil, usage(h.redactor.Error(err))
	}
	var profile *config.Profile
	if h.db, profile, err = f.open(ctx, s); err == nil {
		err = h.redactor.Error(h.prepare(ctx, s.Err, profile, only, level))
	}
	if err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}
