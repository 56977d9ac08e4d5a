package reaudit

import (
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// tally counts games. A game is in one of same, newer, regrouped, altered and
// the turns.
type tally struct {
	games, events                   int64
	same, newer, regrouped, altered int64
	olderRules                      int64 // of the turns: that older rules had made
	turns                           map[turn]int64
	checks                          map[checkTurn]int64
}

// turn is a change of verdict; to itself where something else of it changed.
type turn struct{ was, now verify.Verdict }

type checkTurn struct {
	check    verify.Check
	was, now verify.Result
}

func newTally() tally { return tally{turns: map[turn]int64{}, checks: map[checkTurn]int64{}} }

func (t *tally) add(o *tally) {
	t.games += o.games
	t.events += o.events
	t.same += o.same
	t.newer += o.newer
	t.regrouped += o.regrouped
	t.altered += o.altered
	t.olderRules += o.olderRules
	for k, n := range o.turns {
		t.turns[k] += n
	}
	for k, n := range o.checks {
		t.checks[k] += n
	}
}

// count counts a change. Where no verdict stands, there was a pending game.
func (t *tally) count(was, now *store.Verdict, rules int) {
	t.turns[turn{standing(was), now.Verdict}]++
	if was.Seq >= 0 && rules < verify.RulesVersion {
		t.olderRules++
	}
	before, after := verify.Unpack(was.Results), verify.Unpack(now.Results)
	for c := range before {
		if before[c] != after[c] {
			t.checks[checkTurn{verify.Check(c), before[c], after[c]}]++
		}
	}
}

// standing is the verdict that a game has in the record.
func standing(v *store.Verdict) verify.Verdict {
	if v.Seq < 0 {
		return verify.VerdictPending
	}
	return v.Verdict
}
