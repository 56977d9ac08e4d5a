package rounds

import (
	"runtime"
	"sync"
	"sync/atomic"

	"minesaudit/internal/verify"
)

// A link says what came of hashing a round's hash down to the next thing below.
type link uint8

const (
	linkBroken    link = iota
	linkToRound        // it leads to the hash of the next lower round that was given
	linkToFixed        // it leads to the terminal, or to a checkpoint
	brokenAtFixed      // it should have led to one of these, and does not
)

// A fixed point is a hash of the chain that needs no proof by a round.
type fixed struct {
	position uint64 // steps to the terminal
	hash     verify.ChainHash
}

// fixedBelow is the nearest fixed point at or below a position: a checkpoint, or
// the terminal.
func (a *audit) fixedBelow(position uint64) (fixed, error) {
	if a.points == nil {
		return fixed{0, a.chain.Terminal}, nil
	}
	end := a.points.Chain().End().Step
	point, err := a.points.Below(end-min(position, end), a.hashed)
	return fixed{end - point.Step, point.Hash}, err
}

// walk hashes on until a hash is met, at most so many steps.
func (a *audit) walk(from, to verify.ChainHash, limit uint64) (steps uint64, found bool) {
	const reportEvery = 50_000
	reported := uint64(0)
	for steps = 0; from != to; steps++ {
		if steps == limit {
			a.hashed(steps - reported)
			return steps, false
		}
		if steps-reported == reportEvery {
			a.hashed(reportEvery)
			reported = steps
		}
		from = from.Next()
	}
	a.hashed(steps - reported)
	return steps, true
}

// farGap is from how many checkpoints' distance on a link goes to the nearest
// checkpoint instead: using one costs that distance twice.
const farGap = 3

// below says what a round is to lead to: the next lower round, or a fixed point.
func (a *audit) below(round, lower uint32) (to fixed, isFixed bool, err error) {
	position := a.position(round)
	if lower == 0 {
		to, err = a.fixedBelow(position)
		return to, true, err
	}
	if a.points != nil && position-a.position(lower) > farGap*a.points.Chain().Every {
		if to, err = a.fixedBelow(position); err != nil || to.position > a.position(lower) {
			return to, true, err
		}
	}
	return fixed{a.position(lower), a.table.at(lower).chainHash()}, false, nil
}

// linkAll hashes every link once, on all cores, a page of rounds at a time. A
// worker writes to its own page alone, and reads hashes of any.
func (a *audit) linkAll() error {
	var (
		next atomic.Int64
		wait sync.WaitGroup
		once sync.Once
		bad  error
	)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for {
				p := int(next.Add(1) - 1)
				if p >= a.table.end {
					return
				}
				if err := a.linkPage(p); err != nil {
					once.Do(func() { bad = err })
					next.Store(int64(a.table.end))
				}
			}
		})
	}
	wait.Wait()
	return bad
}

func (a *audit) linkPage(p int) error {
	lower := a.before[p]
	for round, e := range a.table.page(p) {
		to, isFixed, err := a.below(round, lower)
		if err != nil {
			return err
		}
		lower = round
		gap := a.position(round) - to.position
		steps, found := a.walk(e.chainHash(), to.hash, gap)
		switch {
		case found && steps == gap && isFixed:
			e.link = linkToFixed
		case found && steps == gap:
			e.link = linkToRound
		case isFixed:
			e.link = brokenAtFixed
		default:
			e.link = linkBroken
		}
		if found && steps < gap {
			a.far.add(round, to.position+steps)
		}
	}
	return nil
}

// farFinds remembers rounds whose way down met the hash below too early.
type farFinds struct {
	mu   sync.Mutex
	list map[uint32]uint64 // the position that the hash has, if the one below is right
}

func (f *farFinds) add(round uint32, position uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.list == nil {
		f.list = map[uint32]uint64{}
	}
	if len(f.list) < MaxFindings {
		f.list[round] = position
	}
}
