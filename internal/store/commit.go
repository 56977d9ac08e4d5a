package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/verify"
)

// Commit writes a batch, does what else belongs to it, and ends the turn: it
// takes one first where there is none. On any error nothing of it is stored,
// unless the connection broke while the server was committing: then the outcome
// is not known. Both are mended in the same way: read what is stored and decide
// the batch again. ErrFrontierMoved says that the batch's Advance does not start
// where the frontier is, ErrStored that a transaction of New has a row.
func (w *Writer) Commit(ctx context.Context, b *Batch, also ...func(context.Context, pgx.Tx) error) (Counted, error) {
	counted, err := w.commit(ctx, b, also)
	if err != nil {
		w.Release(ctx)
		return Counted{}, fmt.Errorf("save a batch of %d transactions: %w", len(b.New)+len(b.Replaced), outcome(err))
	}
	return counted, nil
}

func (w *Writer) commit(ctx context.Context, b *Batch, also []func(context.Context, pgx.Tx) error) (Counted, error) {
	if b.Empty() && len(also) == 0 {
		w.Release(ctx)
		return Counted{}, nil
	}
	if !w.ahead.none() && !w.ahead.are(b.New) {
		return Counted{}, errors.New("what was written ahead is not what is new")
	}
	a := w.advance(b)
	if a != nil && Weak(WeakFrontierFirst) {
		w.Release(ctx)
		if err := w.exec(ctx, moveFrontier, a.Was, a.Becomes, a.Head); err != nil {
			return Counted{}, err
		}
	}
	if !w.turn {
		if err := w.Take(ctx); err != nil {
			return Counted{}, err
		}
	}
	var counted Counted
	s := w.writes(b, a, &counted)
	// A crash before the commit leaves nothing; a crash after it leaves the batch
	// and the frontier that belongs to it.
	CrashAt(b.crashPoint(CrashSending, CrashAdvancing))
	if err := s.send(ctx, w); err != nil {
		return Counted{}, err
	}
	for _, do := range also {
		if err := do(ctx, w.tx); err != nil {
			return Counted{}, err
		}
	}
	if err := w.finish(ctx); err != nil {
		return Counted{}, err
	}
	CrashAt(b.crashPoint(CrashCommitted, CrashAdvanced))
	if b.Advance != nil {
		w.frontier = b.Advance.Becomes
	}
	return counted, nil
}

// writes are those of a batch. What counts changes when the new rows are there.
func (w *Writer) writes(b *Batch, a *Advance, counted *Counted) *writes {
	s := &writes{}
	s.txs(b, w.ahead.none())
	s.games(b.Games)
	s.verdicts(b.Verdicts)
	s.times(b.Times, w.frontier)
	if c := w.recounts(b); len(c.game) > 0 {
		counted.queue(&s.after, countGames, w.frontier, c.game, c.seq, c.endSlot, c.verdict, c.results, c.kind, c.minesCount, c.revealed,
			c.lost, c.stakeBand, c.voidWhen)
	}
	s.covers(b.Covers)
	if a != nil {
		s.after.Queue(planPassed)
		counted.queue(&s.after, countPassed, a.Was, a.Becomes)
		if !Weak(WeakFrontierFirst) {
			s.after.Queue(moveFrontier, a.Was, a.Becomes, a.Head)
		}
	}
	return s
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

// recounts are the verdicts of a batch that change at once what is counted: those that
// rest on nothing above the frontier.
func (w *Writer) recounts(b *Batch) (c counts) {
	for i := range b.Verdicts {
		v := &b.Verdicts[i]
		if int64(v.Slot) > w.frontier {
			continue
		}
		c.game, c.seq = append(c.game, v.Game), append(c.seq, int32(v.Seq))
		c.endSlot = append(c.endSlot, v.endSlot())
		c.verdict, c.results = append(c.verdict, int16(v.Verdict)), append(c.results, int32(v.Results))
		c.kind, c.voidWhen = append(c.kind, int16(v.Kind)), append(c.voidWhen, int16(v.VoidWhen))
		c.minesCount, c.revealed = append(c.minesCount, int16(v.MinesCount)), append(c.revealed, int16(v.Revealed))
		c.lost, c.stakeBand = append(c.lost, v.Lost), append(c.stakeBand, int16(v.StakeBand))
	}
	return c
}

// counts are verdicts as columns, with what they are counted by.
type counts struct {
	game                                                     array[GameID]
	seq, results                                             []int32
	endSlot                                                  []*int64
	verdict, kind, minesCount, revealed, stakeBand, voidWhen []int16
	lost                                                     array[bool]
}

// txs writes transactions and their events; of the new ones with their rows, where these
// were not written ahead.
func (s *writes) txs(b *Batch, withRows bool) {
	if len(b.Dropped) > 0 {
		s.before.Queue(`update audit.tx set dropped = true where id = any($1)`, b.Dropped)
		s.before.Queue(`delete from audit.unverifiable where tx = any($1)`, b.Dropped)
	}
	if len(b.Replaced) > 0 {
		s.replace(b.Replaced)
	}
	var added []Tx
	if withRows {
		added = b.New
	}
	s.newTxs(added)
	s.events(b.Replaced, added)
	s.problems(b.Replaced)
	s.problems(b.New)
}

func (s *writes) newTxs(txs []Tx) {
	rows := s.into("audit.tx", "id, signature, slot, log_state, failed, err", len(txs), 128)
	for i := range txs {
		t := &txs[i]
		rows.row()
		rows.int64(t.ID)
		rows.bytes(t.Signature[:])
		rows.int64(int64(t.Slot))
		rows.int16(int16(t.State))
		rows.bool(t.Failed)
		rows.bytesOrNull(t.Err)
	}
}

func (s *writes) replace(txs []Tx) {
	n := len(txs)
	id, slot, state := make([]int64, n), make([]int64, n), make([]int16, n)
	failed, err := make(array[bool], n), make(array[[]byte], n)
	for i := range txs {
		t := &txs[i]
		id[i], slot[i], state[i], failed[i], err[i] = t.ID, int64(t.Slot), int16(t.State), t.Failed, t.Err
	}
	s.before.Queue(`delete from audit.event where tx = any($1)`, id)
	s.before.Queue(`delete from audit.unverifiable where tx = any($1)`, id)
	s.before.Queue(`update audit.tx t set slot = x.slot, log_state = x.log_state, failed = x.failed, err = x.err, dropped = false
		from unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::boolean[], $5::bytea[]) as x(id, slot, log_state, failed, err)
		where t.id = x.id`, id, slot, state, failed, err)
}

// problems says of which transactions the log could not be read, and why.
func (s *writes) problems(txs []Tx) {
	for i := range txs {
		t := &txs[i]
		if t.Problem == "" {
			continue
		}
		accounts := make([][]byte, len(t.Accounts))
		for k := range t.Accounts {
			accounts[k] = t.Accounts[k][:]
		}
		s.after.Queue(`insert into audit.unverifiable (tx, reason, accounts) values ($1, $2, $3)`, t.ID, printable(t.Problem), accounts)
	}
}

func (s *writes) events(groups ...[]Tx) {
	var events []txEvent
	size := 0
	for _, txs := range groups {
		for i := range txs {
			t := &txs[i]
			for j := range t.Events {
				events = append(events, txEvent{t.ID, &t.Events[j]})
				size += len(t.Events[j].Data)
			}
		}
	}
	if len(events) == 0 {
		return
	}
	// Transactions come in rising order of their keys as it is; games are all
	// over their index, and dearer.
	slices.SortFunc(events, func(a, b txEvent) int { return bytes.Compare(a.Game[:], b.Game[:]) })
	rows := s.into("audit.event", "tx, ordinal, source, kind, game, data, paid", len(events), 64+size/len(events))
	for _, e := range events {
		rows.row()
		rows.int64(e.tx)
		rows.int32(int32(e.Ordinal))
		rows.int16(int16(e.Source))
		rows.int16(int16(e.Kind))
		if e.HasGame {
			rows.bytes(e.Game[:])
		} else {
			rows.null()
		}
		rows.bytes(e.Data)
		if e.Paid != nil {
			rows.numeric(*e.Paid)
		} else {
			rows.null()
		}
	}
}

// txEvent is an event and the id of its transaction.
type txEvent struct {
	tx int64
	*Event
}

// times adds chain times. At or below the frontier, games may have been
// counted by what was known of a slot, so that it stays; above it a time
// replaces none.
func (s *writes) times(times []SlotTime, frontier int64) {
	if len(times) == 0 {
		return
	}
	times = slices.Clone(times)
	slices.SortFunc(times, func(a, b SlotTime) int {
		switch {
		case a.Slot != b.Slot:
			return cmp.Compare(a.Slot, b.Slot)
		case a.Has == b.Has:
			return 0
		case a.Has: // the first of a slot is kept
			return -1
		}
		return 1
	})
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
	s.after.Queue(`insert into audit.slot_time (slot, block_time)
		select slot, to_timestamp(at) from unnest($1::bigint[], $2::bigint[]) as x(slot, at)
		on conflict (slot) do update set block_time = excluded.block_time
			where slot_time.block_time is null and excluded.block_time is not null and slot_time.slot > $3`, slot, at, frontier)
}

func (s *writes) verdicts(verdicts []Verdict) {
	findings := 0
	rows := s.into("audit.verdict", `game, seq, slot, end_slot, verdict, results, rules, kind, mines_count, revealed, lost, stake_band, void_when`,
		len(verdicts), 144)
	for i := range verdicts {
		v := &verdicts[i]
		findings += len(v.Findings)
		rows.row()
		rows.bytes(v.Game[:])
		rows.int32(int32(v.Seq))
		rows.int64(int64(v.Slot))
		if slot := v.endSlot(); slot == nil {
			rows.null()
		} else {
			rows.int64(*slot)
		}
		rows.int16(int16(v.Verdict))
		rows.int32(int32(v.Results))
		rows.int16(verify.RulesVersion)
		rows.int16(int16(v.Kind))
		rows.int16(int16(v.MinesCount))
		rows.int16(int16(v.Revealed))
		rows.bool(v.Lost)
		rows.int16(int16(v.StakeBand))
		rows.int16(int16(v.VoidWhen))
	}
	rows = s.into("audit.finding", "game, seq, check_no, result, reason, expected, observed", findings, 256)
	for i := range verdicts {
		v := &verdicts[i]
		for _, f := range v.Findings {
			rows.row()
			rows.bytes(v.Game[:])
			rows.int32(int32(v.Seq))
			rows.int16(int16(f.Check))
			rows.int16(int16(f.Result))
			rows.text(string(f.Reason))
			rows.text(printable(f.Expected))
			rows.text(printable(f.Observed))
		}
	}
}
