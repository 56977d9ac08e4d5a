package main

import (
	"context"
	"slices"

	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// score compares the record with what the chain knows. A cheat is detected if
// the game failed, with every check that it must fail. An alarm is false if a
// check failed that should not have, or a verdict is of a game that never was.
// A game without its verdict is missed.
func score(ctx context.Context, truths []simchain.Truth, st *store.Store) (*demoResult, error) {
	recorded := make(map[string]store.Outcome)
	result := &demoResult{Verdicts: map[string]int{"pass": 0, "fail": 0, "inconclusive": 0}, Cheats: map[string]*tally{}}
	err := st.EachOutcome(ctx, func(o store.Outcome) {
		recorded[gameName(rpc.KeyString(o.Game), rpc.KeyString(o.User), o.Nonce)] = o
		if o.Kind == verify.EndVoided {
			result.Voids++
		}
		if o.Verdict != verify.VerdictPending {
			result.Verdicts[o.Verdict.String()]++
		}
	})
	if err != nil {
		return nil, err
	}
	result.Games = len(truths)
	for i := range truths {
		t := &truths[i]
		name := gameName(t.Game, t.User, t.Nonce)
		o, found := recorded[name]
		delete(recorded, name)
		right := found && o.Verdict.String() == t.Verdict && allFailed(&o, t.Fails)
		if t.Cheat != "" {
			kind := result.Cheats[string(t.Cheat)]
			if kind == nil {
				kind = &tally{}
				result.Cheats[string(t.Cheat)] = kind
			}
			kind.Injected++
			if right {
				kind.Detected++
			}
		}
		if !right {
			result.Missed++
		}
		if found && wrongly(&o, t.Fails) {
			result.FalseAlarms++
		}
	}
	result.FalseAlarms += len(recorded)
	return result, nil
}

func gameName(game, user, nonce string) string { return game + " " + user + " " + nonce }

func allFailed(o *store.Outcome, checks []string) bool {
	for _, name := range checks {
		if !slices.Contains(failedChecks(o), name) {
			return false
		}
	}
	return true
}

// wrongly reports a failed check that should not have failed.
func wrongly(o *store.Outcome, checks []string) bool {
	return slices.ContainsFunc(failedChecks(o), func(name string) bool { return !slices.Contains(checks, name) })
}

func failedChecks(o *store.Outcome) []string {
	var names []string
	for c, r := range o.Results {
		if r == verify.ResultFail {
			names = append(names, verify.Check(c).String())
		}
	}
	return names
}
