package store

import "minesaudit/internal/verify"

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
	added, changed := s.into("audit.game", `game, id, `+gameRest, fresh, 512), newGameColumns(len(games)-fresh)
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

// What is written of a game beside its address, in the order of rest; in a change,
// u64 values travel as the bigint of the same bits.
const (
	gameRest = `"user", nonce, starts, ends,
		start_tx, start_slot, mines_count, stake, commit_hash, slothash, house_edge_bps, max_payout, refund_timeout, started_at,
		end_tx, end_slot, end_kind, server_seed, end_slothash, mines_mask, revealed_mask, bust_tile, multiplier, payout,
		refund, authority, seq, verdict, results, void_when`
	gameValues = `x."user", audit.u64(x.nonce), x.starts, x.ends,
		x.start_tx, x.start_slot, x.mines_count, audit.u64(x.stake), x.commit_hash, x.slothash, x.house_edge_bps, audit.u64(x.max_payout),
		x.refund_timeout, x.started_at,
		x.end_tx, x.end_slot, x.end_kind, x.server_seed, x.end_slothash, x.mines_mask, x.revealed_mask, x.bust_tile, audit.u64(x.multiplier),
		audit.u64(x.payout), audit.u64(x.refund), x.authority, x.seq, x.verdict, x.results, x.void_when`
	updateGames = `update audit.game g set (` + gameRest + `) = (` + gameValues + `)
		from unnest($1::uuid[], $2::bytea[], $3::bigint[], $4::integer[], $5::integer[],
			$6::bigint[], $7::bigint[], $8::smallint[], $9::bigint[], $10::bytea[], $11::bytea[], $12::integer[], $13::bigint[], $14::bigint[], $15::bigint[],
			$16::bigint[], $17::bigint[], $18::smallint[], $19::bytea[], $20::bytea[], $21::bigint[], $22::bigint[], $23::smallint[], $24::bigint[], $25::bigint[],
			$26::bigint[], $27::bytea[], $28::integer[], $29::smallint[], $30::integer[], $31::smallint[])
		as x(id, ` + gameRest + `) where g.id = x.id`
)

// rest are the id and the columns of gameRest.
func (c *gameColumns) rest() []any {
	return []any{
		c.id, c.user, c.nonce, c.starts, c.ends,
		c.startTx, c.startSlot, c.minesCount, c.stake, c.commitHash, c.slothash, c.edge, c.maxPayout, c.refundTimeout, c.startedAt,
		c.endTx, c.endSlot, c.endKind, c.serverSeed, c.endSlothash, c.minesMask, c.revealedMask, c.bustTile, c.multiplier, c.payout,
		c.refund, c.authority, c.seq, c.verdict, c.results, c.voidWhen,
	}
}

type gameColumns struct {
	id                                                  array[GameID]
	user, commitHash, slothash                          array[[]byte]
	serverSeed, endSlothash, authority                  array[[]byte]
	starts, ends                                        []int32
	startTx, startSlot, stake, maxPayout, refundTimeout []*int64
	startedAt, endTx, endSlot, minesMask, revealedMask  []*int64
	nonce, multiplier, payout, refund                   []*int64
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
		id: make(array[GameID], n), user: bytes(), commitHash: bytes(), slothash: bytes(),
		serverSeed: bytes(), endSlothash: bytes(), authority: bytes(),
		starts: make([]int32, n), ends: make([]int32, n),
		startTx: big(), startSlot: big(), stake: big(), maxPayout: big(), refundTimeout: big(),
		startedAt: big(), endTx: big(), endSlot: big(), minesMask: big(), revealedMask: big(),
		nonce: big(), multiplier: big(), payout: big(), refund: big(),
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
	c.user[i] = publishedBytes(&g.Key.User, g.Missing.Has(verify.FieldUser))
	c.nonce[i] = published(int64(g.Key.Nonce), g.Missing.Has(verify.FieldNonce))
	if g.Start != nil {
		c.setStart(i, g)
	}
	if g.End != nil {
		c.setEnd(i, g)
	}
}

func (c *gameColumns) setStart(i int, g *Game) {
	s := g.Start
	c.startTx[i], c.startSlot[i] = ptr(g.StartTx), ptr(int64(s.Slot))
	c.minesCount[i] = published(int16(s.MinesCount), s.Missing.Has(verify.FieldMinesCount))
	c.stake[i] = published(int64(s.Stake), s.Missing.Has(verify.FieldStake))
	c.commitHash[i] = publishedBytes(&s.CommitHash, s.Missing.Has(verify.FieldCommitHash))
	c.slothash[i] = publishedBytes(&s.Slothash, s.Missing.Has(verify.FieldSlothash))
	c.edge[i] = published(edge(s.HouseEdge), s.Missing.Has(verify.FieldHouseEdge))
	c.maxPayout[i] = published(int64(s.MaxPayout), s.Missing.Has(verify.FieldMaxPayout))
	c.refundTimeout[i] = published(s.RefundTimeout, s.Missing.Has(verify.FieldRefundTimeout))
	c.startedAt[i] = published(s.StartedAt, s.Missing.Has(verify.FieldStartedAt))
}

func (c *gameColumns) setEnd(i int, g *Game) {
	e := g.End
	c.endTx[i], c.endSlot[i], c.endKind[i] = ptr(g.EndTx), ptr(int64(e.Slot)), ptr(int16(e.Kind))
	if v := &e.Voided; e.Kind == verify.EndVoided {
		c.refund[i] = published(int64(v.Refund), v.Missing.Has(verify.FieldRefund))
		c.authority[i] = publishedBytes(&v.Authority, v.Missing.Has(verify.FieldAuthority))
		return
	}
	s := &e.Settled
	c.serverSeed[i] = publishedBytes(&s.ServerSeed, s.Missing.Has(verify.FieldServerSeed))
	c.endSlothash[i] = publishedBytes(&s.Slothash, s.Missing.Has(verify.FieldSlothash))
	c.minesMask[i] = published(int64(s.MinesMask), s.Missing.Has(verify.FieldMinesMask))
	c.revealedMask[i] = published(int64(s.RevealedMask), s.Missing.Has(verify.FieldRevealedMask))
	c.bustTile[i] = published(int16(s.BustTile), s.Missing.Has(verify.FieldBustTile) || !s.HasBust)
	c.multiplier[i] = published(int64(s.Multiplier), s.Missing.Has(verify.FieldMultiplier))
	c.payout[i] = published(int64(s.Payout), s.Missing.Has(verify.FieldPayout))
}

// published is a value for a column, or null for one that is hidden.
func published[T any](v T, hidden bool) *T {
	if hidden {
		return nil
	}
	return &v
}

func publishedBytes(v *[32]byte, hidden bool) []byte {
	if hidden {
		return nil
	}
	return v[:]
}

func ptr[T any](v T) *T { return &v }
