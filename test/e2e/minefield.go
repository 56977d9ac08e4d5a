//go:build e2e

package e2e

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"github.com/gagliardetto/solana-go"
)

// minefieldProgram is the address in testdata/minefield.json. The node has an emitter there.
const minefieldProgram = "BtwW1FF7YUVvph6AoEhwJHStrd6uQpbsanRX88KyweXG"

// Minefield is a program of another layout that emits by calling itself, as emit_cpi! does: nothing of
// a game is in its log. It checks nothing, and each of its games is made up.
type Minefield struct {
	desk
	self      Emitter
	other     Emitter          // a program that is not audited here
	authority solana.PublicKey // the sole account of a call that is an event
	forged    atomic.Int64     // calls with the tag that are no events, in transactions that succeeded
}

func newMinefield(d desk, other solana.PublicKey) *Minefield {
	program := solana.MustPublicKeyFromBase58(minefieldProgram)
	d.ledger.logless = true
	return &Minefield{desk: d, self: Emitter{program, d.ledger}, other: Emitter{Program: other}, authority: authorityOf(program)}
}

// authorityOf is the address for which a program signs when it emits.
func authorityOf(program solana.PublicKey) solana.PublicKey {
	key, _, err := solana.FindProgramAddress([][]byte{[]byte("__event_authority")}, program)
	if err != nil {
		panic(err) // one address in 2^256 has none
	}
	return key
}

// Start deals a game at a new table.
func (f *Minefield) Start(ctx context.Context, user solana.PublicKey, t Terms) (*Hand, error) {
	return f.Restart(ctx, randomHash(), user, t)
}

// Restart deals a game at a table, always under the same number.
func (f *Minefield) Restart(ctx context.Context, table, user solana.PublicKey, t Terms) (*Hand, error) {
	h, err := f.deal(ctx, table, user, t)
	if err != nil {
		return nil, fmt.Errorf("deal: %w", err)
	}
	start := dealtOf(h.Started)
	return h, f.tell(ctx, table, handDealt(start), start)
}

// deal makes a game up, on the board that the chain derives for it. Nothing is sent yet.
func (f *Minefield) deal(ctx context.Context, table, user solana.PublicKey, t Terms) (*Hand, error) {
	now, err := f.chain.Now(ctx)
	if err != nil {
		return nil, err
	}
	return newHand(ctx, f.oracle, Started{
		GameKey: GameKey{Game: table, User: user, Nonce: binary.LittleEndian.Uint64(table[:])},
		Mines:   t.Mines, Stake: t.Stake, Commit: t.Commit(), SlotHash: randomHash(), EdgeBPS: t.EdgeBPS,
		MaxPayout: t.MaxPayout, RefundTimeout: t.RefundTimeout, StartedAt: now,
	}, t.Seed)
}

// Settle has the program emit s.
func (f *Minefield) Settle(ctx context.Context, s Settled) (*Landed, error) {
	return f.tellOf(ctx, s.Game, handFinished(s), s)
}

// Void has the program emit v, cancelled by by.
func (f *Minefield) Void(ctx context.Context, v Voided, by solana.PrivateKey) (*Landed, error) {
	v.Authority = by.PublicKey()
	return f.tellOf(ctx, v.Game, handGivenBack(v), v)
}

func (f *Minefield) tell(ctx context.Context, table solana.PublicKey, raw []byte, event any) error {
	_, err := f.tellOf(ctx, table, raw, event)
	return err
}

// tellOf has the program emit one event and notes it.
func (f *Minefield) tellOf(ctx context.Context, table solana.PublicKey, raw []byte, event any) (*Landed, error) {
	landed, err := f.send(ctx, Tx{Instructions: []solana.Instruction{f.play(table), f.emit(raw)}}, false)
	if err != nil {
		return nil, err
	}
	f.ledger.Note(landed, event)
	return landed, nil
}

// send sends a transaction, which has to succeed or to fail as told.
func (f *Minefield) send(ctx context.Context, t Tx, fails bool) (*Landed, error) {
	landed, err := f.chain.Send(ctx, t)
	if err != nil {
		return nil, err
	}
	if (landed.Code != 0) != fails {
		return nil, fmt.Errorf("minefield: %s %q, want failed = %t\n%q", landed.Signature, landed.Err, fails, landed.Logs)
	}
	for _, i := range t.Instructions {
		if mentions(i, f.self.Program) {
			f.ledger.Touch(landed)
		}
	}
	return landed, nil
}

// emit is an instruction in which the program calls itself with events, one after the other.
func (f *Minefield) emit(events ...[]byte) solana.Instruction {
	return f.self.Run(opEmit(events...), f.self.Program, f.authority)
}

// opEmit calls the program that is the instruction's first account with events.
func opEmit(events ...[]byte) []byte {
	var calls [][]byte
	for _, e := range events {
		calls = append(calls, opCall(tagged(e)))
	}
	return opAll(calls...)
}

// play is an instruction that names the game, as those of a real program do: what an event's call
// names is the authority alone.
func (f *Minefield) play(table solana.PublicKey) solana.Instruction {
	return f.self.Run(opText("a hand is played"), table)
}
