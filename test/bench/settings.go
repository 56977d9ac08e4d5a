//go:build bench

package bench

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

// Settings is how much is measured. Smaller numbers are for trying the harness
// out; figures to be quoted come from the defaults.
type Settings struct {
	Games       int           // BENCH_GAMES: of one round of ingest
	Rounds      int           // BENCH_ROUNDS: of everything that takes turns
	Window      time.Duration // BENCH_SECONDS: of one round of verdict
	MemoryGames int           // BENCH_MEMORY_GAMES
	JSON        string        // BENCH_JSON: file for the report; empty for none
	Strict      bool          // BENCH_STRICT=0: a missed bound does not fail the run
}

// ReadSettings takes the environment's word over the defaults.
func ReadSettings() (Settings, error) {
	s := Settings{Games: 60_000, Rounds: 3, Window: 15 * time.Second, MemoryGames: 200_000}
	s.JSON, s.Strict = os.Getenv("BENCH_JSON"), os.Getenv("BENCH_STRICT") != "0"
	seconds := int(s.Window / time.Second)
	for name, at := range map[string]*int{
		"BENCH_GAMES": &s.Games, "BENCH_ROUNDS": &s.Rounds, "BENCH_SECONDS": &seconds, "BENCH_MEMORY_GAMES": &s.MemoryGames,
	} {
		text := os.Getenv(name)
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return s, fmt.Errorf("%s is %q: give a whole number above 0", name, text)
		}
		*at = n
	}
	s.Window = time.Duration(seconds) * time.Second
	return s, nil
}
