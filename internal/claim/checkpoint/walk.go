package checkpoint

import (
	"errors"
	"fmt"
	"os"

	"minesaudit/internal/verify"
)

// reportEvery is how many steps are taken between two reports of progress.
const reportEvery = 100_000

// Walk gives H applied steps times to a hash. Progress, if not nil, is told of
// steps that were taken.
func Walk(from verify.ChainHash, steps uint64, progress func(n uint64)) verify.ChainHash {
	for steps > 0 {
		n := min(steps, reportEvery)
		for range n {
			from = from.Next()
		}
		steps -= n
		if progress != nil {
			progress(n)
		}
	}
	return from
}

// Extend makes the file, or takes it up where it ended, until its last
// checkpoint is at the step or beyond. It returns the chain, and the step at
// which the hashing began: that of a checkpoint, which was hashed again.
func Extend(path string, from verify.ChainHash, every, steps uint64, progress func(n uint64)) (c *Chain, began uint64, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("checkpoints in %s: %w", path, err)
		}
	}()
	if every == 0 || steps/every > MaxCheckpoints-2 {
		return nil, 0, fmt.Errorf("%w: %d steps with one every %d: want at most %d", ErrTooMany, steps, every, MaxCheckpoints)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := lock(f); err != nil {
		return nil, 0, err
	}
	if c, err = takeUp(f, from, every); err != nil {
		return nil, 0, err
	}
	if began, err = c.recheckEnd(progress); err != nil {
		return nil, 0, err
	}
	return c, began, c.append(f, steps, progress)
}

// takeUp reads what is there, takes away a line that was cut off, and begins a
// file that is empty.
func takeUp(f *os.File, from verify.ChainHash, every uint64) (*Chain, error) {
	c, length, err := read(f)
	switch {
	case err != nil:
		return nil, err
	case c != nil && c.From() != from:
		return nil, fmt.Errorf("%w: it begins with %s", ErrForeign, c.From())
	case c != nil && c.Every != every:
		return nil, fmt.Errorf("%w: its checkpoints are %d steps apart, not %d", ErrForeign, c.Every, every)
	}
	if err := f.Truncate(length); err != nil {
		return nil, err
	}
	if _, err := f.Seek(length, 0); err != nil {
		return nil, err
	}
	if c != nil {
		return c, nil
	}
	c = &Chain{Every: every, points: []Point{{Hash: from}}}
	_, err = f.WriteString(c.extendSum(headText(from, every)))
	return c, err
}

// recheckEnd hashes the way to the last checkpoint from the one before.
func (c *Chain) recheckEnd(progress func(uint64)) (began uint64, err error) {
	if len(c.points) == 1 {
		return 0, nil
	}
	before := c.points[len(c.points)-2]
	return before.Step, c.recheck(len(c.points)-1, progress)
}

// recheck hashes the way to a checkpoint from the one before.
func (c *Chain) recheck(i int, progress func(uint64)) error {
	before, p := c.points[i-1], c.points[i]
	if Walk(before.Hash, p.Step-before.Step, progress) != p.Hash {
		return fmt.Errorf("%w: the hash of step %d does not follow from that of step %d", ErrDamaged, p.Step, before.Step)
	}
	return nil
}

// append hashes on and writes a line a checkpoint. A crash between two leaves
// the first of them, and a crash within one a line without its end.
func (c *Chain) append(f *os.File, steps uint64, progress func(uint64)) error {
	if c.End().Step >= steps {
		return nil
	}
	for c.End().Step < steps {
		last := c.End()
		next := min(last.Step+c.Every-last.Step%c.Every, steps)
		p := Point{next, Walk(last.Hash, next-last.Step, progress)}
		if _, err := f.WriteString(c.extendSum(pointText(p))); err != nil {
			return fmt.Errorf("write step %d: %w", next, err)
		}
		c.points = append(c.points, p)
	}
	return f.Sync()
}
