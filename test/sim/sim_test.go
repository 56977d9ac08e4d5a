//go:build sim

package sim

import (
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"minesaudit/internal/pglocal/pgtest"
)

func TestMain(m *testing.M) {
	code := pgtest.Main(m)
	if total.seeds.Load() > 0 {
		fmt.Println(total.String())
	}
	os.Exit(code)
}

// tally sums up what the seeds of this process amounted to.
type tally struct {
	began                                                                         time.Time
	seeds, failed, games, verdicts, faults, restarts, nodes, liars, disagreements atomic.Int64
}

var total = tally{began: time.Now()}

func (t *tally) add(f figures) {
	t.seeds.Add(1)
	t.games.Add(int64(f.games))
	t.verdicts.Add(int64(f.verdicts))
	t.faults.Add(int64(f.faults))
	t.restarts.Add(int64(f.restarts))
	t.nodes.Add(int64(f.nodes))
	t.liars.Add(int64(f.liars))
	t.disagreements.Add(int64(f.disagreements))
}

func (t *tally) String() string {
	seconds := time.Since(t.began).Seconds()
	return fmt.Sprintf("sim: %d seeds, %d failed; %d games, %d verdicts, %d nodes (%d of them liars), %d kinds of faults at work, %d disagreements, %d restarts; %.1f s, %.2f seeds/s",
		t.seeds.Load(), t.failed.Load(), t.games.Load(), t.verdicts.Load(), t.nodes.Load(), t.liars.Load(), t.faults.Load(), t.disagreements.Load(), t.restarts.Load(),
		seconds, float64(t.seeds.Load())/seconds)
}

// TestSeeds lives through SEEDS seeds from SEED_START on.
func TestSeeds(t *testing.T) {
	from := template(t)
	first, n := number(t, "SEED_START", 1), number(t, "SEEDS", 20)
	t.Run("all", func(t *testing.T) {
		for seed := first; seed < first+n; seed++ {
			t.Run(strconv.FormatInt(seed, 10), func(t *testing.T) {
				t.Parallel()
				s := plan(seed)
				f, err := simulate(t, from, s)
				total.add(f)
				if err != nil {
					total.failed.Add(1)
					t.Errorf("%v\n%s\nreplay it: make sim SEEDS=1 SEED_START=%d", err, &s, seed)
				}
			})
		}
	})
}

// template is the record that every run begins with, for as long as t runs.
func template(t *testing.T) *databases {
	t.Helper()
	from, err := newDatabases(t.Context(), pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(from.close)
	return from
}

func number(t *testing.T, name string, otherwise int64) int64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		t.Fatalf("%s is %q: give a number", name, text)
	}
	return n
}
