package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/verify"
)

// offchainChunk is how many rounds or bets one transaction saves.
const offchainChunk = 20_000

// Saved says what became of what was given.
type Saved struct {
	Added      int64
	Superseded int64 // something else stood there, which is kept in a table of its own
	Unchanged  int64
}

// Add adds what became of others.
func (s *Saved) Add(other Saved) {
	s.Added += other.Added
	s.Superseded += other.Superseded
	s.Unchanged += other.Unchanged
}

// An OffchainFinding is a check of a round or a bet that failed or could not be
// made. Check is a number below 8; its texts may be a stranger's.
type OffchainFinding struct {
	Check    uint8
	Result   verify.Result
	Reason   string
	Expected string
	Observed string
}

// packResults packs results as columns have them, two bits a check.
func packResults(results []verify.Result) (packed int32) {
	for i, r := range results {
		packed |= int32(r) << (2 * i)
	}
	return packed
}

// A findingColumns are findings as columns of unnest.
type findingColumns struct {
	check, result              array[int16]
	reason, expected, observed array[string]
}

func (c *findingColumns) add(f *OffchainFinding) {
	c.check = append(c.check, int16(f.Check))
	c.result = append(c.result, int16(f.Result))
	c.reason = append(c.reason, printable(f.Reason))
	c.expected = append(c.expected, printable(f.Expected))
	c.observed = append(c.observed, printable(f.Observed))
}

// save runs one chunk's statements in a transaction. The first, a lock, keeps
// others who save the same things waiting; readers go on. A crash leaves whole
// chunks, and whoever saves the same again adds the rest.
func (s *Store) save(ctx context.Context, lock string, lockArgs []any, statement string, args ...any) (saved Saved, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lock, lockArgs...); err != nil {
			return fmt.Errorf("lock: %w", err)
		}
		// The planner knows nothing of the arrays, and compiling for what it
		// fears takes longer than running it.
		if _, err := tx.Exec(ctx, `set local jit = off`); err != nil {
			return err
		}
		return tx.QueryRow(ctx, statement, args...).Scan(&saved.Added, &saved.Superseded, &saved.Unchanged)
	})
	return saved, err
}
