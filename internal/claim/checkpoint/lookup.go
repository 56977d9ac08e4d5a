package checkpoint

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"minesaudit/internal/verify"
)

// ErrBeyond means that a step lies behind the last checkpoint's.
var ErrBeyond = errors.New("the checkpoints end before this step")

// A Lookup gives hashes of a chain, from the nearest checkpoint each. It may be
// used from several goroutines.
type Lookup struct {
	chain *Chain

	mu      sync.Mutex
	checked map[int]error // what came of hashing the way to a checkpoint again
}

// NewLookup prepares look-ups.
func NewLookup(c *Chain) *Lookup { return &Lookup{chain: c, checked: map[int]error{}} }

// Chain is what is looked up in.
func (l *Lookup) Chain() *Chain { return l.chain }

// At is the hash of a step, hashed on from the checkpoint before it. That this
// one follows from the one before is hashed again.
func (l *Lookup) At(step uint64, progress func(n uint64)) (verify.ChainHash, error) {
	points := l.chain.points
	if step > l.chain.End().Step {
		return verify.ChainHash{}, fmt.Errorf("step %d: %w, at %d", step, ErrBeyond, l.chain.End().Step)
	}
	i, found := slices.BinarySearchFunc(points, step, comparePoint)
	if !found {
		i--
	}
	if i > 0 { // the first was given, not computed
		if err := l.use(i, progress); err != nil {
			return verify.ChainHash{}, err
		}
	}
	return Walk(points[i].Hash, step-points[i].Step, progress), nil
}

// Below is the first checkpoint at or behind a step. That it leads on to the
// one behind it is hashed again; where none is, the caller knows the chain's end.
func (l *Lookup) Below(step uint64, progress func(n uint64)) (Point, error) {
	points := l.chain.points
	i, _ := slices.BinarySearchFunc(points, step, comparePoint)
	if i == len(points) {
		return Point{}, fmt.Errorf("step %d: %w, at %d", step, ErrBeyond, l.chain.End().Step)
	}
	if i+1 < len(points) {
		if err := l.use(i+1, progress); err != nil {
			return Point{}, err
		}
	}
	return points[i], nil
}

func comparePoint(p Point, step uint64) int { return cmp.Compare(p.Step, step) }

// use hashes the way to a checkpoint again, once.
func (l *Lookup) use(i int, progress func(uint64)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err, done := l.checked[i]
	if !done {
		err = l.chain.recheck(i, progress)
		l.checked[i] = err
	}
	return err
}
