package simchain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Cheat is one way in which a program without its checks could be made to settle
// a game dishonestly; the empty Cheat is an honest game.
type Cheat string

const (
	honest          Cheat = ""
	wrongSeed       Cheat = "wrong-seed"         // another seed than the committed one, with its own consistent board
	wrongMask       Cheat = "wrong-mask"         // a mine of the published board stands elsewhere
	mineAsSafe      Cheat = "mine-as-safe"       // a mine is paid as a safe tile
	fakeBust        Cheat = "fake-bust"          // a game is lost on a safe tile
	bustRevealed    Cheat = "bust-also-revealed" // the bust tile is counted as revealed too
	maskOutOfRange  Cheat = "mask-out-of-range"  // the published board has a mine beyond tile 24
	wrongMultiplier Cheat = "wrong-multiplier"   // the multiplier is not the formula's
	wrongPayout     Cheat = "wrong-payout"       // the payout is short
	changedTerms    Cheat = "changed-terms"      // settled with a higher house edge than at the start
	changedSlothash Cheat = "changed-slothash"   // settled with another slot hash, and the board that it gives
	shortRefund     Cheat = "short-refund"       // a void keeps a part of the stake
	doubleSettled   Cheat = "double-settlement"  // a game is settled twice
	settledVoided   Cheat = "settled-and-voided" // a settled game is voided afterwards

	// twinEvents is no cheat to ask for: a hostile chain has some.
	twinEvents Cheat = "twin-events" // a game is ended twice in one transaction
)

// Cheats lists every cheat there is, in the order in which "all" injects them.
func Cheats() []Cheat {
	return []Cheat{
		wrongSeed, wrongMask, mineAsSafe, fakeBust, bustRevealed, maskOutOfRange, wrongMultiplier,
		wrongPayout, changedTerms, changedSlothash, shortRefund, doubleSettled, settledVoided,
	}
}

// ErrConfig marks an error of the configuration: asking again does not help.
var ErrConfig = errors.New("simulator configuration")

// ParseCheats reads a comma-separated list of cheats: "" for none, "all" for
// every one. An unknown name is an error that lists the known ones.
func ParseCheats(list string) ([]Cheat, error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	var cheats []Cheat
	for name := range strings.SplitSeq(list, ",") {
		c := Cheat(strings.TrimSpace(name))
		if c == "all" {
			return Cheats(), nil
		}
		if err := c.check(); err != nil {
			return nil, err
		}
		if !slices.Contains(cheats, c) {
			cheats = append(cheats, c)
		}
	}
	return cheats, nil
}

func (c Cheat) check() error {
	known := Cheats()
	if slices.Contains(known, c) {
		return nil
	}
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = string(k)
	}
	return fmt.Errorf("%w: no cheat is called %q; use all or some of %s", ErrConfig, c, strings.Join(names, ", "))
}

// cheatPlan spreads cheats over a run: one game in each span of period games,
// the kinds in turn.
type cheatPlan struct {
	kinds  []Cheat
	period int
	seed   int64
}

// newCheatPlan cheats in one game of twenty, or more often where that is what it
// takes to see every kind once.
func newCheatPlan(seed int64, games int, kinds []Cheat) cheatPlan {
	p := cheatPlan{kinds: kinds, period: 20, seed: seed}
	if games > 0 && len(kinds) > 0 {
		p.period = max(1, min(p.period, games/len(kinds)))
	}
	return p
}

// cheat says what is done to game i.
func (p cheatPlan) cheat(i int) Cheat {
	if len(p.kinds) == 0 {
		return honest
	}
	span := i / p.period
	if i%p.period != newDice(p.seed, "cheat", uint64(span)).IntN(p.period) {
		return honest
	}
	return p.kinds[span%len(p.kinds)]
}
