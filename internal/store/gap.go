package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Gap is a time without a subscription.
type Gap struct {
	Reason   string
	From     int64
	To       *int64 // nil: it lasts
	OpenedAt time.Time
}

// mostGaps bounds what is shown of gaps that are open.
const mostGaps = 100

// OpenGaps lists gaps that the record has not passed, the latest first.
func (s *Store) OpenGaps(ctx context.Context) ([]Gap, error) {
	rows, err := s.pool.Query(ctx, `select reason, from_slot, to_slot, opened_at from audit.gap where filled_at is null order by id desc limit $1`, mostGaps)
	if err != nil {
		return nil, fmt.Errorf("read the gaps: %w", err)
	}
	gaps, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Gap])
	if err != nil {
		return nil, fmt.Errorf("read the gaps: %w", err)
	}
	return gaps, nil
}

// OpenGap records the end of a subscription: why, and the last slot heard of.
// An open gap that has no end yet is kept as it is: the subscription has been
// down since.
func (w *Writer) OpenGap(ctx context.Context, reason, detail string, from uint64) error {
	err := w.exec(ctx, `insert into audit.gap (reason, detail, from_slot)
		select $1, $2, $3 where not exists (select from audit.gap where to_slot is null and filled_at is null)`,
		reason, printable(detail), int64(from))
	if err != nil {
		return fmt.Errorf("record a gap: %w", err)
	}
	CrashAt(CrashGapOpened)
	return nil
}

// CloseGaps gives gaps without an end the slot at which the subscription was
// back. They are filled when the frontier passes it.
func (w *Writer) CloseGaps(ctx context.Context, to uint64) error {
	err := w.exec(ctx, `update audit.gap set to_slot = greatest($1, from_slot)
		where to_slot is null and filled_at is null`, int64(to))
	if err != nil {
		return fmt.Errorf("close gaps: %w", err)
	}
	CrashAt(CrashGapClosed)
	return nil
}
