package simchain

import (
	"errors"
	"sync"
)

// ErrFinality says that a fork needs more slots than finality leaves it.
var ErrFinality = errors.New("finality is too near for a fork: 5 slots or more are needed")

type forkKind uint8

const (
	forkStart forkKind = iota
	forkEnd
)

// forkPlan is the forks that are still to come. They are the chain's: all nodes
// see the same.
type forkPlan struct {
	mu       sync.Mutex
	finality int
	wanted   [2]struct{ drop, reland int } // by forkKind
	drawn    *plan                         // nil: none but those wanted
}

func (f *forkPlan) want(kind forkKind, drop, reland int) error {
	if f.finality < 5 {
		return ErrFinality
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wanted[kind].drop += drop
	f.wanted[kind].reland += reland
	return nil
}

// draw lets the seed decide from now on; a nil plan ends that.
func (f *forkPlan) draw(p *plan) error {
	if p.has(forks) && f.finality < 5 {
		return ErrFinality
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drawn = p
	return nil
}

// take tells whether a transaction that has just been made is taken back, and
// whether it lands again.
func (f *forkPlan) take(kind forkKind, t *tx) (lands, forked bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch k := &f.wanted[kind]; {
	case k.reland > 0:
		k.reland--
		return true, true
	case k.drop > 0:
		k.drop--
		return false, true
	}
	d, forked := f.drawn.marks(forks, t, 12)
	return forked && d.oneIn(2), forked
}
