//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// Refusals of rig/prog/mines.c, its custom error codes.
const (
	allowed        = 0
	badInstruction = 6000
	fewAccounts    = 6001
	notOurs        = 6002
	notWritable    = 6003
	falseSysvar    = 6004
	badAccount     = 6005
	notSigned      = 6006
	wrongOperator  = 6007
	gameInUse      = 6010
	badMinesCount  = 6011
	badTerms       = 6012
	commitReused   = 6013
	notStarted     = 6020
	gameEnded      = 6021
	wrongUser      = 6022
	seedMismatch   = 6023
	revealedRange  = 6024
	bustRange      = 6025
	bustRevealed   = 6026
	revealedMine   = 6027
	bustNoMine     = 6028
	tooEarly       = 6030
)

// attempts are acts that the honest program has to refuse, each with the right code. A refused act
// lands as a failed transaction. A surprise does not stop the rest: all are told at the end.
type attempts struct {
	*Mines
	ctx         context.Context
	user, other solana.PublicKey // two user accounts of the operator
	n           int
	err         error
}

// Forbidden tries everything that the program forbids, and what lies just beside it. The games that
// come of the allowed acts are judged.
func (m *Mines) Forbidden(ctx context.Context) (int, error) {
	a := &attempts{Mines: m, ctx: ctx}
	for _, user := range []*solana.PublicKey{&a.user, &a.other} {
		var err error
		if *user, err = m.NewUser(ctx); err != nil {
			return 0, err
		}
	}
	a.reuse() // first: a user account belongs to the operator that used it first
	a.starts()
	a.endings()
	return a.n, a.err
}

// starts tries starts that must not succeed.
func (a *attempts) starts() {
	for _, mines := range []uint8{0, 25, 255} {
		a.startInNew(badMinesCount, fmt.Sprintf("start with %d mines", mines), func(t *Terms) { t.Mines = mines }, nil)
	}
	a.startInNew(badTerms, "start with an edge of 10,001", func(t *Terms) { t.EdgeBPS = 10_001 }, nil)
	a.startInNew(badTerms, "start with a negative timeout", func(t *Terms) { t.RefundTimeout = -1 }, nil)

	stranger := solana.Meta(a.stranger.PublicKey())
	accounts := func(change func(solana.AccountMetaSlice)) func(*solana.GenericInstruction) {
		return func(ix *solana.GenericInstruction) { change(ix.AccountValues) }
	}
	a.startInNew(notSigned, "start unsigned", nil, accounts(func(m solana.AccountMetaSlice) { m[2] = solana.Meta(a.operator.PublicKey()) }))
	a.startInNew(wrongOperator, "start by another operator", nil, accounts(func(m solana.AccountMetaSlice) { m[2] = stranger.SIGNER() }), a.stranger)
	a.startInNew(falseSysvar, "start with false slot hashes", nil, accounts(func(m solana.AccountMetaSlice) { m[3] = solana.Meta(a.other) }))
	a.startInNew(falseSysvar, "start with a false clock", nil, accounts(func(m solana.AccountMetaSlice) { m[4] = solana.Meta(a.other) }))
	a.startInNew(notWritable, "start in a read-only account", nil, accounts(func(m solana.AccountMetaSlice) { m[1] = solana.Meta(a.user) }))
	a.startInNew(badAccount, "start for a user account that is none", nil, accounts(func(m solana.AccountMetaSlice) { m[1] = m[0] }))
	a.startInNew(notOurs, "start for a user of nobody", nil, accounts(func(m solana.AccountMetaSlice) { m[1] = solana.Meta(a.stranger.PublicKey()).WRITE() }))
	a.startInNew(fewAccounts, "start with three accounts", nil, func(ix *solana.GenericInstruction) { ix.AccountValues = ix.AccountValues[:3] })
	a.startInNew(badInstruction, "start with too few bytes", nil, func(ix *solana.GenericInstruction) { ix.DataBytes = ix.DataBytes[:2] })
	a.try(badInstruction, "unknown operation", a.instruction([]byte{9}))
	a.try(badInstruction, "no operation", a.instruction(nil))
}

// endings tries every false settlement and void of one running game, and then settles it rightly.
func (a *attempts) endings() {
	terms := plainTerms()
	h, s := a.start4(terms)
	if a.err != nil {
		return
	}
	a.startInNew(commitReused, "start with the same commit", func(t *Terms) { *t = terms }, nil)
	a.try(gameInUse, "start in a used account", a.start(h.Game, h.User, plainTerms()), a.operator)

	settle := func(code int, name string, change func(*Settled)) {
		forged := s
		change(&forged)
		a.try(code, name, a.settle(forged), a.operator)
	}
	mine, safe := h.MineTile(0), h.SafeTile(0)
	settle(seedMismatch, "settle with another seed", func(s *Settled) { s.Seed = randomHash() })
	settle(revealedMine, "settle with a mine revealed", func(s *Settled) { s.Revealed |= 1 << mine })
	settle(bustNoMine, "settle with a bust that is no mine", func(s *Settled) { s.BustTile = h.SafeTile(10) })
	settle(bustRevealed, "settle with the bust revealed", func(s *Settled) { s.Revealed |= 1 << mine; s.BustTile = mine })
	settle(bustRevealed, "settle with a safe bust revealed", func(s *Settled) { s.BustTile = safe })
	settle(revealedRange, "settle with bit 25 revealed", func(s *Settled) { s.Revealed |= 1 << 25 })
	settle(revealedRange, "settle with bit 31 revealed", func(s *Settled) { s.Revealed |= 1 << 31 })
	settle(bustRange, "settle with bust 25", func(s *Settled) { s.BustTile = 25 })
	settle(bustRange, "settle with bust -2", func(s *Settled) { s.BustTile = -2 })
	settle(wrongUser, "settle for another user", func(s *Settled) { s.User = a.other })

	byWhom := func(ix *solana.GenericInstruction, i int, who *solana.AccountMeta) solana.Instruction {
		ix.AccountValues[i] = who
		return ix
	}
	stranger := solana.Meta(a.stranger.PublicKey())
	a.try(notSigned, "settle unsigned", byWhom(a.settle(s), 2, solana.Meta(a.operator.PublicKey())))
	a.try(wrongOperator, "settle by a stranger", byWhom(a.settle(s), 2, solana.Meta(stranger.PublicKey).SIGNER()), a.stranger)
	a.outOfCompute("settle without compute", a.settle(s))
	a.try(tooEarly, "void by a stranger, early", a.void(h.Voided(stranger.PublicKey)), a.stranger)
	a.try(notSigned, "void unsigned", byWhom(a.void(h.Voided(stranger.PublicKey)), 1, stranger))
	a.try(falseSysvar, "void with a false clock", byWhom(a.void(h.Voided(stranger.PublicKey)), 2, solana.Meta(a.other)), a.stranger)
	a.inNew(notStarted, "settle what never started", func(game solana.PublicKey) solana.Instruction {
		forged := s
		forged.Game = game
		return a.settle(forged)
	}, a.operator)
	a.inNew(notStarted, "void what never started", func(game solana.PublicKey) solana.Instruction {
		return a.void(Voided{GameKey: GameKey{Game: game}, Authority: a.operator.PublicKey()})
	}, a.operator)

	a.try(allowed, "settle after all that", a.settle(s), a.operator)
	a.ledger.Judge(h.GameKey, "settled after refusals", Judgement{Verdict: "pass"})
	a.try(gameEnded, "settle again", a.settle(h.Lost(0, mine)), a.operator)
	a.try(gameEnded, "void what is settled", a.void(h.Voided(a.operator.PublicKey())), a.operator)
	a.startInNew(commitReused, "start with a revealed seed", func(t *Terms) { *t = terms }, nil)
	a.afterVoid(terms)
}

// afterVoid voids a game, whose commit and last revealed seed stay refused.
func (a *attempts) afterVoid(revealed Terms) {
	voided := plainTerms()
	voided.Mines = 24
	h, s := a.start4(voided)
	if a.err != nil {
		return
	}
	void := a.void(h.Voided(a.operator.PublicKey()))
	a.try(allowed, "void what runs", void, a.operator)
	a.ledger.Judge(h.GameKey, "voided between refusals", Judgement{Verdict: "pass", VoidWhen: "before_timeout"})
	a.try(gameEnded, "void again", void, a.operator)
	a.try(gameEnded, "settle what is voided", a.settle(s), a.operator)
	a.startInNew(commitReused, "start with a voided game's commit", func(t *Terms) { *t = voided }, nil)
	a.startInNew(commitReused, "start with the seed revealed last", func(t *Terms) { *t = revealed }, nil)
}

// reuse does what the rules do not forbid: a seed again after another one, or for another user. One
// game's checks pass; that a seed was used twice is a finding over all games.
func (a *attempts) reuse() {
	first, second := plainTerms(), plainTerms()
	play := func(user solana.PublicKey, name string, t Terms) {
		if a.err != nil {
			return
		}
		h, err := a.Start(a.ctx, user, t)
		if err == nil {
			_, err = a.Settle(a.ctx, h.Lost(0, h.MineTile(0)))
			a.ledger.Judge(h.GameKey, name, Judgement{Verdict: "pass"})
		}
		a.n++
		a.err = errors.Join(a.err, err)
	}
	play(a.user, "seed A", first)
	play(a.user, "seed B", second)
	play(a.user, "seed A after B", first)
	play(a.other, "seed A of another user", first)
}

// start4 starts a game and gives its honest settlement after four tiles, or as many as are safe.
func (a *attempts) start4(t Terms) (*Hand, Settled) {
	h, err := a.Start(a.ctx, a.user, t)
	if err != nil {
		a.err = errors.Join(a.err, err)
		return nil, Settled{}
	}
	s, err := h.Won(a.ctx, h.Safe(4))
	a.err = errors.Join(a.err, err)
	return h, s
}

// startInNew tries a start in a new account, with other terms or an edited instruction.
func (a *attempts) startInNew(code int, name string, change func(*Terms), edit func(*solana.GenericInstruction), signers ...solana.PrivateKey) {
	a.inNew(code, name, func(game solana.PublicKey) solana.Instruction {
		terms := plainTerms()
		if change != nil {
			change(&terms)
		}
		ix := a.start(game, a.user, terms)
		if edit != nil {
			edit(ix)
		}
		return ix
	}, append(signers, a.operator)...)
}

// inNew tries an instruction on a new, zeroed game account.
func (a *attempts) inNew(code int, name string, ix func(game solana.PublicKey) solana.Instruction, signers ...solana.PrivateKey) {
	game, err := a.chain.NewAccount(a.ctx, gameSize, a.program)
	if err != nil {
		a.err = errors.Join(a.err, fmt.Errorf("%s: %w", name, err))
		return
	}
	a.send(code, name, game.In(Tx{Instructions: []solana.Instruction{ix(game.Key)}, Signers: signers}))
}

func (a *attempts) try(code int, name string, ix solana.Instruction, signers ...solana.PrivateKey) {
	a.send(code, name, Tx{Instructions: []solana.Instruction{ix}, Signers: signers})
}

func (a *attempts) outOfCompute(name string, ix solana.Instruction) {
	a.send(Other, name, Tx{Instructions: []solana.Instruction{ix}, Signers: []solana.PrivateKey{a.operator}, Units: 3000})
}

func (a *attempts) send(code int, name string, t Tx) {
	a.n++
	landed, err := a.Send(a.ctx, t)
	switch {
	case err != nil:
		a.err = errors.Join(a.err, fmt.Errorf("%s: %w", name, err))
	case landed.Code != code:
		a.err = errors.Join(a.err, fmt.Errorf("%s: code %d (%s), want %d", name, landed.Code, landed.Err, code))
	}
}
