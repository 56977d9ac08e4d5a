package rpc

import (
	"slices"
	"sync"
)

// Role is what a node is used for.
type Role string

// The roles.
const (
	RoleLive   Role = "live"   // its log subscription is listened to
	RoleRecord Role = "record" // the finalized list is read from it, and transactions fetched
	RoleCheck  Role = "check"  // what another node gave is held against its answers
)

// AllRoles are those of a node that is given none.
func AllRoles() []Role { return []Role{RoleLive, RoleRecord, RoleCheck} }

// Provider is a node and what it may be used for.
type Provider struct {
	Client Config    // its Name is the provider's
	Ends   Endpoints // both URLs; Client.URL is set from it
	Roles  []Role    // none: all
}

// Node is a provider that is followed: a client, and what has been seen of it. Its
// methods may be called from many goroutines.
type Node struct {
	*Client
	name  string
	ws    string
	roles []Role

	met   sync.Once
	chain chan struct{} // closed once its chain is known to be the one followed, or not to be
}

// Name is the provider's name. It is the operator's, and is shown.
func (n *Node) Name() string { return n.name }

// Has reports whether the node has a role.
func (n *Node) Has(r Role) bool { return slices.Contains(n.roles, r) }

func newNode(p Provider) (*Node, error) {
	p.Client.URL = p.Ends.RPC
	if p.Client.Name == "" {
		p.Client.Name = DefaultNode
	}
	if len(p.Roles) == 0 {
		p.Roles = AllRoles()
	}
	client, err := NewClient(p.Client)
	if err != nil {
		return nil, err
	}
	return &Node{Client: client, name: p.Client.Name, ws: p.Ends.WS, roles: p.Roles, chain: make(chan struct{})}, nil
}

// chainKnown reports whether the node's chain was compared with the one followed.
func (n *Node) chainKnown() bool {
	select {
	case <-n.chain:
		return true
	default:
		return false
	}
}

// meet says that the node's chain is known.
func (n *Node) meet() { n.met.Do(func() { close(n.chain) }) }
