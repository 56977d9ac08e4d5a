package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// firstEpoch is what the binding begins with: audit.watch.epoch's default.
const firstEpoch = 1

// Conditions that functions of the schema raise.
const (
	stateEpochOver     = "MA001" // hold_epoch
	stateFrontierMoved = "MA002" // move_frontier
)

// transact sends statements as one transaction in one round trip, after the
// check that no other writer has begun. The lock alone would do where every
// session ends with its lock; the epoch is for where one does not, such as
// behind a pooler that lends a session to the next client.
func (w *Writer) transact(ctx context.Context, q *pgx.Batch) error {
	held := q
	if w.epoch > 0 {
		held = &pgx.Batch{}
		held.Queue(`select audit.hold_epoch($1)`, w.epoch)
		held.QueuedQueries = append(held.QueuedQueries, q.QueuedQueries...)
	}
	err := w.conn.SendBatch(ctx, held).Close()
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		switch pg.Code {
		case stateEpochOver:
			return fmt.Errorf("%w: it has begun after this one", ErrLocked)
		case stateFrontierMoved:
			return fmt.Errorf("%w: %s", ErrFrontierMoved, pg.Message)
		}
	}
	return err
}

// exec is transact for a single statement.
func (w *Writer) exec(ctx context.Context, sql string, args ...any) error {
	q := &pgx.Batch{}
	q.Queue(sql, args...)
	return w.transact(ctx, q)
}

// begin begins the writer's epoch, which ends that of every writer before it,
// and reads the frontier. There is neither before Bind.
func (w *Writer) begin(ctx context.Context) error {
	begin := `update audit.watch set epoch = epoch + 1 returning epoch, frontier`
	if Weak(WeakNoFence) {
		begin = `select 0::bigint, frontier from audit.watch`
	}
	err := w.conn.QueryRow(ctx, begin).Scan(&w.epoch, &w.frontier)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("begin an epoch: %w", err)
	}
	return nil
}
