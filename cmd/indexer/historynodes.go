package main

import (
	"fmt"
	"maps"

	"minesaudit/internal/backfill"
	"minesaudit/internal/config"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// pageAtOnce is how many requests to a node are under way for each page of history.
const pageAtOnce = 16

// historyPool makes a pool of nodes to read history from. Their rates are the shared
// queues' to keep: a second limit here would only lose places. So limits are checked,
// and let go.
func historyPool(nodes []config.Node, pages int) (*rpc.Pool, error) {
	var providers []rpc.Provider
	for i := range nodes {
		n := &nodes[i]
		limited, err := rpc.NewClient(rpc.Config{URL: n.HTTP.Reveal(), RequestsPerSecond: n.RequestsPerSecond, Limits: n.Limits})
		if err != nil {
			return nil, fmt.Errorf("node %s: %w", n.Name, err)
		}
		limited.Close()
		providers = append(providers, rpc.Provider{
			Client: rpc.Config{Name: n.Name, MaxConcurrent: pageAtOnce * pages},
			Ends:   rpc.Endpoints{RPC: n.HTTP.Reveal()}, Roles: []rpc.Role{rpc.RoleRecord},
		})
	}
	return rpc.NewPool(rpc.PoolConfig{Providers: providers})
}

// budgets gives the shared queue of each node of a pool, in which this process takes a
// share of what the node bears. A node goes by its name in the file; the one of
// --rpc-url has none, and goes by the name given.
func budgets(st *store.Store, nodes []config.Node, only string, share float64) func(node string) *backfill.Budget {
	all := make(map[string]*backfill.Budget, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		b := &backfill.Budget{Store: st, Node: n.Name, PerSecond: share * n.RequestsPerSecond, Limits: maps.Clone(n.Limits)}
		if only != "" {
			b.Node = only
		}
		for method := range b.Limits {
			b.Limits[method] *= share
		}
		all[n.Name] = b
	}
	return func(node string) *backfill.Budget { return all[node] }
}
