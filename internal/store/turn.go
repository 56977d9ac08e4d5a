package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// turnKey is the advisory lock that a turn holds; any fixed number serves.
const turnKey = 0x7475726e // "turn"

// Take begins a turn: a transaction in which nobody else decides games, so that
// what is read in it still holds when it is committed. The leader and any number
// of workers take turns; waiting for the others is bounded by lock_timeout.
// [Writer.Commit] ends the turn, and so does [Writer.Release].
//
// The leader's epoch is checked here, and the row that holds it stays locked: a
// writer that takes over begins after this turn, and before it reads.
func (w *Writer) Take(ctx context.Context) error {
	if w.turn {
		return errors.New("take a turn: this writer has one")
	}
	lock := fmt.Sprintf(`select pg_advisory_xact_lock(%d)`, int64(turnKey))
	if w.epoch > 0 {
		lock += fmt.Sprintf(`; select audit.hold_epoch(%d)`, w.epoch)
	}
	var err error
	if w.tx == nil {
		w.tx, err = w.conn.BeginTx(ctx, pgx.TxOptions{BeginQuery: `begin; ` + lock})
	} else {
		_, err = w.tx.Exec(ctx, lock)
	}
	if err != nil {
		w.over()
		w.clear(ctx)
		return fmt.Errorf("take a turn: %w", outcome(err))
	}
	w.turn = true
	if w.lead {
		return nil // it alone moves the frontier
	}
	if err := w.tx.QueryRow(ctx, `select frontier from audit.watch`).Scan(&w.frontier); err != nil {
		w.Release(ctx)
		return fmt.Errorf("take a turn: read the frontier: %w", noRows(err, ErrNoWatch))
	}
	return nil
}

// Release ends a turn with nothing written. Without one it does nothing.
func (w *Writer) Release(ctx context.Context) {
	if w.tx != nil {
		w.over()
		w.clear(ctx)
	}
}

// over forgets the turn.
func (w *Writer) over() { w.tx, w.turn, w.ahead = nil, false, ids{} }

// clear leaves the session without a transaction, or closed.
func (w *Writer) clear(ctx context.Context) {
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

// finish commits what the turn has written, and ends it.
func (w *Writer) finish(ctx context.Context) error {
	tx := w.tx
	w.over()
	err := tx.Commit(ctx)
	if err != nil {
		w.clear(ctx)
	}
	return err
}
