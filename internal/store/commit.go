package store

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/verify"
)

// Commit writes a batch as one transaction. On any error nothing of it is
// stored, unless the connection broke while the server was committing: then
// the outcome is not known. Both are mended in the same way: read what is
// stored and decide the batch again. ErrFrontierMoved says that the batch's
// Advance does not start where the frontier is.
func (w *Writer) Commit(ctx context.Context, b *Batch) (Counted, error) {
	q := &pgx.Batch{}
	recount := w.recounts(b)
	counted := &Counted{}
	if len(recount) > 0 {
		counted.queue(q, subtractGames, recount, w.frontier)
	}
	queueTxs(q, b)
	queueGames(q, b.Games)
	queueVerdicts(q, b.Verdicts)
	queueTimes(q, b.Times, w.frontier)
	if len(recount) > 0 {
		counted.queue(q, addGames, recount, w.frontier)
	}
	if a := w.advance(b); a != nil {
		q.Queue(planPassed)
		counted.queue(q, countPassed, a.Was, a.Becomes)
		if !Weak(WeakFrontierFirst) {
			q.Queue(moveFrontier, a.Was, a.Becomes, a.Head)
		} else if err := w.exec(ctx, moveFrontier, a.Was, a.Becomes, a.Head); err != nil {
			return Counted{}, err
		}
	}
	if q.Len() == 0 {
		return *counted, nil
	}
	// The server takes all statements up to the end of the batch as one
	// transaction. A crash before its commit leaves nothing; a crash after it
	// leaves the batch and the frontier that belongs to it.
	CrashAt(b.crashPoint(CrashSending, CrashAdvancing))
	if err := w.transact(ctx, q); err != nil {
		return Counted{}, fmt.Errorf("save a batch of %d transactions: %w", len(b.New)+len(b.Replaced), err)
	}
	CrashAt(b.crashPoint(CrashCommitted, CrashAdvanced))
	if b.Advance != nil {
		w.frontier = b.Advance.Becomes
	}
	return *counted, nil
}

// advance is the batch's, unless the frontier is where it should go: then a
// commit whose answer was lost has moved it.
func (w *Writer) advance(b *Batch) *Advance {
	if a := b.Advance; a != nil && (a.Becomes != w.frontier || a.Was == w.frontier) {
		return a
	}
	return nil
}

const moveFrontier = `select audit.move_frontier($1, $2, $3)`

// recounts lists the games whose counted state changes at once: those of
// which a verdict rests on nothing above the frontier.
func (w *Writer) recounts(b *Batch) []GameID {
	var ids []GameID
	for i := range b.Verdicts {
		if int64(b.Verdicts[i].Slot) <= w.frontier {
			ids = append(ids, b.Verdicts[i].Game)
		}
	}
	return ids
}

func queueTxs(q *pgx.Batch, b *Batch) {
	if len(b.Dropped) > 0 {
		q.Queue(`update audit.tx set dropped = true where id = any($1)`, b.Dropped)
		q.Queue(`delete from audit.unverifiable where tx = any($1)`, b.Dropped)
	}
	if len(b.Replaced) > 0 {
		c := columnsOf(b.Replaced)
		q.Queue(`delete from audit.event where tx = any($1)`, c.id)
		q.Queue(`delete from audit.unverifiable where tx = any($1)`, c.id)
		q.Queue(`update audit.tx t set slot = x.slot, log_state = x.log_state, failed = x.failed, err = x.err, dropped = false
			from unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::boolean[], $5::bytea[]) as x(id, slot, log_state, failed, err)
			where t.id = x.id`, c.id, c.slot, c.state, c.failed, c.err)
	}
	if len(b.New) > 0 {
		c := columnsOf(b.New)
		q.Queue(`insert into audit.tx (id, signature, slot, log_state, failed, err)
			select * from unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::smallint[], $5::boolean[], $6::bytea[])`,
			c.id, c.signature, c.slot, c.state, c.failed, c.err)
	}
	queueEvents(q, b.Replaced, b.New)
}

type txColumns struct {
	id, slot       []int64
	signature, err array[[]byte]
	state          []int16
	failed         array[bool]
}

func columnsOf(txs []Tx) txColumns {
	var c txColumns
	for i := range txs {
		t := &txs[i]
		c.id = append(c.id, t.ID)
		c.signature = append(c.signature, t.Signature[:])
		c.slot = append(c.slot, int64(t.Slot))
		c.state = append(c.state, int16(t.State))
		c.failed = append(c.failed, t.Failed)
		c.err = append(c.err, t.Err)
	}
	return c
}

func queueEvents(q *pgx.Batch, groups ...[]Tx) {
	var events []txEvent
	for _, txs := range groups {
		for i := range txs {
			t := &txs[i]
			for j := range t.Events {
				events = append(events, txEvent{t.ID, &t.Events[j]})
			}
			if t.Problem != "" {
				accounts := make([][]byte, len(t.Accounts))
				for k := range t.Accounts {
					accounts[k] = t.Accounts[k][:]
				}
				q.Queue(`insert into audit.unverifiable (tx, reason, accounts) values ($1, $2, $3)`, t.ID, printable(t.Problem), accounts)
			}
		}
	}
	if len(events) == 0 {
		return
	}
	// Transactions come in rising order of their keys as it is; games are all
	// over their index, and dearer.
	slices.SortFunc(events, func(a, b txEvent) int { return bytes.Compare(a.Game[:], b.Game[:]) })
	n := len(events)
	var (
		tx           = make([]int64, n)
		ordinal      = make([]int32, n)
		source, kind = make([]int16, n), make([]int16, n)
		game         = make(array[*GameID], n)
		data         = make(array[[]byte], n)
	)
	for i, e := range events {
		tx[i], ordinal[i], source[i], kind[i], data[i] = e.tx, int32(e.Ordinal), int16(e.Source), int16(e.Kind), notNil(e.Data)
		if e.HasGame {
			game[i] = &e.Game
		}
	}
	q.Queue(`insert into audit.event (tx, ordinal, source, kind, game, data)
		select * from unnest($1::bigint[], $2::integer[], $3::smallint[], $4::smallint[], $5::uuid[], $6::bytea[])`,
		tx, ordinal, source, kind, game, data)
}

// txEvent is an event and the id of its transaction.
type txEvent struct {
	tx int64
	*Event
}

// notNil keeps an event without bytes from becoming null.
func notNil(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}

// queueTimes adds chain times. At or below the frontier, games may have been
// counted by what was known of a slot, so that it stays; above it a time
// replaces none.
func queueTimes(q *pgx.Batch, times []SlotTime, frontier int64) {
	if len(times) == 0 {
		return
	}
	times = slices.Clone(times)
	slices.SortFunc(times, func(a, b SlotTime) int { return cmp.Compare(a.Slot, b.Slot) })
	times = slices.CompactFunc(times, func(a, b SlotTime) bool { return a.Slot == b.Slot })
	slot := make([]int64, len(times))
	at := make([]*int64, len(times))
	for i := range times {
		slot[i] = int64(times[i].Slot)
		if times[i].Has {
			seconds := times[i].Time.Unix()
			at[i] = &seconds
		}
	}
	q.Queue(`insert into audit.slot_time (slot, block_time)
		select slot, to_timestamp(at) from unnest($1::bigint[], $2::bigint[]) as x(slot, at)
		on conflict (slot) do update set block_time = excluded.block_time
			where slot_time.block_time is null and excluded.block_time is not null and slot_time.slot > $3`, slot, at, frontier)
}

func queueVerdicts(q *pgx.Batch, verdicts []Verdict) {
	if len(verdicts) == 0 {
		return
	}
	n := len(verdicts)
	var (
		game                      = make(array[GameID], n)
		seq                       = make([]int32, n)
		slot                      = make([]int64, n)
		endSlot                   = make([]*int64, n)
		verdict, kind, mines, k   = make([]int16, n), make([]int16, n), make([]int16, n), make([]int16, n)
		results                   = make([]int32, n)
		lost                      = make(array[bool], n)
		stakeBand, voidWhen       = make([]int16, n), make([]int16, n)
		fGame                     array[GameID]
		fSeq                      []int32
		fCheck, fResult           []int16
		reason, expected, observe []string
	)
	for i := range verdicts {
		v := &verdicts[i]
		game[i], seq[i], slot[i], verdict[i] = v.Game, int32(v.Seq), int64(v.Slot), int16(v.Verdict)
		results[i], kind[i], mines[i], k[i] = int32(v.Results), int16(v.Kind), int16(v.MinesCount), int16(v.Revealed)
		lost[i], stakeBand[i], voidWhen[i] = v.Lost, int16(v.StakeBand), int16(v.VoidWhen)
		if v.Verdict != verify.VerdictWithdrawn {
			end := int64(v.EndSlot)
			endSlot[i] = &end
		}
		for _, f := range v.Findings {
			fGame, fSeq = append(fGame, v.Game), append(fSeq, int32(v.Seq))
			fCheck, fResult = append(fCheck, int16(f.Check)), append(fResult, int16(f.Result))
			reason, expected, observe = append(reason, string(f.Reason)), append(expected, printable(f.Expected)), append(observe, printable(f.Observed))
		}
	}
	q.Queue(`insert into audit.verdict (game, seq, slot, end_slot, verdict, results, rules, kind, mines_count, revealed, lost, stake_band, void_when)
		select game, seq, slot, end_slot, verdict, results, $6, kind, mines_count, revealed, lost, stake_band, void_when
		from unnest($1::uuid[], $2::integer[], $3::bigint[], $4::bigint[], $5::smallint[], $7::integer[], $8::smallint[], $9::smallint[],
			$10::smallint[], $11::boolean[], $12::smallint[], $13::smallint[])
		as x(game, seq, slot, end_slot, verdict, results, kind, mines_count, revealed, lost, stake_band, void_when)`,
		game, seq, slot, endSlot, verdict, int16(verify.RulesVersion), results, kind, mines, k, lost, stakeBand, voidWhen)
	if len(fGame) > 0 {
		q.Queue(`insert into audit.finding (game, seq, check_no, result, reason, expected, observed)
			select * from unnest($1::uuid[], $2::integer[], $3::smallint[], $4::smallint[], $5::text[], $6::text[], $7::text[])`,
			fGame, fSeq, fCheck, fResult, reason, expected, observe)
	}
}
