package ingest

import (
	"slices"
	"time"

	"minesaudit/internal/assemble"
	"minesaudit/internal/decode"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// piece is one event of a game; its Tx is the id of the transaction's row.
type piece = assemble.Piece

// judging is what bears on a game beside its events.
type judging struct {
	rules    *verify.Rules
	complete int64                // everything at or below this slot is in the record
	times    map[uint64]time.Time // block times of ending slots, where known
	cuts     []store.Truncation   // the truncated transactions that name a game's address, where its start or end is missing
	disputed bool                 // an event of the game is not among the pieces: nodes give it differently
}

// judge makes a game's row of its pieces, in any order, and judges it. The
// answer depends on nothing else: whichever way the pieces came, the same
// pieces give the same row. Standing keeps the sequence number before; the
// caller decides whether it is a new verdict.
func judge(id store.GameID, key decode.GameKey, pieces []piece, j judging) (store.Game, verify.Report) {
	for i := range pieces {
		if at, ok := j.times[pieces[i].Slot]; ok {
			pieces[i].BlockTime, pieces[i].HasBlockTime = at.Unix(), true
		}
	}
	game := assemble.Game(key, pieces)
	game.Truncated = game.Truncated || j.disputed
	row := store.Game{
		ID: id, Key: decode.GameKey{Game: game.Address, User: game.User, Nonce: game.Nonce}, Missing: game.Missing,
		Starts: len(game.Starts), Ends: len(game.Ends),
	}
	if row.Starts > 0 {
		row.Start = &game.Starts[0]
		row.StartTx = pieces[slices.IndexFunc(pieces, piece.IsStart)].Tx
	}
	if row.Ends > 0 {
		row.End = &game.Ends[0]
		row.EndTx = pieces[slices.IndexFunc(pieces, piece.IsEnd)].Tx
		game.Complete = int64(row.End.Slot) <= j.complete
		game.Truncated = game.Truncated || (row.Starts == 0 && game.Complete && len(j.cuts) > 0)
	}
	if row.Starts > 0 && row.Ends == 0 {
		game.HiddenIn = hiddenIn(&game.Starts[0], pieces, j)
	}
	report := verify.Judge(&game, j.rules)
	row.Standing = verdictOf(row.ID, pieces, row.End, &report)
	if v := &row.Standing; game.HiddenIn > 0 {
		v.Slot, v.EndSlot = max(v.Slot, game.HiddenIn), game.HiddenIn
	}
	return row, report
}

// hiddenIn gives the first slot of the record in which a log that was cut short
// may hide the end of a game that is open. The game's own transactions were
// read as far as they go: where one of them was cut, the end is still to come.
// Anybody can name a game in such a transaction. A running game that this makes
// inconclusive is judged as ever when its end comes.
func hiddenIn(start *verify.Start, pieces []piece, j judging) uint64 {
	for _, c := range j.cuts {
		own := slices.ContainsFunc(pieces, func(p piece) bool { return p.Tx == c.Tx })
		if !own && c.Slot >= start.Slot && int64(c.Slot) <= j.complete {
			return c.Slot
		}
	}
	return 0
}

func verdictOf(id store.GameID, pieces []piece, end *verify.End, r *verify.Report) store.Verdict {
	v := store.Verdict{
		Game: id, Seq: -1, Verdict: r.Verdict, Results: r.Packed(), Kind: r.Kind, MinesCount: r.MinesCount,
		Revealed: r.Revealed, Lost: r.Lost, StakeBand: r.StakeBand, VoidWhen: r.VoidWhen, Findings: r.Findings,
	}
	if len(pieces) > 0 {
		v.Slot = pieces[len(pieces)-1].Slot
	}
	if end != nil {
		v.EndSlot = end.Slot
	}
	return v
}
