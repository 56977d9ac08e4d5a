package backfill

import (
	"context"
	"math"
	"sync"
	"time"

	"minesaudit/internal/rpc"
)

const (
	// A node that got a page wrong is left for firstLeft, twice as long each further
	// time up to longestLeft, while there is another one.
	firstLeft   = 10 * time.Second
	longestLeft = 5 * time.Minute
	// keepsFor is how long a node's word of where its history begins is taken: nodes
	// prune as they go.
	keepsFor = 10 * time.Minute
)

// choice picks nodes to read history from: of those that the pool holds to be well, in
// the operator's order, the first that keeps the slots in question and has not got
// history wrong lately. What it did get wrong is kept here and not in the pool, which
// may be a daemon's: a node with holes in last year serves today as well as any.
type choice struct {
	nodes *rpc.Pool

	mu   sync.Mutex
	seen map[*rpc.Node]*regard
}

// regard is what is known of one node.
type regard struct {
	begins int64     // its first slot
	asked  time.Time // when it told of it
	faults int       // pages in a row that it got wrong
	until  time.Time // it is left
}

func newChoice(nodes *rpc.Pool) *choice {
	return &choice{nodes: nodes, seen: map[*rpc.Node]*regard{}}
}

// pick gives the node to read slots from a slot up, with begins asking one where its
// history begins. Where none keeps the slot it is the one that keeps most.
func (c *choice) pick(ctx context.Context, from int64, begins func(context.Context, *rpc.Node) (int64, error)) *rpc.Node {
	first := c.nodes.Record()
	candidates := []*rpc.Node{first}
	for _, n := range c.nodes.Others(first) {
		if n.Has(rpc.RoleRecord) {
			candidates = append(candidates, n)
		}
	}
	if len(candidates) == 1 {
		return first
	}
	now := time.Now()
	best, bestRegard := first, c.regard(ctx, first, now, begins)
	for _, n := range candidates[1:] {
		if r := c.regard(ctx, n, now, begins); r.over(&bestRegard, from, now) {
			best, bestRegard = n, r
		}
	}
	return best
}

// over reports whether a node is to be asked rather than one before it in order.
func (r *regard) over(before *regard, from int64, now time.Time) bool {
	if left, leftBefore := r.until.After(now), before.until.After(now); left != leftBefore {
		return leftBefore
	} else if left {
		return r.until.Before(before.until)
	}
	return before.begins > from && r.begins < before.begins
}

// regard gives what is known of a node, and asks it where its history begins where
// that is not known. One that does not answer keeps nothing for now.
func (c *choice) regard(ctx context.Context, n *rpc.Node, now time.Time, begins func(context.Context, *rpc.Node) (int64, error)) regard {
	c.mu.Lock()
	r := c.of(n)
	known := now.Sub(r.asked) < keepsFor
	was := *r
	c.mu.Unlock()
	if known {
		return was
	}
	slot, err := begins(ctx, n)
	if err != nil {
		was.begins = math.MaxInt64
		return was
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r.begins, r.asked = slot, now
	return *r
}

// of gives a node's regard; the caller holds mu.
func (c *choice) of(n *rpc.Node) *regard {
	r := c.seen[n]
	if r == nil {
		r = &regard{}
		c.seen[n] = r
	}
	return r
}

// doubt leaves a node that got history wrong.
func (c *choice) doubt(n *rpc.Node) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.of(n)
	r.until = time.Now().Add(min(firstLeft<<min(r.faults, 10), longestLeft))
	r.faults++
}

// trust says that a node got a page right. It is left for as long as it was to be all
// the same: pages are read side by side, and it may yet lack the other one.
func (c *choice) trust(n *rpc.Node) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of(n).faults = 0
}
