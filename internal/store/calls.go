package store

import (
	"context"
	"fmt"
	"time"
)

// ReserveCalls takes a place for n calls, at so many a second, in the queue that all
// processes on this database share for a node. The first of them may be made after
// wait, and the next ones at the pace. Places that are not used are lost: nobody can
// know then whether the node would have been free.
func (s *Store) ReserveCalls(ctx context.Context, node string, n int, perSecond float64) (wait time.Duration, err error) {
	var seconds float64
	if err := s.pool.QueryRow(ctx, `select audit.reserve_calls($1, $2)`, node, float64(n)/perSecond).Scan(&seconds); err != nil {
		return 0, fmt.Errorf("reserve calls to a node: %w", err)
	}
	return time.Duration(seconds * float64(time.Second)), nil
}

// HoldCalls keeps all processes from a node for a time that it asked for.
func (s *Store) HoldCalls(ctx context.Context, node string, pause time.Duration) error {
	if _, err := s.pool.Exec(ctx, `select audit.hold_calls($1, $2)`, node, pause.Seconds()); err != nil {
		return fmt.Errorf("hold calls to a node: %w", err)
	}
	return nil
}
