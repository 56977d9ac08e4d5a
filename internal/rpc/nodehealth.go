package rpc

import "time"

// NodeHealth is what /status shows of a node. It holds no URL.
type NodeHealth struct {
	Name      string
	Roles     []Role
	State     NodeState
	Since     time.Time // of the state
	Error     string    // why it is not NodeOK, secrets struck out
	Known     bool      // its chain was compared with the one followed; always with one node
	Slot      uint64    // finalized, when slots were last compared; 0: not yet
	LagSlots  uint64    // behind the best node then
	PausedFor time.Duration
	Listens   bool // its log subscription is up
	Subscribe bool // it has one
}

// Health gives the state of each node, in the operator's order.
func (p *Pool) Health() []NodeHealth {
	p.mu.Lock()
	live := p.live
	p.mu.Unlock()
	now := time.Now()
	all := make([]NodeHealth, len(p.nodes))
	for i, n := range p.nodes {
		h := n.health.show()
		h.Name, h.Roles = n.name, n.roles
		h.Known = !p.Several() || n.chainKnown()
		h.PausedFor = n.budget.pause(now)
		if live != nil {
			st, ok := live.stateOf(n.name)
			h.Subscribe, h.Listens = ok, st.Connected
		}
		all[i] = h
	}
	return all
}

func (h *health) show() NodeHealth {
	h.mu.Lock()
	defer h.mu.Unlock()
	return NodeHealth{State: h.state, Since: h.since, Error: h.err, Slot: h.slot, LagSlots: h.lag}
}
