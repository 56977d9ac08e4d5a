package ingest

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"minesaudit/internal/decode"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// piece is one event of a game with its place on the chain.
type piece struct {
	txID      int64
	signature [64]byte
	slot      uint64
	ordinal   uint32
	truncated bool
	event     decode.Event
}

// chainOrder sorts by slot; inside a slot nodes do not agree on an order, so
// the signature decides, which is at least the same for everybody. Inside a
// transaction the ordinal is the true order.
func chainOrder(a, b piece) int {
	return cmp.Or(
		cmp.Compare(a.slot, b.slot),
		bytes.Compare(a.signature[:], b.signature[:]),
		cmp.Compare(a.ordinal, b.ordinal),
	)
}

// judging is what bears on a game beside its events.
type judging struct {
	rules    *verify.Rules
	complete int64                // everything at or below this slot is in the record
	times    map[uint64]time.Time // block times of ending slots, where known
	named    bool                 // a truncated transaction of the record names the game's address
}

// assemble makes a game's row of its pieces, in any order, and judges it. The
// answer depends on nothing else: whichever way the pieces came, the same
// pieces give the same row. Standing keeps the sequence number before; the
// caller decides whether it is a new verdict.
func assemble(key decode.GameKey, pieces []piece, j judging) (store.Game, verify.Report) {
	slices.SortFunc(pieces, chainOrder)
	row := store.Game{ID: store.NewGameID(key), Key: key}
	game := verify.Game{Address: key.Game, User: key.User, Nonce: key.Nonce}
	for i := range pieces {
		p := &pieces[i]
		game.Truncated = game.Truncated || p.truncated
		switch p.event.Kind {
		case decode.KindStarted:
			if len(game.Starts) == 0 {
				row.StartTx = p.txID
			}
			game.Starts = append(game.Starts, start(p))
		case decode.KindSettled, decode.KindVoided:
			if len(game.Ends) == 0 {
				row.EndTx = p.txID
			}
			game.Ends = append(game.Ends, end(p, j.times))
		}
	}
	row.Starts, row.Ends = len(game.Starts), len(game.Ends)
	if row.Starts > 0 {
		row.Start = &game.Starts[0]
	}
	if row.Ends > 0 {
		row.End = &game.Ends[0]
		game.Complete = int64(row.End.Slot) <= j.complete
		game.Truncated = game.Truncated || (row.Starts == 0 && game.Complete && j.named)
	}
	report := verify.Judge(&game, j.rules)
	row.Standing = verdictOf(row.ID, pieces, row.End, &report)
	return row, report
}

func verdictOf(id store.GameID, pieces []piece, end *verify.End, r *verify.Report) store.Verdict {
	v := store.Verdict{
		Game: id, Seq: -1, Verdict: r.Verdict, Results: r.Packed(), Kind: r.Kind, MinesCount: r.MinesCount,
		Revealed: r.Revealed, Lost: r.Lost, StakeBand: r.StakeBand, VoidWhen: r.VoidWhen, Findings: r.Findings,
	}
	if len(pieces) > 0 {
		v.Slot = pieces[len(pieces)-1].slot
	}
	if end != nil {
		v.EndSlot = end.Slot
	}
	return v
}

func start(p *piece) verify.Start {
	s := p.event.Started
	return verify.Start{
		MinesCount: s.MinesCount, Stake: s.Stake, CommitHash: s.CommitHash, Slothash: s.Slothash, HouseEdgeBPS: s.HouseEdgeBPS,
		MaxPayout: s.MaxPayout, RefundTimeout: s.RefundTimeout, StartedAt: s.StartedAt, Slot: p.slot,
	}
}

func end(p *piece, times map[uint64]time.Time) verify.End {
	e := verify.End{Slot: p.slot}
	if at, ok := times[p.slot]; ok {
		e.BlockTime, e.HasBlockTime = at.Unix(), true
	}
	if v := p.event.Voided; v != nil {
		e.Kind = verify.EndVoided
		e.Voided = verify.Voided{Refund: v.Refund, Authority: v.Authority}
		return e
	}
	s := p.event.Settled
	e.Kind = verify.EndSettled
	e.Settled = verify.Settled{
		ServerSeed: s.ServerSeed, Slothash: s.Slothash, MinesMask: s.MinesMask, RevealedMask: s.RevealedMask,
		BustTile: s.BustTile, HasBust: s.HasBust, Multiplier: s.Multiplier, Payout: s.Payout,
	}
	return e
}
