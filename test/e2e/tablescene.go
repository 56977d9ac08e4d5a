//go:build e2e

package e2e

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// tableScenes name accounts by a lookup table alone: whether a transaction is ours, and what it names,
// is then not in its message. Only the older node takes such transactions.
func tableScenes() []Scene {
	return []Scene{
		{"printed by a callee from a lookup table", func(s *scene) error {
			table, err := s.chain.NewTable(s.ctx, s.A.Program)
			if err != nil {
				return err
			}
			landed, err := s.SendFrom(s.ctx, table, false,
				s.B.Run(opAll(opCall(opPrint(s.Started.Bytes())), opCall(opPrint(s.won.Bytes()))), s.A.Program))
			if err != nil {
				return err
			}
			s.A.Note(landed, s.Started, s.won)
			s.judge(s.A, honest())
			return nil
		}},
		{"printed by a foreign program that mentions ours in a lookup table", func(s *scene) error {
			table, err := s.chain.NewTable(s.ctx, s.A.Program)
			if err != nil {
				return err
			}
			landed, err := s.SendFrom(s.ctx, table, false,
				s.B.Run(opAll(opPrint(s.Started.Bytes()), opPrint(s.won.Bytes())), s.A.Program))
			if err != nil {
				return err
			}
			s.B.Note(landed, s.Started, s.won)
			s.judge(s.B, honest())
			return nil
		}},
		{"truncated by a program before ours, and naming the game in a lookup table", func(s *scene) error {
			table, err := s.chain.NewTable(s.ctx, s.Game)
			if err != nil {
				return err
			}
			err = s.hide(table, s.Started.Bytes(), s.B.Run(opFill(150, []byte("lost"))), s.A.Run(opPrint(s.Started.Bytes()), s.Game))
			if err != nil {
				return err
			}
			return s.settle(hidden())
		}},
	}
}

// PlayFromTable plays a game whose accounts come from a lookup table: its own and its user's writable,
// the sysvars read-only.
func (m *Mines) PlayFromTable(ctx context.Context) error {
	const name = "cash-out from a lookup table"
	user, err := m.NewUser(ctx)
	if err != nil {
		return err
	}
	game, err := m.chain.NewAccount(ctx, gameSize, m.program)
	if err != nil {
		return err
	}
	// A new account signs, and what signs cannot come from a table: it is made beforehand.
	if _, err := m.must(ctx, "make a game account", game.In(Tx{Instructions: []solana.Instruction{m.noise()}})); err != nil {
		return err
	}
	table, err := m.chain.NewTable(ctx, game.Key, user, solana.SysVarSlotHashesPubkey, solana.SysVarClockPubkey)
	if err != nil {
		return err
	}
	fromTable := *m
	fromTable.table = table
	h, err := fromTable.Restart(ctx, game.Key, user, plainTerms())
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s, err := h.Won(ctx, h.Safe(1))
	if err != nil {
		return err
	}
	if _, err := fromTable.Settle(ctx, s); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	m.ledger.Judge(h.GameKey, name, Judgement{Verdict: "pass"})
	return nil
}
