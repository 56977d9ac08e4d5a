package store

import (
	"context"
	"fmt"

	"minesaudit/internal/verify"
)

// Totals are the counts at or below the frontier, and of what is amiss.
type Totals struct {
	Games        map[verify.Verdict]int64  // finalized, by verdict
	Voids        map[verify.VoidWhen]int64 // finalized voids
	Open         int64                     // gaps that the record has not passed
	Unverifiable int64                     // transactions whose log could not be read to its end
}

// Totals reads the counts. It touches few rows, however long the record.
func (s *Store) Totals(ctx context.Context) (Totals, error) {
	t := Totals{Games: map[verify.Verdict]int64{}, Voids: map[verify.VoidWhen]int64{}}
	err := s.each(ctx, `select verdict, void_when, n from audit.total`, func(verdict, voidWhen int16, n int64) {
		t.Games[verify.Verdict(verdict)] += n
		if verify.VoidWhen(voidWhen) != verify.NotVoid {
			t.Voids[verify.VoidWhen(voidWhen)] += n
		}
	})
	if err != nil {
		return t, err
	}
	err = s.pool.QueryRow(ctx, `select (select count(*) from audit.gap where filled_at is null),
		(select count(*) from audit.unverifiable)`).Scan(&t.Open, &t.Unverifiable)
	if err != nil {
		return t, fmt.Errorf("count gaps: %w", err)
	}
	return t, nil
}

// Confirmed counts the standing verdicts above the frontier, which a fork may
// still undo. It reads each of them.
func (s *Store) Confirmed(ctx context.Context) (map[verify.Verdict]int64, error) {
	// The frontier goes in as a value: what lies above it is few rows, which the
	// planner sees only so.
	var frontier int64
	if err := s.pool.QueryRow(ctx, `select coalesce(max(frontier), 0) from audit.watch`).Scan(&frontier); err != nil {
		return nil, fmt.Errorf("read the frontier: %w", err)
	}
	confirmed := map[verify.Verdict]int64{}
	err := s.each(ctx, `select g.verdict, 0::smallint, count(*) from audit.verdict v join audit.game g on g.id = v.game and g.seq = v.seq
		where v.slot > $1 and g.ends > 0 and g.verdict in (1, 2, 3) group by 1`,
		func(verdict, _ int16, n int64) { confirmed[verify.Verdict(verdict)] += n }, frontier)
	return confirmed, err
}

func (s *Store) each(ctx context.Context, query string, f func(a, b int16, n int64), args ...any) error {
	rows, err := s.pool.Query(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("read totals: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var (
			a, b int16
			n    int64
		)
		if err := rows.Scan(&a, &b, &n); err != nil {
			return fmt.Errorf("read totals: %w", err)
		}
		f(a, b, n)
	}
	return rows.Err()
}

// Watch reads what the database is bound to; ErrNoWatch before the first start.
func (s *Store) Watch(ctx context.Context) (Watch, error) { return readWatch(ctx, s.pool) }

// Outcome is the standing verdict of an ended game, or of an open one whose end
// may be hidden. A user and a nonce that are not published are zero and empty.
type Outcome struct {
	Game, User [32]byte
	Nonce      string // u64 in decimal
	Kind       verify.EndKind
	Verdict    verify.Verdict
	Results    [verify.NumChecks]verify.Result
	Finalized  bool
}

// EachOutcome calls f for every game that has ended, or may have without being
// seen to (verify.EndNone), in no order.
func (s *Store) EachOutcome(ctx context.Context, f func(Outcome)) error {
	rows, err := s.pool.Query(ctx, `select g.game, g."user", coalesce(g.nonce::text, ''), coalesce(g.end_kind, 2), g.verdict, g.results, coalesce(g.end_slot <= w.frontier, true)
		from audit.game g cross join audit.watch w where g.ends > 0 or g.verdict = 3`)
	if err != nil {
		return fmt.Errorf("read outcomes: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var (
			o             Outcome
			game, user    []byte
			kind, verdict int16
			results       int32
		)
		if err := rows.Scan(&game, &user, &o.Nonce, &kind, &verdict, &results, &o.Finalized); err != nil {
			return fmt.Errorf("read outcomes: %w", err)
		}
		o.Game = [32]byte(game)
		if user != nil {
			o.User = [32]byte(user)
		}
		o.Kind, o.Verdict, o.Results = verify.EndKind(kind), verify.Verdict(verdict), verify.Unpack(uint32(results))
		f(o)
	}
	return rows.Err()
}
