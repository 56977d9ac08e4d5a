//go:build e2e

package e2e

import (
	"errors"
	"fmt"
)

// maxTieTries bounds how often two transactions are sent for one slot. Nearly every try succeeds.
const maxTieTries = 50

// tiedScenes end a game twice in one slot. Which end was first nobody can tell from a record by slots:
// what only one of them would fail is open, and that there are two fails in any case.
func tiedScenes() []Scene {
	return []Scene{
		{"settled rightly and falsely in one slot", func(s *scene) error {
			return s.tie(s.won, s.forged(), failing(
				inconclusive("order_unknown", "board", "mine_count", "mask_range"), "lifecycle"))
		}},
	}
}

// tie sends a true and a false end of the game at the same time. Where they miss a common slot the
// first one counts, and another game is dealt.
func (s *scene) tie(right, wrong Settled, tied Judgement) error {
	for range maxTieTries {
		if err := s.start(); err != nil {
			return err
		}
		var first, second *Landed
		err := together(
			func() (err error) { first, err = s.Send(s.ctx, false, s.A.Run(opPrint(right.Bytes()))); return err },
			func() (err error) { second, err = s.Send(s.ctx, false, s.A.Run(opPrint(wrong.Bytes()))); return err },
		)
		if err != nil {
			return err
		}
		s.A.Note(first, right)
		s.A.Note(second, wrong)
		switch {
		case first.Slot == second.Slot:
			s.judge(s.A, tied)
			return nil
		case first.Slot < second.Slot:
			s.judge(s.A, failing(Judgement{}, "lifecycle"))
		default:
			s.judge(s.A, failing(Judgement{}, "lifecycle", "board", "mine_count", "mask_range"))
		}
		if s.Hand, err = s.Deal(s.ctx); err != nil {
			return err
		}
		if s.won, err = s.Won(s.ctx, s.Safe(4)); err != nil {
			return fmt.Errorf("deal again: %w", err)
		}
		right, wrong = s.won, s.forged()
	}
	return errors.New("no two transactions came into one slot")
}
