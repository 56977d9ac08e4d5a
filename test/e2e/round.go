//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// A Round emits events of one made-up game of the minefield in one of the manners that calls can be
// read wrongly.
type Round struct {
	Name string
	Play func(*round) error
}

// round is one game while it is played: the start and the honest win of four tiles.
type round struct {
	*Minefield
	*Hand
	won  Settled
	ctx  context.Context
	name string
}

// playRounds deals a game for each round and plays it.
func (f *Minefield) playRounds(ctx context.Context, rounds []Round) error {
	for _, r := range rounds {
		h, err := f.deal(ctx, randomHash(), randomHash(), plainTerms())
		if err != nil {
			return fmt.Errorf("round %q: %w", r.Name, err)
		}
		won, err := h.Won(ctx, h.Safe(4))
		if err != nil {
			return fmt.Errorf("round %q: %w", r.Name, err)
		}
		if err := r.Play(&round{Minefield: f, Hand: h, won: won, ctx: ctx, name: r.Name}); err != nil {
			return fmt.Errorf("round %q: %w", r.Name, err)
		}
	}
	return nil
}

// start emits the start.
func (r *round) start() error {
	d := dealtOf(r.Started)
	return r.tell(r.ctx, r.Game, handDealt(d), d)
}

// finish emits the honest settlement and judges the game.
func (r *round) finish(j Judgement) error {
	if _, err := r.Settle(r.ctx, r.won); err != nil {
		return err
	}
	r.judge(j)
	return nil
}

// both is the start and the honest settlement as bytes.
func (r *round) both() [][]byte { return [][]byte{handDealt(dealtOf(r.Started)), handFinished(r.won)} }

// together sends one transaction, which names the game and in which instructions emit both, and judges
// the game honest.
func (r *round) together(instructions ...solana.Instruction) (*Landed, error) {
	return r.togetherFrom(nil, append([]solana.Instruction{r.play(r.Game)}, instructions...)...)
}

// togetherFrom is together with accounts from a table, if it is not nil, and the instructions alone.
func (r *round) togetherFrom(table *Table, instructions ...solana.Instruction) (*Landed, error) {
	landed, err := r.send(r.ctx, Tx{Instructions: instructions, Table: table}, false)
	if err != nil {
		return nil, err
	}
	r.ledger.Note(landed, dealtOf(r.Started), r.won)
	r.judge(honest())
	return landed, nil
}

// between sends instructions that name the game and emit nothing of it, between its start and its
// honest settlement. n calls of them are forgeries.
func (r *round) between(n int, instructions ...solana.Instruction) error {
	if err := r.start(); err != nil {
		return err
	}
	_, err := r.send(r.ctx, Tx{Instructions: append([]solana.Instruction{r.play(r.Game)}, instructions...)}, false)
	if err != nil {
		return err
	}
	r.forged.Add(int64(n))
	return r.finish(honest())
}

// failing sends instructions that emit and fail, between the start and the honest settlement.
func (r *round) failing(instructions ...solana.Instruction) error {
	if err := r.start(); err != nil {
		return err
	}
	_, err := r.send(r.ctx, Tx{Instructions: append([]solana.Instruction{r.play(r.Game)}, instructions...)}, true)
	if err != nil {
		return err
	}
	return r.finish(honest())
}

// garbled emits an event whose bytes do not fit, between the start and the honest settlement. The
// record keeps its transaction as unverifiable; which does not name the game, so that this goes on.
func (r *round) garbled(raw []byte) error {
	if err := r.start(); err != nil {
		return err
	}
	if _, err := r.send(r.ctx, Tx{Instructions: []solana.Instruction{r.emit(raw)}}, false); err != nil {
		return err
	}
	r.ledger.Garble()
	return r.finish(honest())
}

// cut wants what landed to have a log that was cut short.
func (r *round) cut(landed *Landed, err error) error {
	if err == nil && !slices.Contains(landed.Logs, truncationMarker) {
		err = fmt.Errorf("log of %s is not truncated", landed.Signature)
	}
	return err
}

// forgery is a settlement that nobody may take for the game's.
func (r *round) forgery() []byte {
	f := r.won
	f.Mask |= maskBit
	return handFinished(f)
}

func (r *round) judge(j Judgement) { r.ledger.Judge(r.GameKey, r.name, j) }
