package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"minesaudit/internal/verify"
)

// Outcomes that a caller acts on.
var (
	// ErrDamaged means that a file was changed since it was written.
	ErrDamaged = errors.New("the checkpoint file is damaged: remove it and make it again")
	// ErrForeign means that a file is of another chain, or none of ours.
	ErrForeign = errors.New("not the checkpoint file of this chain")
	// ErrInUse means that another process works on the file.
	ErrInUse = errors.New("another process works on the checkpoint file")
	// ErrTooMany means that a file would have more than MaxCheckpoints.
	ErrTooMany = errors.New("too many checkpoints")
)

// MaxCheckpoints bounds a file.
const MaxCheckpoints = 1_000_000

const magic = "minesaudit-chain 1"

// A Point is a hash of the chain.
type Point struct {
	Step uint64 // times that H was applied to the chain's first hash
	Hash verify.ChainHash
}

// A Chain is what a file holds.
type Chain struct {
	Every  uint64
	points []Point // the first at step 0
	sum    uint32  // of all whole lines
}

// From is the chain's first hash.
func (c *Chain) From() verify.ChainHash { return c.points[0].Hash }

// End is the last checkpoint.
func (c *Chain) End() Point { return c.points[len(c.points)-1] }

// Load reads a file of at least one line without changing it.
func Load(path string) (*Chain, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoints: %w", err)
	}
	defer func() { _ = f.Close() }()
	c, _, err := read(f)
	if err == nil && c == nil {
		err = fmt.Errorf("%w: it is empty", ErrForeign)
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoints in %s: %w", path, err)
	}
	return c, nil
}

// read reads the whole lines of a file and their length in bytes; nil where
// there is not even a first one.
func read(f *os.File) (*Chain, int64, error) {
	const longest = MaxCheckpoints * (20 + 64 + 8 + 3)
	text, err := io.ReadAll(io.LimitReader(f, longest))
	if err != nil {
		return nil, 0, err
	}
	if len(text) == longest {
		return nil, 0, fmt.Errorf("%w: more than %d bytes", ErrForeign, longest)
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	if len(whole) == 0 {
		if !strings.HasPrefix(magic, string(text[:min(len(text), len(magic))])) {
			return nil, 0, ErrForeign
		}
		return nil, 0, nil
	}
	first, rest, _ := bytes.Cut(whole, []byte("\n"))
	c, err := parseHead(string(first))
	if err != nil {
		return nil, 0, err
	}
	for number := 2; len(rest) > 0; number++ {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if err := c.parsePoint(string(line)); err != nil {
			return nil, 0, fmt.Errorf("%w: line %d: %w", ErrDamaged, number, err)
		}
	}
	return c, int64(len(whole)), nil
}

func parseHead(line string) (*Chain, error) {
	fields := strings.Split(strings.TrimPrefix(line, magic+" "), " ")
	if !strings.HasPrefix(line, magic+" ") || len(fields) != 3 {
		return nil, fmt.Errorf("%w: its first line is no such file's", ErrForeign)
	}
	from, fromErr := verify.ParseChainHash(fields[0])
	every, everyErr := strconv.ParseUint(fields[1], 10, 64)
	c := &Chain{}
	if err := errors.Join(fromErr, everyErr); err != nil || every == 0 || c.extendSum(headText(from, every)) != line+"\n" {
		return nil, fmt.Errorf("%w: line 1", ErrDamaged)
	}
	c.Every, c.points = every, []Point{{Hash: from}}
	return c, nil
}

func (c *Chain) parsePoint(line string) error {
	fields := strings.Split(line, " ")
	if len(fields) != 3 {
		return errors.New("want a step, a hash and a sum")
	}
	step, stepErr := strconv.ParseUint(fields[0], 10, 64)
	hash, hashErr := verify.ParseChainHash(fields[1])
	if err := errors.Join(stepErr, hashErr); err != nil {
		return err
	}
	p := Point{step, hash}
	switch last := c.End(); {
	case c.extendSum(pointText(p)) != line+"\n":
		return errors.New("its sum is not that of what stands before it")
	case p.Step <= last.Step || p.Step-last.Step > c.Every:
		return fmt.Errorf("step %d after %d", p.Step, last.Step)
	case len(c.points) > MaxCheckpoints:
		return fmt.Errorf("more than %d checkpoints", MaxCheckpoints)
	}
	c.points = append(c.points, p)
	return nil
}

func headText(from verify.ChainHash, every uint64) string {
	return fmt.Sprintf("%s %s %d", magic, from, every)
}

func pointText(p Point) string { return fmt.Sprintf("%d %s", p.Step, p.Hash) }

// extendSum adds a line's text to the sum and gives the line as it is written.
func (c *Chain) extendSum(text string) string {
	c.sum = crc32.Update(c.sum, crc32.IEEETable, []byte(text))
	return fmt.Sprintf("%s %08x\n", text, c.sum)
}

// lock takes the file for this process; the kernel ends it with the process.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrInUse
	}
	return err
}
