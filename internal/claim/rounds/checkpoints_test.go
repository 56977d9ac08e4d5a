package rounds

import (
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"minesaudit/internal/claim/checkpoint"
	"minesaudit/internal/verify"
)

// pointsOf makes checkpoints from a round's hash down to the terminal.
func pointsOf(t *testing.T, list []verify.ChainHash, round int, every uint64) *checkpoint.Lookup {
	t.Helper()
	c, _, err := checkpoint.Extend(filepath.Join(t.TempDir(), "chain"), list[round], every, uint64(round), nil)
	if err != nil {
		t.Fatal(err)
	}
	return checkpoint.NewLookup(c)
}

// With checkpoints the results are the same, and what lies below the lowest
// round is not hashed again.
func TestCheckpointsChangeNoResult(t *testing.T) {
	list := hashes(3000)
	all := honest(t, list, None)
	high := append(append([]line{}, all[2800:2850]...), all[2900:]...)
	high[3] = line{"round": high[3]["round"], "hash": strings.Repeat("ab", 32)}
	high[50] = line{"round": high[50]["round"], "hash": strings.Repeat("cd", 32)}
	far := []line{all[4], all[2500], all[2999]}
	for name, lines := range map[string][]line{"high": high, "far apart": far, "all": all} {
		for _, form := range []verify.TerminalForm{verify.FinalSHA256, verify.EitherForm} {
			chain := chainOf(list, None)
			chain.Form = form
			want := auditText(t, Options{Chain: chain}, asJSON(t, lines))
			for _, from := range []int{3000, 2870, 400} {
				var taken atomic.Int64
				o := Options{Chain: chain, Checkpoints: pointsOf(t, list, from, 25)}
				o.Progress.Hashed = func(n uint64) { taken.Add(int64(n)) }
				r := auditText(t, o, asJSON(t, lines))
				if wholly(r) != wholly(want) {
					t.Errorf("%s, checkpoints from %d:\n%s\nwithout\n%s", name, from, wholly(r), wholly(want))
				}
				if n := taken.Load(); name != "all" && from == 3000 && n > 600 {
					t.Errorf("%s: %d hashes, with a checkpoint every 25", name, n)
				}
				if !strings.Contains(strings.Join(r.Unproved(), "\n"), "checkpoints") {
					t.Error("it is not said what rests on the checkpoints")
				}
			}
		}
	}
}

func TestCheckpointsOfAnotherChainAreRefused(t *testing.T) {
	list := hashes(100)
	text := asJSON(t, honest(t, list, None))
	other := chainOf(list, None)
	other.Terminal = verify.HashText("other")
	if _, err := Audit(sourcesOf(text), Options{Chain: other, Checkpoints: pointsOf(t, list, 100, 10)}); !errors.Is(err, ErrNoTerminal) {
		t.Errorf("another terminal: %v", err)
	}
	c, _, err := checkpoint.Extend(filepath.Join(t.TempDir(), "chain"), list[100], 10, 99, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Audit(sourcesOf(text), Options{Chain: chainOf(list, None), Checkpoints: checkpoint.NewLookup(c)}); !errors.Is(err, ErrNoTerminal) {
		t.Errorf("one step short of the terminal: %v", err)
	}
}
