package store

import (
	"github.com/jackc/pgx/v5"

	"minesaudit/internal/verify"
)

// queueGames writes whole rows: a game's row is always computed from all of
// its events, so the newest computation replaces the one before. A row that is
// there already without the batch knowing fails it, and it is decided again.
func queueGames(q *pgx.Batch, games []Game) {
	fresh := 0
	for i := range games {
		if !games[i].Stored {
			fresh++
		}
	}
	added, changed := newGameColumns(fresh), newGameColumns(len(games)-fresh)
	i, j := 0, 0
	for k := range games {
		if games[k].Stored {
			changed.set(j, &games[k])
			j++
		} else {
			added.set(i, &games[k])
			i++
		}
	}
	if fresh > 0 {
		q.Queue(insertGames, append([]any{added.game, added.user, added.nonce}, added.rest()...)...)
	}
	if j > 0 {
		q.Queue(updateGames, changed.rest()...)
	}
}

// What is written of a game beside its key, in the order of rest; u64 values
// travel as the bigint of the same bits.
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
	insertGames = `insert into audit.game (game, "user", nonce, id, ` + gameRest + `)
		select x.game, x.usr, audit.u64(x.nonce), x.id, ` + gameValues + `
		from unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::uuid[], $5::integer[], $6::integer[],
			$7::bigint[], $8::bigint[], $9::smallint[], $10::bigint[], $11::bytea[], $12::bytea[], $13::integer[], $14::bigint[], $15::bigint[], $16::bigint[],
			$17::bigint[], $18::bigint[], $19::smallint[], $20::bytea[], $21::bytea[], $22::bigint[], $23::bigint[], $24::smallint[], $25::bigint[], $26::bigint[],
			$27::bigint[], $28::bytea[], $29::integer[], $30::smallint[], $31::integer[], $32::smallint[])
		as x(game, usr, nonce, id, ` + gameRest + `)`
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
	game, user, commitHash, slothash                    array[[]byte]
	serverSeed, endSlothash, authority                  array[[]byte]
	nonce                                               []int64
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
		id: make(array[GameID], n), game: bytes(), user: bytes(), commitHash: bytes(), slothash: bytes(),
		serverSeed: bytes(), endSlothash: bytes(), authority: bytes(),
		nonce: make([]int64, n), starts: make([]int32, n), ends: make([]int32, n),
		startTx: big(), startSlot: big(), stake: big(), maxPayout: big(), refundTimeout: big(),
		startedAt: big(), endTx: big(), endSlot: big(), minesMask: big(), revealedMask: big(),
		multiplier: big(), payout: big(), refund: big(),
		minesCount: small(), endKind: small(), bustTile: small(),
		edge: make([]*int32, n), seq: make([]*int32, n),
		verdict: make([]int16, n), voidWhen: make([]int16, n), results: make([]int32, n),
	}
}

func (c *gameColumns) set(i int, g *Game) {
	c.id[i], c.game[i], c.user[i], c.nonce[i] = g.ID, g.Key.Game[:], g.Key.User[:], int64(g.Key.Nonce)
	c.starts[i], c.ends[i] = int32(g.Starts), int32(g.Ends)
	c.verdict[i], c.results[i], c.voidWhen[i] = int16(g.Standing.Verdict), int32(g.Standing.Results), int16(g.Standing.VoidWhen)
	if g.Standing.Seq >= 0 {
		c.seq[i] = ptr(int32(g.Standing.Seq))
	}
	if s := g.Start; s != nil {
		c.startTx[i], c.startSlot[i] = ptr(g.StartTx), ptr(int64(s.Slot))
		c.minesCount[i], c.edge[i] = ptr(int16(s.MinesCount)), ptr(int32(s.HouseEdgeBPS))
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

func ptr[T any](v T) *T { return &v }
