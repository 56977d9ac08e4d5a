//go:build sim

package sim

import (
	"math/rand/v2"
	"slices"

	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
)

// mostNodes is how many nodes a daemon has at most.
const mostNodes = 3

// node is one of a daemon's nodes: what it is asked for, and what goes wrong with it.
type node struct {
	roles  []rpc.Role // none: all
	faults []simchain.Fault
	seed   int64 // of the faults
	down   bool  // it answers nothing until all else that goes wrong is over, too
}

// nodeIndex is the chain's number of the j-th node of the i-th daemon. One more than
// the last serves nobody.
func nodeIndex(i, j int) int { return i*mostNodes + j }

// nodeName is what a daemon calls its j-th node.
func nodeName(j int) string { return string(rune('a' + j)) }

func (n *node) has(k simchain.Fault) bool { return slices.Contains(n.faults, k) }

func (n *node) lies() bool { return n.has(hide) || n.has(alter) || n.has(invent) }

// Faults of which a run takes account.
const (
	forks     simchain.Fault = "forks"    // the chain's, whichever node makes them
	shortLogs simchain.Fault = "truncate" // of what a log hides, nobody can judge
	holes     simchain.Fault = "holes"    // a range that was taken for complete may gain what was missing
	hide      simchain.Fault = "hide"
	alter     simchain.Fault = "alter"
	invent    simchain.Fault = "invent"
)

// drawHonest draws from the faults that an honest node can have. Half of them are
// rarely all there at once; often it is a few, sometimes none.
func drawHonest(d *rand.Rand) (faults []simchain.Fault) {
	most := [...]int{0, 3, 6, 20}[d.IntN(4)]
	for _, k := range simchain.FaultKinds() {
		if !k.Lie && d.IntN(20) < most && k.Fault != forks {
			faults = append(faults, k.Fault)
		}
	}
	return faults
}

// drawSingle draws a daemon's only node. Both daemons are to come to the same record,
// which they cannot where one node keeps less of a log.
func drawSingle(d *rand.Rand) node {
	n := node{faults: drawHonest(d)}
	if !oneIn(d, 4) {
		n.faults = without(n.faults, shortLogs)
	}
	return n
}

// drawSeveral draws two or three nodes, of which one at least is honest and keeps its
// logs, and no two tell the same lie: what two of three agree on is believed.
func drawSeveral(d *rand.Rand) (nodes []node, sample float64) {
	nodes, sample = make([]node, between(d, 2, mostNodes)), 1
	honest := d.IntN(len(nodes))
	lied := false
	for j := range nodes {
		n := &nodes[j]
		n.roles, n.faults = asked[d.IntN(len(asked))], drawHonest(d)
		if len(n.faults) > 8 && !oneIn(d, 3) { // a daemon with three such nodes waits more than it works
			n.faults = n.faults[:4]
		}
		switch {
		case j == honest:
			n.faults = without(n.faults, shortLogs)
		case oneIn(d, 3): // another honest one
		default:
			n.faults = append(without(n.faults, shortLogs), drawLies(d, lied)...)
			lied = true
		}
	}
	if lied && oneIn(d, 6) {
		sample = float64(d.IntN(2)) / 2
	}
	allRoles(nodes, honest, sample)
	return nodes, sample
}

// asked are the parts that a node is given. Each lets others be held against it.
var asked = [...][]rpc.Role{
	nil, nil, nil, {rpc.RoleLive, rpc.RoleRecord}, {rpc.RoleLive, rpc.RoleCheck}, {rpc.RoleRecord, rpc.RoleCheck}, {rpc.RoleCheck},
}

// drawLies draws what a liar tells. Beside another liar it only makes things up, which
// no other says.
func drawLies(d *rand.Rand, another bool) []simchain.Fault {
	if another {
		return []simchain.Fault{invent}
	}
	all := []simchain.Fault{hide, alter, invent}
	d.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:[...]int{1, 1, 1, 2, 3}[d.IntN(5)]]
}

// allRoles sees to it that there is a node for every part. Where a second node is not
// asked of everything, the honest one is never heard by itself: what it would be
// asked for can then be told from what it was.
func allRoles(nodes []node, honest int, sample float64) {
	if sample < 1 {
		for j := range nodes {
			nodes[j].roles = []rpc.Role{rpc.RoleLive, rpc.RoleRecord}
			if j == honest {
				nodes[j].roles = []rpc.Role{rpc.RoleCheck}
			}
		}
		return
	}
	for _, role := range rpc.AllRoles() {
		if !slices.ContainsFunc(nodes, func(n node) bool { return len(n.roles) == 0 || slices.Contains(n.roles, role) }) {
			nodes[0].roles = nil
		}
	}
}

func without(list []simchain.Fault, k simchain.Fault) []simchain.Fault {
	return slices.DeleteFunc(slices.Clone(list), func(f simchain.Fault) bool { return f == k })
}
