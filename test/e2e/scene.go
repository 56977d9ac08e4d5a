//go:build e2e

package e2e

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// A Scene prints events of one made-up game in one of the manners that a log can be read wrongly.
type Scene struct {
	Name string
	Play func(*scene) error
}

// scene is one game while it is printed: start and the honest win of four tiles.
type scene struct {
	*Emitters
	*Hand
	won  Settled
	ctx  context.Context
	name string
}

// Scenes are all of them. `A.Note` and `B.Note` say for which program an event counts.
func Scenes() []Scene {
	return slices.Concat(plainScenes(), calleeScenes(), failedScenes(), truncatedScenes(), noiseScenes(), tiedScenes())
}

// PlayScene deals a game and plays the scene with it.
func (e *Emitters) PlayScene(ctx context.Context, s Scene) error {
	h, err := e.Deal(ctx)
	if err != nil {
		return fmt.Errorf("scene %q: %w", s.Name, err)
	}
	won, err := h.Won(ctx, h.Safe(4))
	if err != nil {
		return fmt.Errorf("scene %q: %w", s.Name, err)
	}
	if err := s.Play(&scene{Emitters: e, Hand: h, won: won, ctx: ctx, name: s.Name}); err != nil {
		return fmt.Errorf("scene %q: %w", s.Name, err)
	}
	return nil
}

func honest() Judgement { return Judgement{Verdict: "pass"} }

// truncated is for a game with an event in a truncated log, or an open one that such a log names: an end
// of it may be what is missing.
func truncated() Judgement { return inconclusive("log_truncated", "lifecycle") }

// unstarted is for a settlement whose start is not in the record and never will be.
func unstarted() Judgement {
	return inconclusive("start_not_seen", "commit", "slothash_kept", "board", "mine_count", "reveals_safe", "multiplier", "payout", "lifecycle")
}

// hidden is unstarted where the start may be what a truncated log lacks: its transaction names the game.
func hidden() Judgement {
	j := unstarted()
	j.Unproved["lifecycle"] = "log_truncated"
	return j
}

func inconclusive(why string, checks ...string) Judgement {
	return Judgement{Verdict: "inconclusive", Unproved: unproved(why, checks...)}
}

// failing is j with checks that fail nevertheless.
func failing(j Judgement, checks ...string) Judgement {
	j.Verdict, j.Fails = "fail", checks
	for _, c := range checks {
		delete(j.Unproved, c)
	}
	return j
}

// forged is a settlement that nobody may take for the game's: it differs from the honest one in what
// several checks look at.
func (s *scene) forged() Settled {
	f := s.won
	f.Mask |= maskBit
	return f
}

// start prints the start, for A.
func (s *scene) start() error { return s.startedBy(s.A, s.A.Run(opPrint(s.Started.Bytes()))) }

// settle prints the honest settlement, for A, and judges the game.
func (s *scene) settle(j Judgement) error {
	return s.settledBy(s.A, j, s.A.Run(opPrint(s.won.Bytes())))
}

// startedBy sends an instruction that prints the start, which counts for e.
func (s *scene) startedBy(e Emitter, i solana.Instruction) error {
	landed, err := s.Send(s.ctx, false, i)
	if err == nil {
		e.Note(landed, s.Started)
	}
	return err
}

// settledBy sends an instruction that prints the honest settlement, which counts for e, and judges
// the game there.
func (s *scene) settledBy(e Emitter, j Judgement, i solana.Instruction) error {
	landed, err := s.Send(s.ctx, false, i)
	if err == nil {
		e.Note(landed, s.won)
		s.judge(e, j)
	}
	return err
}

// inTurn sends two transactions: one that prints the start, one that prints the honest settlement.
func (s *scene) inTurn(e Emitter, j Judgement, start, settle solana.Instruction) error {
	if err := s.startedBy(e, start); err != nil {
		return err
	}
	return s.settledBy(e, j, settle)
}

// together sends one transaction that prints both, which count for e.
func (s *scene) together(e Emitter, j Judgement, instructions ...solana.Instruction) error {
	landed, err := s.Send(s.ctx, false, instructions...)
	if err != nil {
		return err
	}
	e.Note(landed, s.Started, s.won)
	s.judge(e, j)
	return nil
}

// truncate sends what has to overflow the log.
func (s *scene) truncate(table *Table, instructions ...solana.Instruction) (*Landed, error) {
	landed, err := s.SendFrom(s.ctx, table, false, instructions...)
	if err == nil && !slices.Contains(landed.Logs, truncationMarker) {
		err = fmt.Errorf("log of %s is not truncated", landed.Signature)
	}
	return landed, err
}

// hide sends what has to overflow the log before an event is printed.
func (s *scene) hide(table *Table, event []byte, instructions ...solana.Instruction) error {
	landed, err := s.truncate(table, instructions...)
	if err == nil && slices.ContainsFunc(landed.Logs, s.isLineOf(event)) {
		err = errors.New("the event is still in the log")
	}
	return err
}

func (s *scene) isLineOf(payload []byte) func(string) bool {
	line := "Program data: " + base64.StdEncoding.EncodeToString(payload)
	return func(l string) bool { return l == line }
}

func (s *scene) judge(e Emitter, j Judgement) { e.Judge(s.GameKey, s.name, j) }
