package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"minesaudit/internal/verify"
)

var from = verify.HashText("secret")

const every, steps = 10, 95

// naive is the hash of a step, by the plain rule.
func naive(step uint64) verify.ChainHash {
	h := from
	for range step {
		h = verify.HashText(h.String())
	}
	return h
}

// made is a whole file.
func made(t *testing.T) (path, text string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "chain")
	if _, _, err := Extend(path, from, every, steps, nil); err != nil {
		t.Fatal(err)
	}
	return path, content(t, path)
}

func content(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLookupIsTheChain(t *testing.T) {
	path, _ := made(t)
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if c.From() != from || c.End() != (Point{steps, naive(steps)}) || c.Every != every {
		t.Fatalf("from %s to %+v", c.From(), c.End())
	}
	for step := range uint64(steps + 1) {
		taken := uint64(0)
		got, err := NewLookup(c).At(step, func(n uint64) { taken += n })
		if err != nil || got != naive(step) {
			t.Errorf("step %d: %s, %v", step, got, err)
		}
		if taken > 2*every {
			t.Errorf("step %d: %d hashes, though the nearest checkpoint is within %d", step, taken, every)
		}
		below, err := NewLookup(c).Below(step, nil)
		if err != nil || below.Step < step || below.Step-step >= every || below.Hash != naive(below.Step) {
			t.Errorf("below step %d: %+v, %v", step, below, err)
		}
	}
	if _, err := NewLookup(c).At(steps+1, nil); !errors.Is(err, ErrBeyond) {
		t.Errorf("beyond the end: %v", err)
	}
	if _, err := NewLookup(c).Below(steps+1, nil); !errors.Is(err, ErrBeyond) {
		t.Errorf("below the end: %v", err)
	}
}

// A file that was cut off anywhere becomes the same again, without beginning anew.
func TestTakenUpWhereItWasCut(t *testing.T) {
	path, whole := made(t)
	for length := range len(whole) + 1 {
		write(t, path, whole[:length])
		lines := uint64(max(0, strings.Count(whole[:length], "\n")-1))
		taken := uint64(0)
		c, began, err := Extend(path, from, every, steps, func(n uint64) { taken += n })
		if err != nil {
			t.Fatalf("cut at byte %d: %v", length, err)
		}
		if got := content(t, path); got != whole || c.End() != (Point{steps, naive(steps)}) {
			t.Fatalf("cut at byte %d: the file is\n%s\nwant\n%s", length, got, whole)
		}
		if want := max(lines, 1)*every - every; began != want || taken != steps-want {
			t.Fatalf("cut at byte %d, behind %d checkpoints: began at %d and took %d steps", length, lines, began, taken)
		}
	}
}

func TestExtendsFurther(t *testing.T) {
	path, _ := made(t)
	c, _, err := Extend(path, from, every, 123, nil)
	if err != nil || c.End() != (Point{123, naive(123)}) {
		t.Fatalf("%+v, %v", c, err)
	}
	loaded, err := Load(path)
	if err != nil || loaded.End() != c.End() {
		t.Fatalf("%+v, %v", loaded, err)
	}
	for step := range uint64(124) {
		if got, err := NewLookup(loaded).At(step, nil); err != nil || got != naive(step) {
			t.Errorf("step %d: %s, %v", step, got, err)
		}
	}
	before := content(t, path)
	if c, _, err := Extend(path, from, every, 50, nil); err != nil || c.End().Step != 123 || content(t, path) != before {
		t.Errorf("asked for less: %+v, %v", c, err)
	}
}

// Any line that was changed, left out, doubled or put elsewhere is found.
func TestDamageIsRefused(t *testing.T) {
	path, whole := made(t)
	refused := func(name, text string, want error) {
		t.Helper()
		write(t, path, text)
		if _, err := Load(path); !errors.Is(err, want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: load: %v, want %v", name, err, want)
		}
		if _, _, err := Extend(path, from, every, steps, nil); !errors.Is(err, want) {
			t.Errorf("%s: extend: %v, want %v", name, err, want)
		}
		if got := content(t, path); got != text {
			t.Errorf("%s: the file was changed", name)
		}
	}
	lines := strings.SplitAfter(whole, "\n")
	for i := range lines[:len(lines)-2] {
		without := append(append([]string{}, lines[:i]...), lines[i+1:]...)
		if i == 0 {
			refused("no first line", strings.Join(without, ""), ErrForeign)
			continue
		}
		refused(fmt.Sprint("without line ", i+1), strings.Join(without, ""), ErrDamaged)
		doubled := append(append([]string{}, lines[:i+1]...), lines[i:]...)
		refused(fmt.Sprint("line doubled ", i+1), strings.Join(doubled, ""), ErrDamaged)
	}
	for i := range len(whole) - 1 {
		changed := []byte(whole)
		if changed[i]++; whole[i] == '\n' {
			continue // joins two lines, as the next test has it
		}
		want := ErrDamaged
		if i < len(magic) {
			want = ErrForeign
		}
		write(t, path, string(changed))
		if _, err := Load(path); !errors.Is(err, want) && !(i <= strings.Index(whole, "\n") && errors.Is(err, ErrForeign)) {
			t.Errorf("byte %d changed: %v, want %v", i, err, want)
		}
	}
	refused("two lines joined", strings.Replace(whole, "\n", " ", 3), ErrForeign)
	refused("nul bytes in a whole line", lines[0]+strings.Repeat("\x00", 50)+"\n", ErrDamaged)
	refused("another file", "hello\n", ErrForeign)
	refused("another file without a newline", "hello", ErrForeign)

	write(t, path, whole)
	if _, _, err := Extend(path, verify.HashText("other"), every, steps, nil); !errors.Is(err, ErrForeign) {
		t.Errorf("another chain: %v", err)
	}
	if _, _, err := Extend(path, from, every+1, steps, nil); !errors.Is(err, ErrForeign) {
		t.Errorf("another distance: %v", err)
	}
	if _, _, err := Extend(path, from, 1, MaxCheckpoints, nil); !errors.Is(err, ErrTooMany) {
		t.Errorf("more checkpoints than a file may have: %v", err)
	}
	write(t, path, "")
	if _, err := Load(path); !errors.Is(err, ErrForeign) {
		t.Errorf("an empty file: %v", err)
	}
}

// A file whose sums fit and whose hashes do not is found where it is used.
func TestForgedCheckpointIsNotUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chain")
	forged := func(at int) *Chain {
		c := &Chain{Every: every, points: []Point{{Hash: from}}}
		text := c.extendSum(headText(from, every))
		for i := 1; i <= 5; i++ {
			p := Point{uint64(i) * every, naive(uint64(i) * every)}
			if i == at {
				p.Hash = verify.HashText("forged")
			}
			text += c.extendSum(pointText(p))
		}
		write(t, path, text)
		loaded, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		return loaded
	}
	l := NewLookup(forged(3))
	for range 2 {
		if _, err := l.At(34, nil); !errors.Is(err, ErrDamaged) {
			t.Errorf("from the forged one: %v", err)
		}
		if _, err := l.At(44, nil); !errors.Is(err, ErrDamaged) {
			t.Errorf("from the one behind it: %v", err)
		}
		if _, err := l.Below(25, nil); !errors.Is(err, ErrDamaged) {
			t.Errorf("down to the forged one: %v", err)
		}
		if _, err := l.Below(15, nil); !errors.Is(err, ErrDamaged) {
			t.Errorf("down to the one before it: %v", err)
		}
	}
	if h, err := l.At(15, nil); err != nil || h != naive(15) {
		t.Errorf("away from it: %v", err)
	}
	forged(5)
	if _, _, err := Extend(path, from, every, 80, nil); !errors.Is(err, ErrDamaged) {
		t.Errorf("taken up behind a forged one: %v", err)
	}
}

func TestOneAtATime(t *testing.T) {
	path, _ := made(t)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if err := lock(f); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Extend(path, from, every, steps, nil); !errors.Is(err, ErrInUse) {
		t.Errorf("two at a time: %v", err)
	}
}

// FuzzLoad reads anything, and what it takes for a chain it writes again.
func FuzzLoad(f *testing.F) {
	c := &Chain{Every: 2, points: []Point{{Hash: from}}}
	text := c.extendSum(headText(from, 2)) + c.extendSum(pointText(Point{2, naive(2)})) + c.extendSum(pointText(Point{3, naive(3)}))
	f.Add([]byte(text))
	f.Add([]byte(text[:len(text)-9]))
	f.Add([]byte(magic))
	path := filepath.Join(f.TempDir(), "chain")
	f.Fuzz(func(t *testing.T, in []byte) {
		if err := os.WriteFile(path, in, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load(path)
		if err != nil {
			if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrForeign) {
				t.Fatal(err)
			}
			return
		}
		again := &Chain{}
		text := again.extendSum(headText(c.From(), c.Every))
		for _, p := range c.points[1:] {
			text += again.extendSum(pointText(p))
		}
		if !strings.HasPrefix(string(in), text) {
			t.Fatalf("%q was read as %q", in, text)
		}
	})
}
