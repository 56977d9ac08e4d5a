package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// writes is what one batch does: statements, then rows by COPY, then
// statements.
type writes struct {
	before pgx.Batch
	rows   []*copied
	after  pgx.Batch
}

// into begins rows for a table; columns is a list as in SQL. None cost nothing.
func (s *writes) into(table, columns string, rows, rowSize int) *copied {
	c := &copied{table: table, columns: columns, fields: int16(strings.Count(columns, ",") + 1)}
	if rows > 0 {
		c.data = append(make([]byte, 0, rows*rowSize), copyHeader...)
		s.rows = append(s.rows, c)
	}
	return c
}

// transact sends statements as one transaction in one round trip, after the
// check that no other writer has begun. The lock alone would do where every
// session ends with its lock; the epoch is for where one does not, such as behind
// a pooler that lends a session to the next client. It is for what has nothing to
// do with games, and needs no turn.
func (w *Writer) transact(ctx context.Context, q *pgx.Batch) error {
	held := q
	if w.epoch > 0 {
		held = &pgx.Batch{}
		held.Queue(`select audit.hold_epoch($1)`, w.epoch)
		held.QueuedQueries = append(held.QueuedQueries, q.QueuedQueries...)
	}
	return outcome(w.conn.SendBatch(ctx, held).Close())
}

// send does what is to be done within the turn.
func (s *writes) send(ctx context.Context, w *Writer) error {
	if s.before.Len() > 0 {
		if err := w.conn.SendBatch(ctx, &s.before).Close(); err != nil {
			return err
		}
	}
	for _, rows := range s.rows {
		if err := rows.send(ctx, w.conn); err != nil {
			return err
		}
	}
	if s.after.Len() == 0 {
		return nil
	}
	return w.conn.SendBatch(ctx, &s.after).Close()
}

// outcome turns what the server refuses into errors that a caller acts on.
func outcome(err error) error {
	pg := (*pgconn.PgError)(nil)
	if !errors.As(err, &pg) {
		return err
	}
	switch {
	case pg.Code == stateEpochOver:
		return fmt.Errorf("%w: it has begun after this one", ErrLocked)
	case pg.Code == stateFrontierMoved:
		return fmt.Errorf("%w: %s", ErrFrontierMoved, pg.Message)
	case pg.Code == uniqueViolation && pg.ConstraintName == signatureKey:
		return fmt.Errorf("%w: %w", ErrStored, err)
	}
	return err
}

const (
	uniqueViolation = "23505" // SQLSTATE
	signatureKey    = "tx_signature_key"
)

// exec is transact for a single statement.
func (w *Writer) exec(ctx context.Context, sql string, args ...any) error {
	q := &pgx.Batch{}
	q.Queue(sql, args...)
	return w.transact(ctx, q)
}
