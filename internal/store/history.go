package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"minesaudit/internal/verify"
)

// Span is a range of slots, both ends within.
type Span struct{ From, To int64 }

// Slots is how many slots are in the span.
func (s Span) Slots() int64 { return s.To - s.From + 1 }

// Uncovered lists the slots of a span that the record does not hold whole, newest
// first. Those that could not be had are among them: another node may have them.
func (s *Store) Uncovered(ctx context.Context, of Span) ([]Span, error) {
	rows, err := s.pool.Query(ctx, `select lower(r), upper(r) - 1 from unnest(int8multirange(int8range($1, $2, '[]'))
			- coalesce((select range_agg(slots) from audit.coverage where complete), '{}'::int8multirange)) as r
		order by r desc`, of.From, of.To)
	if err != nil {
		return nil, fmt.Errorf("read what is not covered: %w", err)
	}
	spans, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Span])
	if err != nil {
		return nil, fmt.Errorf("read what is not covered: %w", err)
	}
	return spans, nil
}

// OldestAbove gives the stored transaction of the lowest slot above a slot; ok is
// false where there is none.
func (s *Store) OldestAbove(ctx context.Context, slot int64) (signature [64]byte, at int64, ok bool, err error) {
	var text []byte
	err = s.pool.QueryRow(ctx, `select signature, slot from audit.tx where slot > $1 and not dropped order by slot, id limit 1`, slot).Scan(&text, &at)
	if errors.Is(err, pgx.ErrNoRows) {
		return signature, 0, false, nil
	}
	if err != nil {
		return signature, 0, false, fmt.Errorf("look for the oldest transaction above slot %d: %w", slot, err)
	}
	copy(signature[:], text)
	return signature, at, true, nil
}

// NamedWithin lists the games that are open, or have no start, and that an
// unreadable log of the span names: what they lack may lie hidden there.
func (w *Writer) NamedWithin(ctx context.Context, span Span) ([]GameID, error) {
	return w.gameIDs(ctx, `select distinct g.id from audit.tx t join audit.unverifiable u on u.tx = t.id
			cross join unnest(u.accounts) as a(address) join audit.game g on g.game = a.address
		where t.slot >= $1 and t.slot <= $2 and (g.starts = 0 or g.ends = 0)
		order by 1`, span.From, span.To)
}

// NamedBy lists the games that are open and without a verdict, or have no start, and
// whose address is one of some accounts'.
func (w *Writer) NamedBy(ctx context.Context, accounts [][32]byte) ([]GameID, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	keys := make(array[[]byte], len(accounts))
	for i := range accounts {
		keys[i] = accounts[i][:]
	}
	return w.gameIDs(ctx, `select id from audit.game where game = any($1::bytea[]) and starts > 0 and ends = 0 and verdict = 0
		union select id from audit.game where game = any($1::bytea[]) and starts = 0 order by 1`, keys)
}

// Reword adds a verdict for each game of the batch whose standing one says the same
// for other reasons. A start that is missing may turn out to lie in a log that was
// cut: history that comes in any order is to end in the same words.
func (w *Writer) Reword(ctx context.Context, b *Batch) error {
	decided := make(map[GameID]bool, len(b.Verdicts))
	for i := range b.Verdicts {
		decided[b.Verdicts[i].Game] = true
	}
	var ids []GameID
	for i := range b.Games {
		if g := &b.Games[i]; g.Standing.Seq >= 0 && len(g.Standing.Findings) > 0 && !decided[g.ID] && g.Standing.Verdict != verify.VerdictPending {
			ids = append(ids, g.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	stored, err := w.standingFindings(ctx, ids)
	if err != nil {
		return err
	}
	for i := range b.Games {
		g := &b.Games[i]
		if had, asked := stored[g.ID]; asked && !sameFindings(had, g.Standing.Findings) {
			g.Standing.Seq++
			b.Verdicts = append(b.Verdicts, g.Standing)
		}
	}
	return nil
}

// standingFindings reads what the standing verdicts of games say; each game asked for
// is in the answer.
func (w *Writer) standingFindings(ctx context.Context, ids []GameID) (map[GameID][]verify.Finding, error) {
	found := make(map[GameID][]verify.Finding, len(ids))
	for _, id := range ids {
		found[id] = nil
	}
	rows, err := w.conn.Query(ctx, `select g.id, f.check_no, f.result, f.reason, f.expected, f.observed
		from audit.game g join audit.finding f on f.game = g.id and f.seq = g.seq where g.id = any($1)`, array[GameID](ids))
	if err != nil {
		return nil, fmt.Errorf("read findings: %w", err)
	}
	var (
		id GameID
		f  verify.Finding
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &f.Check, &f.Result, &f.Reason, &f.Expected, &f.Observed}, func() error {
		found[id] = append(found[id], f)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read findings: %w", err)
	}
	return found, nil
}

// sameFindings compares findings as they are stored with those of a report.
func sameFindings(stored, made []verify.Finding) bool {
	if len(stored) != len(made) {
		return false
	}
	byCheck := make(map[verify.Check]verify.Finding, len(stored))
	for _, f := range stored {
		byCheck[f.Check] = f
	}
	return !slices.ContainsFunc(made, func(f verify.Finding) bool {
		f.Expected, f.Observed = printable(f.Expected), printable(f.Observed)
		return byCheck[f.Check] != f
	})
}

// Apart makes a pool of its own on the same database, for what is not to wait for the
// record's readers. Nothing is connected yet.
func (s *Store) Apart(conns int32) (*pgxpool.Pool, error) {
	cfg := s.pool.Config()
	cfg.MaxConns = conns
	pool, err := pgxpool.NewWithConfig(context.Background(), cfg)
	if err != nil {
		return nil, fmt.Errorf("database pool: %w", err)
	}
	return pool, nil
}
