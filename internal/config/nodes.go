package config

import (
	"fmt"
	"maps"
	"math"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Node is one of several nodes, as the file lists them under nodes: flags and
// variables name one node only, with --rpc-url.
type Node struct {
	Name     string `yaml:"name"` // shown in states, metrics and the record of disagreements
	HTTP     Secret `yaml:"http"`
	HTTPFile string `yaml:"http_file"` // names a file with the address, in place of http
	WS       Secret `yaml:"ws"`        // follows from http unless given
	WSFile   string `yaml:"ws_file"`

	RequestsPerSecond float64            `yaml:"requests_per_second"` // 0 is no limit of our own
	Limits            map[string]float64 `yaml:"limits"`              // requests a second of single methods
	Roles             []string           `yaml:"roles"`               // live, record, check; none: all
}

const (
	// OnlyNode is the name of the one node that --rpc-url gives.
	OnlyNode = "node"
	// mostNodes bounds what is listened to, and metrics' labels.
	mostNodes = 16
)

// nodeName is what may be a label's value and a word in a message.
var nodeName = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]{0,31}$`) // never written to

var nodeRoles = [...]string{"live", "record", "check"} // never written to

// AllNodes gives the nodes to follow: those that are listed, or the one that
// --rpc-url names.
func (s *Settings) AllNodes() []Node {
	if len(s.Nodes) > 0 {
		return s.Nodes
	}
	return []Node{{Name: OnlyNode, HTTP: s.RPCURL, WS: s.WSURL, RequestsPerSecond: s.RPCRate}}
}

// CheckNodes checks what c says of nodes and gives those with a role, for commands that
// follow nothing: their file may be the daemon's, or one in which no node is listened
// to. Its error is of the kind of Check's.
func (c *Config) CheckNodes(role string) ([]Node, error) {
	s := &Settings{Config: *c}
	var bad problems
	if len(s.Nodes) > 0 {
		s.checkNodes(&bad, role)
	} else {
		s.checkNode(&bad)
	}
	if err := bad.err(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(s.AllNodes(), func(n Node) bool { return !slices.Contains(n.roles(), role) }), nil
}

// checkNodes reads the files that nodes name and checks the list, in which somebody has
// to have each of the roles that are needed. The settings get a list of their own, so
// that the redactor knows what the files hold.
func (s *Settings) checkNodes(bad *problems, needed ...string) {
	for flag, set := range map[string]bool{"rpc-url": s.RPCURL != "", "ws-url": s.WSURL != "", "rpc-rate": s.RPCRate != 0} {
		if set {
			bad.addf("%s: set beside nodes: a list of nodes names them all, each with its addresses and requests_per_second; keep one of the two", field(flag))
		}
	}
	if len(s.Nodes) > mostNodes {
		bad.addf("nodes: %d are more than %d", len(s.Nodes), mostNodes)
		return
	}
	s.Nodes = slices.Clone(s.Nodes)
	seen, has := map[string]bool{}, map[string]bool{}
	at := map[string]string{} // names of nodes by their addresses
	for i := range s.Nodes {
		n := &s.Nodes[i]
		var inNode problems
		n.check(&inNode)
		if seen[n.Name] {
			inNode.addf("name: another node has it too: give each one of its own")
		}
		seen[n.Name] = true
		if where := sameAddress(n.HTTP); where != "" {
			if other, taken := at[where]; taken {
				inNode.addf("http: nodes %s and %s have one address, and a node that is held against itself agrees: give each its own, or list it once", clip(other), clip(n.Name))
			}
			at[where] = n.Name
		}
		for _, role := range n.roles() {
			has[role] = true
		}
		*bad = append(*bad, inNode.within(fmt.Sprintf("nodes[%d]", i))...)
	}
	for _, role := range needed {
		if !has[role] {
			bad.addf("nodes: none has the role %s: give it to one, or leave its roles out for all", role)
		}
	}
}

func (n *Node) check(bad *problems) {
	if !nodeName.MatchString(n.Name) {
		bad.addf("name: %q is not a name: write up to 32 of a-z, 0-9, _, . and -, the first a letter or digit", clip(n.Name))
	}
	n.HTTP = fromFile(bad, "http", n.HTTP, n.HTTPFile)
	n.WS = fromFile(bad, "ws", n.WS, n.WSFile)
	switch {
	case n.HTTP == "" && n.HTTPFile == "":
		bad.addf("http: not set: give the node's JSON-RPC address, or http_file for a file that holds it")
	case n.HTTP != "" && !isURL(n.HTTP.Reveal(), "http", "https"):
		bad.addf("http: not an http:// or https:// address with a host")
	}
	if n.WS != "" && !isURL(n.WS.Reveal(), "ws", "wss") {
		bad.addf("ws: not a ws:// or wss:// address with a host; leave it out to derive it from http")
	}
	if !(n.RequestsPerSecond >= 0) || math.IsInf(n.RequestsPerSecond, 0) { // NaN is not >= 0
		bad.addf("requests_per_second: %v is not a number of requests; 0 is no limit", n.RequestsPerSecond)
	}
	for _, method := range slices.Sorted(maps.Keys(n.Limits)) {
		if most := n.Limits[method]; !(most > 0) || math.IsInf(most, 0) {
			bad.addf("limits.%s: %v is not a number of requests a second above 0", clip(method), most)
		}
	}
	for _, role := range n.Roles {
		if !slices.Contains(nodeRoles[:], role) {
			bad.addf("roles: %q is not one of %s", clip(role), strings.Join(nodeRoles[:], ", "))
		}
	}
}

// sameAddress is alike for addresses that are written differently and mean one; empty
// for none. Paths, queries and users are kept: providers put keys there.
func sameAddress(address Secret) string {
	u, err := url.Parse(address.Reveal())
	if err != nil || u.Hostname() == "" {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	u.Host, u.Fragment = net.JoinHostPort(strings.ToLower(u.Hostname()), port), ""
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	return u.String()
}

// roles are those that the node has.
func (n *Node) roles() []string {
	if len(n.Roles) == 0 {
		return nodeRoles[:]
	}
	return n.Roles
}

// fromFile gives the address itself, or that of the file. Messages hold neither: by
// mistake the file's name may be the address.
func fromFile(bad *problems, key string, address Secret, path string) Secret {
	switch {
	case path == "":
		return address
	case address != "":
		bad.addf("%s and %s_file are both set: keep one", key, key)
		return address
	}
	secret, err := secretIn(path)
	if err != nil {
		bad.addf("%s_file: %w", key, err)
	}
	return secret
}

// shownNode is a node as `indexer config` prints it: of addresses scheme and host.
type shownNode struct {
	Name              string             `json:"name"`
	HTTP              string             `json:"http"`
	WS                string             `json:"ws,omitempty"`
	RequestsPerSecond float64            `json:"requests_per_second"`
	Limits            map[string]float64 `json:"limits,omitempty"`
	Roles             []string           `json:"roles"`
}

func shownNodes(nodes []Node) []shownNode {
	shown := make([]shownNode, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		shown[i] = shownNode{n.Name, RedactURL(n.HTTP.Reveal()), RedactURL(n.WS.Reveal()), n.RequestsPerSecond, n.Limits, n.roles()}
	}
	return shown
}

// String is a line of the YAML's head, where secrets are comments.
func (n shownNode) String() string {
	s := n.Name + " " + n.HTTP
	if n.WS != "" {
		s += " " + n.WS
	}
	return fmt.Sprintf("%s, %v a second, %s", s, n.RequestsPerSecond, strings.Join(n.Roles, " "))
}
