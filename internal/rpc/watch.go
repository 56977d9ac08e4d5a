package rpc

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// lookTimeout bounds one look at a node.
const lookTimeout = 10 * time.Second

// Expect names the chain that is followed, and the node that told its genesis hash.
// Another one is read from once it is seen to follow the same. The first call counts.
func (p *Pool) Expect(genesis [32]byte, by *Node) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.expects:
	default:
		p.expected = genesis
		by.meet()
		close(p.expects)
	}
}

// sameChain reports whether a node may be read from. Before anything is expected of
// it any node may be asked.
func (p *Pool) sameChain(n *Node) bool {
	select {
	case <-p.expects:
		return !p.Several() || n.chainKnown() && n.health.is() != NodeForeign
	default:
		return true
	}
}

// Watch compares the nodes' chains and slots until ctx ends. With one node there is
// nothing to do.
func (p *Pool) Watch(ctx context.Context) error {
	if !p.Several() {
		<-ctx.Done()
		return nil
	}
	select {
	case <-p.expects:
	case <-ctx.Done():
		return nil
	}
	for {
		p.look(ctx)
		if !sleep(ctx, p.cfg.LookEvery) {
			return nil
		}
	}
}

// look asks every node whose time it is for its finalized slot, all at once, and
// compares the answers: slots that were told at different times cannot be.
func (p *Pool) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	slots := make([]uint64, len(p.nodes))
	var all sync.WaitGroup
	for i, n := range p.nodes {
		if n.health.lookedAt(time.Now()) && n.budget.pause(time.Now()) == 0 {
			all.Go(func() { slots[i] = p.lookAt(ctx, n) })
		}
	}
	all.Wait()
	p.compare(slots, time.Now())
}

// lookAt gives the node's finalized slot; 0 if it cannot be had or is not worth
// comparing. What goes wrong the client has noted.
func (p *Pool) lookAt(ctx context.Context, n *Node) uint64 {
	if !n.chainKnown() {
		genesis, err := n.GenesisHash(ctx)
		if err != nil {
			return 0
		}
		if genesis != p.expected {
			n.health.foreign(fmt.Sprintf("its genesis hash is %s, that of the chain followed %s", KeyString(genesis), KeyString(p.expected)), time.Now())
		}
		n.meet()
	}
	if n.health.is() == NodeForeign {
		return 0
	}
	slot, err := n.Slot(ctx, Finalized)
	if err != nil {
		return 0
	}
	if was := n.health.tell(slot); slot+p.cfg.LagMost < was {
		n.health.blame(fmt.Sprintf("its finalized slot went back from %d to %d", was, slot), time.Now())
		return 0
	}
	return slot
}

// compare leaves the nodes that are behind. The best slot counts that a node told
// which is not left for faults of its own.
func (p *Pool) compare(slots []uint64, now time.Time) {
	var best uint64
	for i, n := range p.nodes {
		if n.health.is() != NodeFaulty {
			best = max(best, slots[i])
		}
	}
	for i, n := range p.nodes {
		if slots[i] > 0 {
			n.health.lags(best-min(slots[i], best), p.cfg.LagMost, now)
		}
	}
}

// tell takes a finalized slot and gives the one before.
func (h *health) tell(slot uint64) (was uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	was, h.slot = h.slot, slot
	return was
}

// lags takes a comparison: a node that lags is left, one that has caught up is well.
func (h *health) lags(by, most uint64, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lag = by
	h.metrics.lag.Set(float64(by))
	switch {
	case by > most && (h.state == NodeOK || h.state == NodeLagging):
		h.become(NodeLagging, fmt.Sprintf("its finalized slot is %d behind another node's", by), now)
	case by <= most && (h.state == NodeLagging || h.state == NodeFaulty && !now.Before(h.until)):
		h.become(NodeOK, "", now)
	}
}
