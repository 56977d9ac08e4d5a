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
// daemons what goes wrong with its node and when it is stopped.
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
	faults []simchain.Fault
	begins int    // the daemon is started for the first time; later than the games' end it finds history only
	stops  []stop // in order, and not overlapping
	cuts   []int  // every session of its database is ended
	looks  []int  // the record is looked at, to be compared with what is said of the same slots in the end
	seed   int64  // of its node's faults
}

// stop is a daemon that is away for some blocks.
type stop struct{ at, back int }

// plan draws a schedule from a seed.
func plan(seed int64) schedule {
	d := rand.New(rand.NewPCG(uint64(seed), 0x51_6d))
	s := schedule{seed: seed, pace: time.Duration(1+d.IntN(6)) * time.Millisecond}
	s.chain = simchain.Config{
		Seed: seed, Games: between(d, 15, 45), GamesPerSlot: between(d, 1, 3), FinalitySlots: between(d, 6, 14),
		Hostile: oneIn(d, 3), CPI: oneIn(d, 3), Cheats: cheats(d),
	}
	if oneIn(d, 2) {
		s.chain.TruncateEvery = between(d, 3, 10)
	}
	s.forks = oneIn(d, 2)
	blocks := s.chain.Games/s.chain.GamesPerSlot + 20
	for i := range s.sides {
		s.sides[i] = draw(d, blocks)
		s.sides[i].seed = seed*2 + int64(i)
	}
	return s
}

// draw decides what one daemon lives through. Half of the faults that an honest
// node can have are rarely all there at once; often it is a few, sometimes none.
func draw(d *rand.Rand, blocks int) side {
	var s side
	most := [...]int{0, 3, 6, 20}[d.IntN(4)]
	for _, k := range simchain.FaultKinds() {
		if !k.Lie && d.IntN(20) < most && k.Fault != forks {
			s.faults = append(s.faults, k.Fault)
		}
	}
	// Both daemons are to come to the same record, which they cannot where one
	// node keeps less of a log.
	if !oneIn(d, 4) {
		s.faults = without(s.faults, shortLogs)
	}
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
	for range 4 {
		s.looks = append(s.looks, d.IntN(blocks+20))
	}
	return s
}

// Faults of which a run takes account.
const (
	forks     simchain.Fault = "forks"    // the chain's, whichever node makes them
	shortLogs simchain.Fault = "truncate" // of what a log hides, nobody can judge
	holes     simchain.Fault = "holes"    // a range that was taken for complete may gain what was missing
)

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

func without(list []simchain.Fault, k simchain.Fault) []simchain.Fault {
	return slices.DeleteFunc(list, func(f simchain.Fault) bool { return f == k })
}

func (s *side) has(k simchain.Fault) bool { return slices.Contains(s.faults, k) }

func (s *schedule) String() string {
	var b strings.Builder
	c := &s.chain
	fmt.Fprintf(&b, "chain: %d games, %d a slot, finality %d, hostile %v, cpi %v, truncate every %d, forks %v, cheats %v, %v a block",
		c.Games, c.GamesPerSlot, c.FinalitySlots, c.Hostile, c.CPI, c.TruncateEvery, s.forks, c.Cheats, s.pace)
	for i := range s.sides {
		d := &s.sides[i]
		fmt.Fprintf(&b, "\ndaemon %d: from block %d, away %v, sessions ended at %v, faults %v", i, d.begins, d.stops, d.cuts, d.faults)
	}
	return b.String()
}
