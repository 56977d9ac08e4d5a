package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Covered is a range of slots that the record holds whole, or could not be had.
type Covered struct {
	From, To int64 // both within
	Reason   string
	Source   string // follow, backfill
	MadeAt   time.Time
	// Alone, in a claim, is the node whose list the range rests on, where others are to be
	// asked and none was: then it is noted as unchecked. Coverage does not tell it.
	Alone string `db:"-"`
}

// Complete reports whether every transaction of the program in the range is in
// the record.
func (c *Covered) Complete() bool { return c.Reason == "" }

// SourceBackfill closes ranges of history; the daemon's own are closed as the
// frontier moves.
const SourceBackfill = "backfill"

// covers claims and disclaims ranges, in the turn that stores what is in them.
func (s *writes) covers(ranges []Covered) {
	for i := range ranges {
		c := &ranges[i]
		if c.Complete() {
			s.after.Queue(`select audit.cover(int8range($1, $2, '[]'), $3)`, c.From, c.To, c.Source)
			if c.Alone != "" {
				s.after.Queue(uncheck, c.From, c.To, printable(c.Alone), "history is read from one node, and held against another afterwards")
			}
		} else {
			s.after.Queue(`select audit.lack(int8range($1, $2, '[]'), $3, $4)`, c.From, c.To, printable(c.Reason), c.Source)
		}
	}
}

// Coverage lists the ranges, lowest first. Slots in none were never asked for.
func (s *Store) Coverage(ctx context.Context) ([]Covered, error) {
	rows, err := s.pool.Query(ctx, `select lower(slots), upper(slots) - 1, case when complete then '' else reason end, source, made_at
		from audit.coverage order by slots`)
	if err != nil {
		return nil, fmt.Errorf("read the coverage: %w", err)
	}
	ranges, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Covered])
	if err != nil {
		return nil, fmt.Errorf("read the coverage: %w", err)
	}
	return ranges, nil
}
