package simchain

import (
	"net/http"
	"slices"
	"sync/atomic"
)

// Node is one of the nodes that serve a chain. All have the same blocks; what a
// node does with them is its own: Faults is what goes wrong with this one alone
// (forks excepted, which are the chain's).
type Node struct {
	Faults *Faults

	chain *Chain
	hub   *hub
	lies  *lies // what it made up; guarded by the chain's mu
	last  atomic.Pointer[lastOptions]
}

func newNode(c *Chain) *Node {
	n := &Node{Faults: newFaults(c.forks), chain: c, lies: newLies()}
	n.hub = newHub(n)
	return n
}

// Node gives the chain's i-th node. Node 0 is the one that the chain's own
// Faults, Handler, Serve, DropSockets and Subscribers speak of.
func (c *Chain) Node(i int) *Node {
	c.nodesMu.Lock()
	defer c.nodesMu.Unlock()
	for len(c.nodes) <= i {
		c.nodes = append(c.nodes, newNode(c))
	}
	return c.nodes[i]
}

func (c *Chain) allNodes() []*Node {
	c.nodesMu.Lock()
	defer c.nodesMu.Unlock()
	return slices.Clone(c.nodes)
}

// Handler serves JSON-RPC (POST) and websockets (an upgrade) on every path, so
// that one handler can be both ports of a node. GET /health says ok.
func (n *Node) Handler() http.Handler { return http.HandlerFunc(n.serve) }

// DropSockets cuts every websocket now, without a closing handshake, and tells
// how many there were.
func (n *Node) DropSockets() int { return n.hub.each((*socket).cut) }

// DeafenSockets leaves every websocket open and silent from now on, as a
// connection is whose other end has gone without a word. It tells how many.
func (n *Node) DeafenSockets() int { return n.hub.each((*socket).deafen) }

// Subscribers tells how many subscriptions to logs are live, counted by socket.
func (n *Node) Subscribers() int { return n.hub.subscribers() }

// Handler is Node(0)'s.
func (c *Chain) Handler() http.Handler { return c.Node(0).Handler() }

// DropSockets is Node(0)'s.
func (c *Chain) DropSockets() int { return c.Node(0).DropSockets() }

// Subscribers is Node(0)'s.
func (c *Chain) Subscribers() int { return c.Node(0).Subscribers() }

// tip is the index of the newest block at a commitment that this node has. The
// caller holds the chain's mu.
func (n *Node) tip(level commitment) int {
	l := n.chain.ledger
	return max(0, l.tip(level)-n.Faults.lagging(l.tipSlot(confirmed)))
}

func (n *Node) tipSlot(level commitment) uint64 { return n.chain.ledger.blocks[n.tip(level)].slot }

// root is the newest slot that this node calls finalized.
func (n *Node) root() uint64 {
	n.chain.mu.RLock()
	defer n.chain.mu.RUnlock()
	return n.tipSlot(finalized)
}
