package main

import (
	"fmt"

	"minesaudit/internal/config"
	"minesaudit/internal/rpc"
)

// newPool makes a pool of the configured nodes, of which each is asked for so many
// things at once.
func newPool(nodes []config.Node, atOnce int, metrics *rpc.Metrics) (*rpc.Pool, error) {
	var providers []rpc.Provider
	for i := range nodes {
		n := &nodes[i]
		ends, err := rpc.ParseEndpoints(n.HTTP.Reveal(), n.WS.Reveal())
		if err != nil {
			return nil, fmt.Errorf("node %s: %w", n.Name, err)
		}
		p := rpc.Provider{Client: rpc.Config{Name: n.Name, RequestsPerSecond: n.RequestsPerSecond, Limits: n.Limits, MaxConcurrent: atOnce}, Ends: ends}
		for _, role := range n.Roles {
			p.Roles = append(p.Roles, rpc.Role(role))
		}
		providers = append(providers, p)
	}
	return rpc.NewPool(rpc.PoolConfig{Providers: providers, Metrics: metrics})
}
