//go:build sim

package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"minesaudit/internal/simchain"
)

// schedule is everything that a seed decides: the chain, and for each of two
// daemons what goes wrong with its nodes and when it is stopped.
type schedule struct {
	seed  int64
	chain simchain.Config
	forks bool          // starts and ends are taken back, or land again
	pace  time.Duration // between two blocks, at least
	sides [2]side
}

// side is one daemon's part of a run. Moments are blocks, counted from the
// chain's first.
type side struct {
	nodes  []node  // in the daemon's order of preference
	sample float64 // the share of transactions of which a second node is asked as well
	begins int     // the daemon is started for the first time; later than the games' end it finds history only
	stops  []stop  // in order, and not overlapping
	cuts   []int   // every session of its database is ended
	looks  []int   // the record is looked at, and held against the look before
}

// stop is a daemon that is away for some blocks.
type stop struct{ at, back int }

// plan draws a schedule from a seed. Two worlds of three have several nodes to a
// daemon; in one of three of these the second daemon has one node all the same, and
// an honest one, to be compared with.
func plan(seed int64) schedule {
	d := rand.New(rand.NewPCG(uint64(seed), 0x51_6d))
	s := schedule{seed: seed, pace: time.Duration(between(d, 1, 10)) * time.Millisecond}
	s.chain = simchain.Config{
		Seed: seed, Games: between(d, 15, 45), GamesPerSlot: between(d, 1, 3), FinalitySlots: between(d, 6, 14),
		Hostile: oneIn(d, 3), CPI: oneIn(d, 3), Cheats: cheats(d),
	}
	if oneIn(d, 2) {
		s.chain.TruncateEvery = between(d, 3, 10)
	}
	s.forks = oneIn(d, 2)
	blocks := s.chain.Games/s.chain.GamesPerSlot + 20
	several := !oneIn(d, 3)
	for i := range s.sides {
		s.sides[i] = draw(d, blocks)
		if several && (i == 0 || !oneIn(d, 3)) {
			s.sides[i].nodes, s.sides[i].sample = drawSeveral(d)
		} else {
			s.sides[i].nodes = []node{drawSingle(d)}
		}
	}
	s.seedNodes()
	return s
}

// seedNodes gives each node a seed of its own for its faults.
func (s *schedule) seedNodes() {
	for i := range s.sides {
		for j := range s.sides[i].nodes {
			s.sides[i].nodes[j].seed = s.seed*2*mostNodes + int64(nodeIndex(i, j))
		}
	}
}

// draw decides what one daemon lives through, but for its nodes.
func draw(d *rand.Rand, blocks int) side {
	var s side
	if oneIn(d, 4) {
		s.begins = d.IntN(2 * blocks)
	}
	at := s.begins
	for range d.IntN(4) {
		at += between(d, 1, blocks/2)
		back := at + d.IntN(30)
		s.stops = append(s.stops, stop{at, back})
		at = back
	}
	for range d.IntN(3) {
		s.cuts = append(s.cuts, d.IntN(blocks))
	}
	for range 6 {
		s.looks = append(s.looks, d.IntN(blocks+20))
	}
	return s
}

func cheats(d *rand.Rand) []simchain.Cheat {
	all := simchain.Cheats()
	switch d.IntN(3) {
	case 0:
		return nil
	case 1:
		return all
	}
	d.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:between(d, 1, 4)]
}

func oneIn(d *rand.Rand, n int) bool { return d.IntN(n) == 0 }

func between(d *rand.Rand, low, high int) int { return low + d.IntN(high-low+1) }

// has tells whether any of the daemon's nodes has a fault.
func (s *side) has(k simchain.Fault) bool { return slices.Contains(s.faults(), k) }

// liars counts the nodes that lie.
func (s *side) liars() (count int) {
	for i := range s.nodes {
		if s.nodes[i].lies() {
			count++
		}
	}
	return count
}

// faults lists all that goes wrong with its nodes.
func (s *side) faults() (all []simchain.Fault) {
	for i := range s.nodes {
		all = append(all, s.nodes[i].faults...)
	}
	return all
}

// several tells whether one node's word is held against another's.
func (s *side) several() bool { return len(s.nodes) > 1 }

// partial tells whether a log that the node cuts short is to be had nowhere else.
func (s *side) partial() bool { return !s.several() && s.has(shortLogs) }

// comparable tells whether all that may be said otherwise than elsewhere is known: not
// what a log hides, nor what a liar told that was not asked for.
func (s *side) comparable() bool { return !s.partial() && (s.sample == 1 || s.liars() == 0) }

// settles tells whether whatever a liar says is outvoted: two others give everything
// as it is.
func (s *side) settles() bool {
	upright := 0
	for i := range s.nodes {
		if n := &s.nodes[i]; !n.lies() && !n.has(shortLogs) {
			upright++
		}
	}
	return upright >= 2 && s.sample == 1
}

func (s *schedule) String() string {
	var b strings.Builder
	c := &s.chain
	fmt.Fprintf(&b, "chain: %d games, %d a slot, finality %d, hostile %v, cpi %v, truncate every %d, forks %v, cheats %v, %v a block",
		c.Games, c.GamesPerSlot, c.FinalitySlots, c.Hostile, c.CPI, c.TruncateEvery, s.forks, c.Cheats, s.pace)
	for i := range s.sides {
		d := &s.sides[i]
		fmt.Fprintf(&b, "\ndaemon %d: from block %d, away %v, sessions ended at %v, a second node is asked of %v", i, d.begins, d.stops, d.cuts, d.sample)
		for j := range d.nodes {
			n := &d.nodes[j]
			fmt.Fprintf(&b, "\n  node %s: roles %v, faults %v", nodeName(j), n.roles, n.faults)
		}
	}
	return b.String()
}
