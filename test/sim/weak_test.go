//go:build sim && crashpoints

package sim

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
)

// controls are the defences, each with the nodes that a daemon has where it is to be
// seen that the defence is off.
func controls() map[store.Weakness][]node {
	recorded, checks := []rpc.Role{rpc.RoleLive, rpc.RoleRecord}, []rpc.Role{rpc.RoleCheck}
	one := func(faults ...simchain.Fault) []node { return []node{{faults: faults}} }
	// A daemon that hears and reads the first, and has the second to hold it against.
	against := func(second []simchain.Fault, first ...simchain.Fault) []node {
		return []node{{faults: first, roles: recorded}, {faults: second, roles: checks}}
	}
	return map[store.Weakness][]node{
		store.WeakStartAtHead:   one("drop"),
		store.WeakNoCut:         one("delay"),
		store.WeakFrontierFirst: one("drop"),
		store.WeakGiveUp:        one("drop"),
		store.WeakNoOverlap:     one("drop", "holes"),
		store.WeakNoCompare:     one(),
		store.WeakShortPageEnds: one("drop", "pages"),
		store.WeakSkipUnfetched: one("drop", "history"),
		store.WeakSameSignature: one(),
		store.WeakTakeCutLogs:   one(),

		store.WeakNoExamine:  against(nil, alter),
		store.WeakNoUnhide:   against(nil, hide),
		store.WeakNoLonger:   against(nil, shortLogs),
		store.WeakOneWord:    against(nil, invent),
		store.WeakNoRecheck:  {{faults: []simchain.Fault{hide}, roles: recorded}, {down: true, roles: checks}},
		store.WeakBackIsFork: against([]simchain.Fault{"lag"}, "lag"),
	}
}

// TestWeaknessesAreFound leaves one defence after the other off: each must be found
// out within some seeds, and by what it does wrong. Without that, seeds that pass
// show nothing.
func TestWeaknessesAreFound(t *testing.T) {
	from := template(t)
	for weakness, nodes := range controls() {
		t.Run(string(weakness), func(t *testing.T) {
			t.Setenv("MINESAUDIT_WEAKNESS", string(weakness))
			found := hunt(t, from, func(seed int64) schedule { return control(seed, weakness, nodes) })
			if found == nil {
				t.Errorf("not found out in %d seeds", mostSeeds)
			} else {
				t.Log(found)
			}
		})
	}
}

// TestControlsPassDefended lives through the same worlds with every defence on. One
// that fails would be found out whatever was left off.
func TestControlsPassDefended(t *testing.T) {
	from := template(t)
	t.Run("all", func(t *testing.T) {
		for weakness, nodes := range controls() {
			t.Run(string(weakness), func(t *testing.T) {
				t.Parallel()
				for seed := int64(1); seed <= 2; seed++ {
					if _, err := simulate(t, from, control(seed, weakness, nodes)); err != nil {
						t.Errorf("seed %d: %v", seed, err)
					}
				}
			})
		}
	})
}

// control is a seed's world in which a weakness shows soon.
func control(seed int64, weakness store.Weakness, nodes []node) schedule {
	s := plan(seed)
	s.forks, s.chain.CPI, s.chain.TruncateEvery = true, false, 3
	s.pace = 12 * time.Millisecond // so that there are passes enough while something goes wrong
	if len(nodes) > 1 {
		s.chain.Cheats = simchain.Cheats()
	}
	for i := range s.sides {
		s.sides[i].nodes, s.sides[i].sample, s.sides[i].begins = slices.Clone(nodes), 1, 0
		s.sides[i].looks = every(3)
	}
	switch weakness {
	case store.WeakBackIsFork: // seen only by a pass while the head is back
		s.pace = 40 * time.Millisecond
	case store.WeakNoCut: // news must come after their slot is final
		s.chain.FinalitySlots = 6
	case store.WeakFrontierFirst:
		for i := range s.sides {
			s.sides[i].cuts = every(7)
		}
	}
	s.seedNodes()
	return s
}

// hunt lives through seeds until one fails by what a daemon recorded, or by a
// daemon that gave up. One that fails by the machine ends t: hunted on without it,
// a weakness would have fewer seeds to show in than mostSeeds says.
func hunt(t *testing.T, from *databases, world func(seed int64) schedule) (found error) {
	t.Helper()
	var mu sync.Mutex
	var seeds errgroup.Group
	seeds.SetLimit(6)
	for seed := int64(1); seed <= mostSeeds; seed++ {
		seeds.Go(func() error {
			mu.Lock()
			done := found != nil
			mu.Unlock()
			if done {
				return nil
			}
			_, err := simulate(t, from, world(seed))
			if err == nil {
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			if !foundOut(err) {
				return fmt.Errorf("seed %d: %w", seed, err)
			}
			found = fmt.Errorf("seed %d: %w", seed, err)
			return nil
		})
	}
	if err := seeds.Wait(); err != nil {
		t.Fatal(err)
	}
	return found
}

// every lists each n-th block of a run.
func every(n int) (blocks []int) {
	for at := n; at < 200; at += n {
		blocks = append(blocks, at)
	}
	return blocks
}

// mostSeeds is in how many seeds a weakness must show.
const mostSeeds = 40

// foundOut tells whether a run failed by what a daemon did, rather than by the
// machine.
func foundOut(err error) bool {
	for _, e := range []error{errFalse, errMissed, errInvented, errUnexplained, errStanding, errShrunk, errChanged, errContradicts, errDiffers, errStopped} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
