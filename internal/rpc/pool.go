package rpc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// PoolConfig is the nodes of a pool. Zero values mean the defaults named.
type PoolConfig struct {
	Providers []Provider    // at least one with RoleRecord; names differ
	Metrics   *Metrics      // of all of them; nil = counted nowhere
	LookEvery time.Duration // how often their slots are compared; default 10 s
	LagMost   uint64        // slots that a node may be behind; default 150, a minute
	LeaveFor  time.Duration // how long a node is left the first time, up to 30 times as long; default 10 s
}

// Pool is the nodes that are known, in the operator's order of preference. One that
// errs, lags or contradicts itself is left for a while and tried again; while it is
// left, another one serves. Of two nodes that differ by more than LagMost the one
// that is behind is left; which of them tells the truth about the slot the pool
// cannot know. With one node there is nothing to choose, and nothing is compared.
//
// A node is used for reading only after its genesis hash was seen to be that of the
// chain followed (Expect), so that a wrong URL among several spoils nothing.
type Pool struct {
	cfg   PoolConfig
	nodes []*Node

	mu       sync.Mutex
	live     *Live
	expected [32]byte
	expects  chan struct{} // closed by Expect
}

// NewPool checks the configuration; it does not connect.
func NewPool(cfg PoolConfig) (*Pool, error) {
	cfg.LookEvery = orDefault(cfg.LookEvery, 10*time.Second)
	cfg.LeaveFor = orDefault(cfg.LeaveFor, firstLeave)
	if cfg.LagMost == 0 {
		cfg.LagMost = 150
	}
	if cfg.Metrics == nil {
		cfg.Metrics = NewMetrics(nil)
	}
	p := &Pool{cfg: cfg, expects: make(chan struct{})}
	for _, provider := range cfg.Providers {
		provider.Client.Metrics = cfg.Metrics
		n, err := newNode(provider)
		if err != nil {
			p.Close()
			return nil, err
		}
		n.health.first = cfg.LeaveFor
		if p.named(n.name) != nil {
			p.Close()
			return nil, fmt.Errorf("two nodes are named %q: give each a name of its own", n.name)
		}
		p.nodes = append(p.nodes, n)
	}
	if !slices.ContainsFunc(p.nodes, func(n *Node) bool { return n.Has(RoleRecord) }) {
		p.Close()
		return nil, errors.New("no node has the role record: give it to one")
	}
	return p, nil
}

// Single is a pool of one node.
func Single(c *Client) *Pool {
	n := &Node{Client: c, name: c.name, roles: AllRoles(), chain: make(chan struct{})}
	return &Pool{cfg: PoolConfig{LookEvery: time.Minute, LagMost: 150}, nodes: []*Node{n}, expects: make(chan struct{})}
}

// Close drops idle connections.
func (p *Pool) Close() {
	for _, n := range p.nodes {
		n.Close()
	}
}

// Live makes the log subscription at all nodes with RoleLive. Name and URL of cfg are
// not looked at. It is to be called once.
func (p *Pool) Live(cfg StreamConfig) (*Live, error) {
	if cfg.Metrics == nil {
		cfg.Metrics = p.cfg.Metrics
	}
	var cfgs []StreamConfig
	var nodes []*Node
	for _, n := range p.nodes {
		if n.Has(RoleLive) {
			cfg.Name, cfg.URL = n.name, n.ws
			cfgs, nodes = append(cfgs, cfg), append(nodes, n)
		}
	}
	if len(cfgs) == 0 {
		return nil, errors.New("no node has the role live: give it to one")
	}
	l := newLive(cfgs)
	if len(p.nodes) > 1 {
		for i, s := range l.streams {
			s.await = nodes[i].awaitChain
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live = l
	return l, nil
}

// awaitChain gives true once the node is known to follow the right chain, false if it
// does not or ctx ends first.
func (n *Node) awaitChain(ctx context.Context) bool {
	select {
	case <-n.chain:
		return n.health.is() != NodeForeign
	case <-ctx.Done():
		return false
	}
}

// Several reports whether there is more than one node.
func (p *Pool) Several() bool { return len(p.nodes) > 1 }

// Record chooses the node to read the record from: the first in order that is well
// and not asked to be left alone; else the first that is well; else the one whose
// time comes first. Whoever walks a list stays with one node to the end of it.
func (p *Pool) Record() *Node {
	now := time.Now()
	candidates := p.with(func(n *Node) bool { return n.Has(RoleRecord) && n.health.is() != NodeForeign && p.sameChain(n) })
	if len(candidates) == 0 { // of those that are left none may be right, but somebody has to say so
		candidates = p.with(func(n *Node) bool { return n.Has(RoleRecord) })
	}
	for _, fit := range []func(*Node) bool{
		func(n *Node) bool { return n.health.usable(now) && n.budget.pause(now) == 0 },
		func(n *Node) bool { return n.health.usable(now) },
	} {
		if i := slices.IndexFunc(candidates, fit); i >= 0 {
			return candidates[i]
		}
	}
	return slices.MinFunc(candidates, func(a, b *Node) int { return a.health.retryAt().Compare(b.health.retryAt()) })
}

// Others gives the nodes against which what n gave can be held, those with RoleCheck
// first: well, and of the same chain. Those with RoleLive alone are not asked.
func (p *Pool) Others(n *Node) []*Node {
	now := time.Now()
	fit := func(role Role) []*Node {
		return p.with(func(o *Node) bool {
			return o != n && o.Has(role) && p.sameChain(o) && o.health.is() == NodeOK && o.budget.pause(now) == 0
		})
	}
	others := fit(RoleCheck)
	for _, o := range fit(RoleRecord) {
		if !slices.Contains(others, o) {
			others = append(others, o)
		}
	}
	return others
}

// CanCheck reports whether there is a node to hold the others against, well or not.
func (p *Pool) CanCheck() bool { return p.Checkers() > 1 }

// Checkers is how many nodes, well or not, are asked for what others gave.
func (p *Pool) Checkers() int {
	return len(p.with(func(n *Node) bool { return n.Has(RoleCheck) || n.Has(RoleRecord) }))
}

// Blame leaves a node whose answers led to err.
func (p *Pool) Blame(n *Node, err error) { n.health.blame(err.Error(), time.Now()) }

// Praise says that a node has done well for a whole walk.
func (p *Pool) Praise(n *Node) { n.health.praise(time.Now()) }

func (p *Pool) with(fit func(*Node) bool) []*Node {
	var found []*Node
	for _, n := range p.nodes {
		if fit(n) {
			found = append(found, n)
		}
	}
	return found
}

func (p *Pool) named(name string) *Node {
	if i := slices.IndexFunc(p.nodes, func(n *Node) bool { return n.name == name }); i >= 0 {
		return p.nodes[i]
	}
	return nil
}
