package rpc

import (
	"sync"
	"time"
)

// NodeState is what is thought of a node.
type NodeState string

// The states of a node. In all but NodeOK another one is used, if there is one, and
// this one is tried again later.
const (
	NodeOK      NodeState = "ok"
	NodeErring  NodeState = "erring"      // failed or silent several times in a row
	NodeLagging NodeState = "lagging"     // its finalized slot lies well below another node's
	NodeFaulty  NodeState = "faulty"      // it contradicted itself or what is known
	NodeRefused NodeState = "refused"     // it refuses the credentials
	NodeForeign NodeState = "other_chain" // it has another genesis hash; it is not asked any more
)

func nodeStates() []NodeState {
	return []NodeState{NodeOK, NodeErring, NodeLagging, NodeFaulty, NodeRefused, NodeForeign}
}

const (
	// erringAfter is how many failures in a row make a node erring.
	erringAfter = 3
	// A node that is left is tried again after firstLeave, or PoolConfig.LeaveFor, twice
	// as long each further time up to mostLeaves of the first.
	firstLeave   = 10 * time.Second
	mostLeaves   = 30
	longestLeave = mostLeaves * firstLeave
)

// health is what one client has seen of its node. It is safe for concurrent use.
type health struct {
	metrics *nodeMetrics
	first   time.Duration // how long it is left the first time

	mu       sync.Mutex
	state    NodeState
	since    time.Time // of the state
	err      string    // why it is not NodeOK, secrets struck out
	failures int       // in a row
	leaves   int       // since it last did well for a whole pass
	until    time.Time // when it may be tried again
	slot     uint64    // latest finalized slot that it told of; 0: none yet
	lag      uint64    // slots behind the best node when they were last compared
}

func newHealth(m *nodeMetrics) *health {
	h := &health{metrics: m, first: firstLeave, since: time.Now()}
	h.become(NodeOK, "", h.since)
	return h
}

// become sets the state; the caller holds mu, or is the only one.
func (h *health) become(state NodeState, why string, now time.Time) {
	if h.state != state {
		h.since = now
	}
	h.state, h.err = state, why
	for _, s := range nodeStates() {
		h.metrics.state[s].Set(oneIf(s == state))
	}
}

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// leave lets the node be for a while.
func (h *health) leave(state NodeState, why string, now time.Time) {
	if h.state == NodeForeign {
		return
	}
	if h.state == NodeOK || !now.Before(h.until) {
		h.until = now.Add(min(h.first<<min(h.leaves, 10), mostLeaves*h.first))
		h.leaves++
	}
	h.become(state, why, now)
}

// answered learns from the outcome of one request. What a node does not know or keep
// is no failure of it.
func (h *health) answered(err *Error, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case err == nil:
		h.failures = 0
		if h.state == NodeErring || h.state == NodeRefused {
			h.become(NodeOK, "", now)
		}
	case err.Class == Unavailable:
		if h.failures++; h.failures >= erringAfter {
			h.leave(NodeErring, err.Error(), now)
		}
	case err.Class == Auth:
		h.leave(NodeRefused, err.Error(), now)
	}
}

// usable reports whether the node may be read from: it is well, or it is time to see
// whether it is again.
func (h *health) usable(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch h.state {
	case NodeOK:
		return true
	case NodeLagging, NodeForeign:
		return false
	}
	return !now.Before(h.until)
}

// lookedAt reports whether the node's slot may be asked for, to compare it.
func (h *health) lookedAt(now time.Time) bool { return h.is() == NodeLagging || h.usable(now) }

func (h *health) is() NodeState {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state
}

// retryAt is when the node may be asked again; zero while it is well.
func (h *health) retryAt() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state == NodeOK {
		return time.Time{}
	}
	return h.until
}

// blame leaves a node whose answers are not to be relied on.
func (h *health) blame(why string, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.leave(NodeFaulty, why, now)
}

// praise forgets what was held against a node that has done well for a whole pass.
func (h *health) praise(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state == NodeForeign {
		return
	}
	h.leaves, h.failures = 0, 0
	if h.state != NodeLagging {
		h.become(NodeOK, "", now)
	}
}

// foreign leaves the node for good.
func (h *health) foreign(why string, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.become(NodeForeign, why, now)
}
