package store

import (
	"math"

	"minesaudit/internal/verify"
)

// games writes whole rows: a game's row is always computed from all of its
// events, so the newest computation replaces the one before. A row that is
// there already without the batch knowing fails it, and it is decided again.
func (s *writes) games(games []Game) {
	fresh := 0
	for i := range games {
		if !games[i].Stored {
			fresh++
		}
	}
	added, changed := s.into("audit.game", `game, "user", nonce, id, `+gameRest, fresh, 512), newGameColumns(len(games)-fresh)
	j := 0
	for i := range games {
		if g := &games[i]; g.Stored {
			changed.set(j, g)
			j++
		} else {
			added.game(g)
		}
	}
	if j > 0 {
		s.after.Queue(updateGames, changed.rest()...)
	}
}

// game adds a game's row.
func (c *copied) game(g *Game) {
	c.row()
	c.bytes(g.Key.Game[:])
	c.bytes(g.Key.User[:])
	c.numeric(g.Key.Nonce)
	c.bytes(g.ID[:])
	c.int32(int32(g.Starts))
	c.int32(int32(g.Ends))
	if s := g.Start; s == nil {
		c.nulls(10)
	} else {
		c.int64(g.StartTx)
		c.int64(int64(s.Slot))
		c.int16(int16(s.MinesCount))
		c.numeric(s.Stake)
		c.bytes(s.CommitHash[:])
		c.bytes(s.Slothash[:])
		c.int32(edge(s.HouseEdge))
		c.numeric(s.MaxPayout)
		c.int64(s.RefundTimeout)
		c.int64(s.StartedAt)
	}
	c.end(g)
	if g.Standing.Seq < 0 {
		c.null()
	} else {
		c.int32(int32(g.Standing.Seq))
	}
	c.int16(int16(g.Standing.Verdict))
	c.int32(int32(g.Standing.Results))
	c.int16(int16(g.Standing.VoidWhen))
}

func (c *copied) end(g *Game) {
	e := g.End
	if e == nil {
		c.nulls(12)
		return
	}
	c.int64(g.EndTx)
	c.int64(int64(e.Slot))
	c.int16(int16(e.Kind))
	if e.Kind == verify.EndVoided {
		c.nulls(7)
		c.numeric(e.Voided.Refund)
		c.bytes(e.Voided.Authority[:])
		return
	}
	s := &e.Settled
	c.bytes(s.ServerSeed[:])
	c.bytes(s.Slothash[:])
	c.int64(int64(s.MinesMask))
	c.int64(int64(s.RevealedMask))
	if s.HasBust {
		c.int16(int16(s.BustTile))
	} else {
		c.null()
	}
	c.numeric(s.Multiplier)
	c.numeric(s.Payout)
	c.nulls(2)
}

// What is written of a game beside its key, in the order of rest; in a change,
// u64 values travel as the bigint of the same bits.
const (
	gameRest = `starts, ends,
		start_tx, start_slot, mines_count, stake, commit_hash, slothash, house_edge_bps, max_payout, refund_timeout, started_at,
		end_tx, end_slot, end_kind, server_seed, end_slothash, mines_mask, revealed_mask, bust_tile, multiplier, payout,
		refund, authority, seq, verdict, results, void_when`
	gameValues = `x.starts, x.ends,
		x.start_tx, x.start_slot, x.mines_count, audit.u64(x.stake), x.commit_hash, x.slothash, x.house_edge_bps, audit.u64(x.max_payout),
		x.refund_timeout, x.started_at,
		x.end_tx, x.end_slot, x.end_kind, x.server_seed, x.end_slothash, x.mines_mask, x.revealed_mask, x.bust_tile, audit.u64(x.multiplier),
		audit.u64(x.payout), audit.u64(x.refund), x.authority, x.seq, x.verdict, x.results, x.void_when`
	updateGames = `update audit.game g set (` + gameRest + `) = (` + gameValues + `)
		from unnest($1::uuid[], $2::integer[], $3::integer[],
			$4::bigint[], $5::bigint[], $6::smallint[], $7::bigint[], $8::bytea[], $9::bytea[], $10::integer[], $11::bigint[], $12::bigint[], $13::bigint[],
			$14::bigint[], $15::bigint[], $16::smallint[], $17::bytea[], $18::bytea[], $19::bigint[], $20::bigint[], $21::smallint[], $22::bigint[], $23::bigint[],
			$24::bigint[], $25::bytea[], $26::integer[], $27::smallint[], $28::integer[], $29::smallint[])
		as x(id, ` + gameRest + `) where g.id = x.id`
)

// rest are the id and the columns of gameRest.
func (c *gameColumns) rest() []any {
	return []any{
		c.id, c.starts, c.ends,
		c.startTx, c.startSlot, c.minesCount, c.stake, c.commitHash, c.slothash, c.edge, c.maxPayout, c.refundTimeout, c.startedAt,
		c.endTx, c.endSlot, c.endKind, c.serverSeed, c.endSlothash, c.minesMask, c.revealedMask, c.bustTile, c.multiplier, c.payout,
		c.refund, c.authority, c.seq, c.verdict, c.results, c.voidWhen,
	}
}

type gameColumns struct {
	id                                                  array[GameID]
	commitHash, slothash                                array[[]byte]
	serverSeed, endSlothash, authority                  array[[]byte]
	starts, ends                                        []int32
	startTx, startSlot, stake, maxPayout, refundTimeout []*int64
	startedAt, endTx, endSlot, minesMask, revealedMask  []*int64
	multiplier, payout, refund                          []*int64
	minesCount, endKind, bustTile                       []*int16
	edge, seq                                           []*int32
	verdict, voidWhen                                   []int16
	results                                             []int32
}

func newGameColumns(n int) *gameColumns {
	bytes := func() array[[]byte] { return make([][]byte, n) }
	big := func() []*int64 { return make([]*int64, n) }
	small := func() []*int16 { return make([]*int16, n) }
	return &gameColumns{
		id: make(array[GameID], n), commitHash: bytes(), slothash: bytes(),
		serverSeed: bytes(), endSlothash: bytes(), authority: bytes(),
		starts: make([]int32, n), ends: make([]int32, n),
		startTx: big(), startSlot: big(), stake: big(), maxPayout: big(), refundTimeout: big(),
		startedAt: big(), endTx: big(), endSlot: big(), minesMask: big(), revealedMask: big(),
		multiplier: big(), payout: big(), refund: big(),
		minesCount: small(), endKind: small(), bustTile: small(),
		edge: make([]*int32, n), seq: make([]*int32, n),
		verdict: make([]int16, n), voidWhen: make([]int16, n), results: make([]int32, n),
	}
}

func (c *gameColumns) set(i int, g *Game) {
	c.id[i], c.starts[i], c.ends[i] = g.ID, int32(g.Starts), int32(g.Ends)
	c.verdict[i], c.results[i], c.voidWhen[i] = int16(g.Standing.Verdict), int32(g.Standing.Results), int16(g.Standing.VoidWhen)
	if g.Standing.Seq >= 0 {
		c.seq[i] = ptr(int32(g.Standing.Seq))
	}
	if s := g.Start; s != nil {
		c.startTx[i], c.startSlot[i] = ptr(g.StartTx), ptr(int64(s.Slot))
		c.minesCount[i], c.edge[i] = ptr(int16(s.MinesCount)), ptr(edge(s.HouseEdge))
		c.stake[i], c.maxPayout[i] = ptr(int64(s.Stake)), ptr(int64(s.MaxPayout))
		c.commitHash[i], c.slothash[i] = s.CommitHash[:], s.Slothash[:]
		c.refundTimeout[i], c.startedAt[i] = ptr(s.RefundTimeout), ptr(s.StartedAt)
	}
	if g.End != nil {
		c.setEnd(i, g)
	}
}

func (c *gameColumns) setEnd(i int, g *Game) {
	e := g.End
	c.endTx[i], c.endSlot[i], c.endKind[i] = ptr(g.EndTx), ptr(int64(e.Slot)), ptr(int16(e.Kind))
	if e.Kind == verify.EndVoided {
		c.refund[i], c.authority[i] = ptr(int64(e.Voided.Refund)), e.Voided.Authority[:]
		return
	}
	s := &e.Settled
	c.serverSeed[i], c.endSlothash[i] = s.ServerSeed[:], s.Slothash[:]
	c.minesMask[i], c.revealedMask[i] = ptr(int64(s.MinesMask)), ptr(int64(s.RevealedMask))
	c.multiplier[i], c.payout[i] = ptr(int64(s.Multiplier)), ptr(int64(s.Payout))
	if s.HasBust {
		c.bustTile[i] = ptr(int16(s.BustTile))
	}
}

// edge fits a house edge into its column. What does not fit is above every scale
// that there is, and so is what stands for it.
func edge(parts uint32) int32 { return int32(min(parts, math.MaxInt32)) }

func ptr[T any](v T) *T { return &v }
