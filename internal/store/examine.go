package store

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/decode"
)

// StoredTx is a transaction's row and its events, as they are held against another
// node's answer.
type StoredTx struct {
	Known
	State    decode.LogState
	Err      []byte
	Convicts bool    // a game that it has an event of stands as failed
	Events   []Event // by source and ordinal; Game and HasGame are not read
}

// Transactions loads transactions with their events; what is absent from the answer
// is not stored.
func (w *Writer) Transactions(ctx context.Context, signatures [][64]byte) (map[[64]byte]*StoredTx, error) {
	found := make(map[[64]byte]*StoredTx, len(signatures))
	if len(signatures) == 0 {
		return found, nil
	}
	keys := make(array[[]byte], len(signatures))
	for i := range signatures {
		keys[i] = signatures[i][:]
	}
	rows, err := w.conn.Query(ctx, `select t.signature, t.id, t.slot, t.failed, t.dropped, t.log_state, t.err,
			exists (select from audit.event x join audit.game g on g.id = x.game where x.tx = t.id and g.verdict = 2), e.source, e.ordinal, e.kind, e.data
		from audit.tx t left join audit.event e on e.tx = t.id where t.signature = any($1) order by t.id, e.source, e.ordinal`, keys)
	if err != nil {
		return nil, fmt.Errorf("load %d transactions: %w", len(signatures), err)
	}
	var (
		signature, data []byte
		slot            int64
		state           int16
		t               StoredTx
		source, kind    *int16
		ordinal         *int32
	)
	_, err = pgx.ForEachRow(rows, []any{&signature, &t.ID, &slot, &t.Failed, &t.Dropped, &state, &t.Err, &t.Convicts, &source, &ordinal, &kind, &data}, func() error {
		have := found[[64]byte(signature)]
		if have == nil {
			t.Slot, t.State = uint64(slot), decode.LogState(state)
			row := t
			have = &row
			found[[64]byte(signature)] = have
		}
		if ordinal != nil {
			have.Events = append(have.Events, Event{Source: Source(*source), Ordinal: uint32(*ordinal), Kind: decode.Kind(*kind), Data: data})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load %d transactions: %w", len(signatures), err)
	}
	return found, nil
}

// Doubtful lists transactions in slots above after up to upTo, at most most of them,
// on which more depends than on others: those whose log could not be read, and those
// of games that stand as failed or inconclusive by a verdict that rests on that range.
func (w *Writer) Doubtful(ctx context.Context, after, upTo int64, most int) ([][64]byte, error) {
	rows, err := w.conn.Query(ctx, `select signature from audit.tx where slot > $1 and slot <= $2 and log_state <> 0 and not failed and not dropped
		union
		select t.signature from audit.verdict v join audit.game g on g.id = v.game and g.seq = v.seq
			join audit.event e on e.game = g.id join audit.tx t on t.id = e.tx
			where v.slot > $1 and v.slot <= $2 and v.verdict in (2, 3) and not t.failed and not t.dropped
		limit $3`, after, upTo, most)
	if err != nil {
		return nil, fmt.Errorf("list doubtful transactions: %w", err)
	}
	signatures, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s [64]byte, err error) {
		var b []byte
		err = row.Scan(&b)
		copy(s[:], b)
		return s, err
	})
	if err != nil {
		return nil, fmt.Errorf("list doubtful transactions: %w", err)
	}
	return signatures, nil
}

// Uncheck notes that the slots above after up to upTo are covered by the list of one
// node, and that no second was asked.
func (w *Writer) Uncheck(ctx context.Context, after, upTo int64, node, why string) error {
	if after >= upTo {
		return nil
	}
	if err := w.exec(ctx, uncheck, after+1, upTo, printable(node), printable(why)); err != nil {
		return fmt.Errorf("note slots %d to %d as unchecked: %w", after+1, upTo, err)
	}
	return nil
}

const uncheck = `select audit.uncheck(int8range($1, $2, '[]'), nullif($3, ''), $4)`

// Checked takes that back.
func (w *Writer) Checked(ctx context.Context, after, upTo int64) error {
	if after >= upTo {
		return nil
	}
	if err := w.exec(ctx, `select audit.checked(int8range($1 + 1, $2 + 1))`, after, upTo); err != nil {
		return fmt.Errorf("note slots %d to %d as checked: %w", after+1, upTo, err)
	}
	return nil
}

// Unchecked is a range of slots that one node alone has listed.
type Unchecked struct {
	After, UpTo int64  // slots above After up to UpTo
	Node        string // whose list it is; empty: not known
}

// Unchecked gives the newest unchecked range; false if there is none.
func (w *Writer) Unchecked(ctx context.Context) (u Unchecked, ok bool, err error) {
	err = w.conn.QueryRow(ctx, `select lower(slots) - 1, upper(slots) - 1, coalesce(node, '') from audit.unchecked order by slots desc limit 1`).Scan(&u.After, &u.UpTo, &u.Node)
	if errors.Is(err, pgx.ErrNoRows) {
		return u, false, nil
	}
	if err != nil {
		return u, false, fmt.Errorf("look for unchecked slots: %w", err)
	}
	return u, true, nil
}

// Anchor gives a transaction of the lowest slot above one, to begin a list below, if
// least transactions or more are stored above it; else false: beginning at the newest
// is as near.
func (w *Writer) Anchor(ctx context.Context, above int64, least int) (signature [64]byte, slot int64, ok bool, err error) {
	var b []byte
	err = w.conn.QueryRow(ctx, `select signature, slot from audit.tx where slot > $1 and not dropped
			and exists (select from audit.tx where slot > $1 and not dropped order by slot offset $2 - 1 limit 1)
		order by slot, signature limit 1`, above, least).Scan(&b, &slot)
	if errors.Is(err, pgx.ErrNoRows) {
		return signature, 0, false, nil
	}
	if err != nil {
		return signature, 0, false, fmt.Errorf("look for a transaction above slot %d: %w", above, err)
	}
	copy(signature[:], b)
	return signature, slot, true, nil
}

// Examination is what was and was not held against a second node.
type Examination struct {
	UncheckedSlots int64
	Disagreements  map[Settled]int64
}

// Examination reads the counts.
func (s *Store) Examination(ctx context.Context) (Examination, error) {
	e := Examination{Disagreements: map[Settled]int64{}}
	var slots float64
	if err := s.pool.QueryRow(ctx, `select coalesce(sum(upper(slots) - lower(slots)), 0)::float8 from audit.unchecked`).Scan(&slots); err != nil {
		return e, fmt.Errorf("count unchecked slots: %w", err)
	}
	e.UncheckedSlots = int64(min(slots, math.MaxInt64/2))
	rows, err := s.pool.Query(ctx, `select settled, count(*) from audit.disagreement group by 1`)
	if err != nil {
		return e, fmt.Errorf("count disagreements: %w", err)
	}
	var (
		settled Settled
		n       int64
	)
	if _, err := pgx.ForEachRow(rows, []any{&settled, &n}, func() error { e.Disagreements[settled] = n; return nil }); err != nil {
		return e, fmt.Errorf("count disagreements: %w", err)
	}
	return e, nil
}
