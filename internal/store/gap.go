package store

import (
	"context"
	"fmt"
)

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
