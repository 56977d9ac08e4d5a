package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// writes is what one transaction does: statements, then rows by COPY, then
// statements.
type writes struct {
	before pgx.Batch
	rows   []*copied
	after  pgx.Batch
}

// into begins rows for a table; see copyInto.
func (s *writes) into(table, columns string, rows, rowSize int) *copied {
	c := copyInto(table, columns, rows, rowSize)
	if rows > 0 {
		s.rows = append(s.rows, c)
	}
	return c
}

func (s *writes) empty() bool { return s.before.Len()+len(s.rows)+s.after.Len() == 0 }

// transact sends writes as one transaction, after the check that no other
// writer has begun. The lock alone would do where every session ends with its
// lock; the epoch is for where one does not, such as behind a pooler that lends
// a session to the next client.
func (w *Writer) transact(ctx context.Context, s *writes) error {
	begin := &pgx.Batch{}
	if len(s.rows) > 0 {
		begin.Queue(`begin`)
	}
	if w.epoch > 0 {
		begin.Queue(`select audit.hold_epoch($1)`, w.epoch)
	}
	begin.QueuedQueries = append(begin.QueuedQueries, s.before.QueuedQueries...)
	if len(s.rows) == 0 {
		// The server takes the statements of one round trip as one transaction.
		begin.QueuedQueries = append(begin.QueuedQueries, s.after.QueuedQueries...)
		return outcome(w.conn.SendBatch(ctx, begin).Close())
	}
	err := w.conn.SendBatch(ctx, begin).Close()
	for i := 0; err == nil && i < len(s.rows); i++ {
		err = s.rows[i].send(ctx, w.conn)
	}
	if err == nil {
		end := &pgx.Batch{QueuedQueries: s.after.QueuedQueries}
		end.Queue(`commit`)
		err = w.conn.SendBatch(ctx, end).Close()
	}
	if err != nil {
		w.rollback(ctx)
	}
	return outcome(err)
}

// rollback leaves the session without a transaction, or closed.
func (w *Writer) rollback(ctx context.Context) {
	if w.conn.IsClosed() || w.conn.PgConn().TxStatus() == idle {
		return
	}
	if _, err := w.conn.Exec(ctx, `rollback`); err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = w.conn.Close(ctx)
	}
}

// idle is the server's word for a session outside every transaction.
const idle = 'I'

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
	s := &writes{}
	s.after.Queue(sql, args...)
	return w.transact(ctx, s)
}
