package main

import (
	"context"
	"encoding/hex"
	"iter"

	"minesaudit/internal/claim/rounds"
	"minesaudit/internal/store"
)

// saveRounds stores what an audit came to.
func (db *resultStore) saveRounds(ctx context.Context, r *rounds.Result) error {
	if db == nil {
		return nil
	}
	chain := store.RoundChain{Form: r.Chain.Form, Game: string(r.Chain.Game), Name: r.Chain.Name}
	if _, err := hex.Decode(chain.Terminal[:], r.Chain.Terminal[:]); err != nil {
		return err
	}
	bar := newBar(db.say, "saving", int64(r.Rounds))
	saved, err := db.store.SaveRounds(ctx, chain, storedRounds(r, bar))
	bar.finish()
	return db.saved("rounds", saved, err)
}

// storedRounds gives the rounds as they are stored, each with its findings, as
// far as these were kept.
func storedRounds(r *rounds.Result, bar *bar) iter.Seq[store.Round] {
	return func(yield func(store.Round) bool) {
		findings := r.Findings // by round, as the rounds are
		for round := range r.All() {
			out := store.Round{Number: round.Number, Hash: round.Hash, Outcome: round.Claim, Verdict: round.Verdict, Results: round.Results}
			for len(findings) > 0 && findings[0].Round == round.Number {
				f := &findings[0]
				out.Findings = append(out.Findings, store.OffchainFinding{Check: uint8(f.Check), Result: f.Result, Reason: f.Reason, Expected: f.Expected, Observed: f.Observed})
				findings = findings[1:]
			}
			if !yield(out) {
				return
			}
			bar.add(1)
		}
	}
}
