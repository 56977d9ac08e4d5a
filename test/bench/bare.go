//go:build bench

package bench

import (
	"context"
	"fmt"
	"time"
)

// bareCommits inserts a row and commits it, one at a time, for some time, and
// gives the seconds that each took. every is from one insert to the next; 0 is
// as fast as they go.
func bareCommits(ctx context.Context, db *database, every, during time.Duration) ([]float64, error) {
	if _, err := db.Exec(ctx, `create table if not exists bare (id bigint generated always as identity primary key, data bytea not null)`); err != nil {
		return nil, fmt.Errorf("make the table of single rows: %w", err)
	}
	row := make([]byte, 100) // a verdict's row is about as long
	insert := func() (float64, error) {
		began := time.Now()
		_, err := db.Exec(ctx, `insert into bare (data) values ($1)`, row)
		return time.Since(began).Seconds(), err
	}
	// The first prepares the statement.
	if _, err := insert(); err != nil {
		return nil, fmt.Errorf("commit a single row: %w", err)
	}
	if err := db.checkpoint(ctx); err != nil {
		return nil, err
	}
	var took []float64
	for began := time.Now(); time.Since(began) < during; {
		if every > 0 {
			due := time.NewTimer(time.Until(began.Add(time.Duration(len(took)) * every)))
			select {
			case <-due.C:
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		}
		seconds, err := insert()
		if err != nil {
			return nil, fmt.Errorf("commit a single row: %w", err)
		}
		took = append(took, seconds)
	}
	return took, nil
}
