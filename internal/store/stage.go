package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Stage is the way of a pass that goes only part of it.
type Stage struct {
	UpTo   int64    // slot
	Before [64]byte // a stored signature of slot Above, the lowest that there is above UpTo
	Above  int64
}

// Stage gives the way to the slot of about the most-th stored transaction above
// after, where there are more of them up to upTo; false where there are not.
func (w *Writer) Stage(ctx context.Context, after, upTo int64, most int) (s Stage, more bool, err error) {
	var signature []byte
	err = w.conn.QueryRow(ctx, `with bound as (
			select slot from audit.tx where slot > $1 and slot <= $2 and not dropped order by slot offset $3 limit 1)
		select bound.slot, t.slot, t.signature from bound cross join lateral (
			select slot, signature from audit.tx where slot > bound.slot and slot <= $2 and not dropped order by slot limit 1) t`,
		after, upTo, most).Scan(&s.UpTo, &s.Above, &signature)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, false, nil
	}
	if err != nil {
		return s, false, fmt.Errorf("measure the way to slot %d: %w", upTo, err)
	}
	s.Before = [64]byte(signature)
	return s, true, nil
}
