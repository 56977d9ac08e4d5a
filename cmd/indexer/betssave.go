package main

import (
	"context"
	"slices"

	"minesaudit/internal/claim/bets"
	"minesaudit/internal/store"
)

// saveBetsAt is how many bets are saved at a time.
const saveBetsAt = 10_000

// A betSaver stores bets as they come; without a database it does nothing.
type betSaver struct {
	ctx     context.Context
	db      *resultStore
	pending []store.Bet
	total   store.Saved
}

func (s *betSaver) add(b *bets.Bet) error {
	if s.db == nil {
		return nil
	}
	out := store.Bet{
		ID: b.ID, Game: b.Game, ServerSeed: b.ServerSeed, ServerSeedHash: b.ServerSeedHash, ClientSeed: b.ClientSeed, Nonce: b.Nonce,
		GameSeed: b.GameSeed.String(), Claimed: b.Claimed, Outcome: b.Outcome, Verdict: b.Verdict, Results: b.Results,
	}
	for _, f := range b.Findings {
		out.Findings = append(out.Findings, store.OffchainFinding{Check: uint8(f.Check), Result: f.Result, Reason: f.Reason, Expected: f.Expected, Observed: f.Observed})
	}
	if s.pending = append(s.pending, out); len(s.pending) < saveBetsAt {
		return nil
	}
	return s.flush()
}

func (s *betSaver) flush() error {
	saved, err := s.db.store.SaveBets(s.ctx, slices.Values(s.pending))
	s.total.Add(saved)
	s.pending = s.pending[:0]
	if err != nil {
		return s.db.redactor.Error(err)
	}
	return nil
}

// end stores the rest and says what became of all.
func (s *betSaver) end() error {
	if s.db == nil {
		return nil
	}
	err := s.flush()
	return s.db.saved("bets", s.total, err)
}
