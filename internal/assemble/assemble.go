// Package assemble puts the events of one game together into what the rules
// judge. It is pure, and it is shared: a game that is read from a record, from a
// node or from files becomes the same [verify.Game], and so gets the same
// verdict.
//
// # The order of things
//
// Which start and which end come first decides what a game is held against, so
// everybody must see one order. Slots order transactions. Inside a slot nodes do
// not agree on an order, so the signature decides, which is at least the same
// for everybody. Inside a transaction the ordinal of the event is the true
// order.
//
// Two events with the same content in one transaction are two events: a program
// that settles twice has settled twice.
//
// # Whose game it is
//
// The user and the nonce enter the board. Where a program's games are keyed by
// them, the key has them. Where it is not, they are what the first start
// publishes; else what the first end does; else they are not published.
package assemble

import (
	"bytes"
	"cmp"
	"slices"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// A Piece is one event of a game with its place on the chain.
type Piece struct {
	Tx           int64 // the caller's own name for the transaction
	Signature    [64]byte
	Slot         uint64
	Source       decode.Source
	Ordinal      uint32 // of the event among the transaction's of that source
	BlockTime    int64  // unix seconds, if HasBlockTime
	HasBlockTime bool
	Truncated    bool // the log that held it may have held more
	Event        decode.Event
}

// IsStart reports whether p begins a game.
func (p Piece) IsStart() bool { return p.Event.Kind == decode.KindStarted }

// IsEnd reports whether p ends a game.
func (p Piece) IsEnd() bool {
	return p.Event.Kind == decode.KindSettled || p.Event.Kind == decode.KindVoided
}

// ChainOrder compares pieces by their place on the chain.
func ChainOrder(a, b Piece) int {
	return cmp.Or(
		cmp.Compare(a.Slot, b.Slot),
		bytes.Compare(a.Signature[:], b.Signature[:]),
		cmp.Compare(a.Source, b.Source),
		cmp.Compare(a.Ordinal, b.Ordinal),
	)
}

// Game sorts the pieces of a game, which come in any order, and makes the game
// of them. Whether it is complete is for the caller to say.
func Game(key decode.GameKey, pieces []Piece) verify.Game {
	slices.SortFunc(pieces, ChainOrder)
	game := verify.Game{Address: key.Game}
	identify(&game, key, pieces)
	for i := range pieces {
		p := &pieces[i]
		game.Truncated = game.Truncated || p.Truncated
		switch p.Event.Kind {
		case decode.KindStarted:
			game.Starts = append(game.Starts, start(p))
		case decode.KindSettled:
			game.Ends = append(game.Ends, settled(p))
		case decode.KindVoided:
			game.Ends = append(game.Ends, voided(p))
		}
	}
	game.TiedStarts, game.TiedEnds = tied(pieces, Piece.IsStart), tied(pieces, Piece.IsEnd)
	return game
}

func start(p *Piece) verify.Start {
	s := p.Event.Started
	return verify.Start{
		MinesCount: s.MinesCount, Stake: s.Stake, CommitHash: s.CommitHash, Slothash: s.Slothash, HouseEdge: s.HouseEdge,
		MaxPayout: s.MaxPayout, RefundTimeout: s.RefundTimeout, StartedAt: s.StartedAt, Slot: p.Slot,
		Missing: verify.Fields(p.Event.Missing),
	}
}

func settled(p *Piece) verify.End {
	s := p.Event.Settled
	return verify.End{
		Kind: verify.EndSettled, Slot: p.Slot, BlockTime: p.BlockTime, HasBlockTime: p.HasBlockTime,
		Settled: verify.Settled{
			ServerSeed: s.ServerSeed, Slothash: s.Slothash, MinesMask: s.MinesMask, RevealedMask: s.RevealedMask,
			BustTile: s.BustTile, HasBust: s.HasBust, Multiplier: s.Multiplier, Payout: s.Payout,
			Says: verify.Outcome(s.Says), Missing: verify.Fields(p.Event.Missing),
		},
	}
}

func voided(p *Piece) verify.End {
	v := p.Event.Voided
	return verify.End{
		Kind: verify.EndVoided, Slot: p.Slot, BlockTime: p.BlockTime, HasBlockTime: p.HasBlockTime,
		Voided: verify.Voided{Refund: v.Refund, Authority: v.Authority, Missing: verify.Fields(p.Event.Missing)},
	}
}
