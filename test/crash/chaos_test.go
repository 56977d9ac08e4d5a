//go:build crash

package crash

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"minesaudit/internal/store"
)

// For as long as CHAOS says, rounds are lived through in which everybody is killed,
// stopped and cut off at random moments: each record is what an undisturbed daemon
// makes of the same chain.
func TestChaos(t *testing.T) {
	length := 45 * time.Second // for every change
	if text := os.Getenv("CHAOS"); text != "" {
		var err error
		length, err = time.ParseDuration(text)
		must(t, err)
	} else {
		t.Parallel()
	}
	seeds, only := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0)), os.Getenv("CRASH_SEED") != ""
	for begun := time.Now(); time.Since(begun) < length; {
		seed := seeds.Uint64() >> 32
		if only {
			seed = seedOf(t)
		}
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			want := crewReference(t, true)
			r := newRound(t, seed)
			err := r.live(t, want)
			chaos.add(r.tally, time.Since(begun), err != nil)
			if err != nil {
				t.Errorf("%v\nlive through it again: CRASH_SEED=%d make chaos CHAOS=1s", err, seed)
			}
		})
		if only {
			break
		}
	}
}

// A leader that goes on at the head after each kill must be found out.
func TestChaosFindsADaemonThatSkipsWhatItMissed(t *testing.T) {
	t.Parallel()
	want := crewReference(t, true)
	found(t, newRound(t, 2, weak(store.WeakStartAtHead)).live(t, want), errDiffers)
}

// chaos is what the rounds of this process amount to.
var chaos = figure{tally: newTally()}

type figure struct {
	tally
	rounds, failed int
	took           time.Duration
}

func (f *figure) add(t tally, took time.Duration, failed bool) {
	f.rounds++
	f.took = took
	if failed {
		f.failed++
	}
	for kind, n := range t.kills {
		f.kills[kind] += n
	}
	for kind, n := range t.others {
		f.others[kind] += n
	}
}

func (f *figure) String() string {
	kills := 0
	for _, n := range f.kills {
		kills += n
	}
	return fmt.Sprintf("chaos: %v, %d rounds, %d failed; %d times something was killed: %s; besides: %s",
		f.took.Round(time.Second), f.rounds, f.failed, kills, listed(f.kills), listed(f.others))
}

// listed names kinds with their numbers, the most frequent first.
func listed(kinds map[string]int) string {
	names := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(cmp.Compare(kinds[b], kinds[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, kinds[name])
	}
	return strings.Join(names, ", ")
}
