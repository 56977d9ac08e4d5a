package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// lockKey is the advisory lock of the one writer; any fixed number serves.
const lockKey = 0x6d696e6573 // "mines"

// idBlock is the increment of the sequence audit.tx_id.
const idBlock = 10000

// Writer is the one session that writes. It is not safe for concurrent use.
// A method's error leaves it in one of two states: still usable, or Closed,
// after which a new one has to be opened.
type Writer struct {
	conn     *pgx.Conn
	nextID   int64
	idsLeft  int64
	frontier int64
}

// OpenWriter connects and takes the lock, without waiting for it: ErrLocked
// if another session has it. The session's lock goes with the connection.
func (s *Store) OpenWriter(ctx context.Context) (*Writer, error) {
	conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
	if err != nil {
		return nil, fmt.Errorf("connect the writer: %w", err)
	}
	w := &Writer{conn: conn}
	if err := w.lock(ctx); err != nil {
		_ = conn.Close(ctx)
		return nil, err
	}
	return w, nil
}

func (w *Writer) lock(ctx context.Context) error {
	var got, readOnly bool
	err := w.conn.QueryRow(ctx, `select pg_try_advisory_lock($1), current_setting('transaction_read_only') = 'on'`, lockKey).Scan(&got, &readOnly)
	switch {
	case err != nil:
		return fmt.Errorf("take the writer's lock: %w", err)
	case readOnly:
		return ErrReadOnly
	case !got:
		return fmt.Errorf("%w: stop it, or give this one a database of its own", ErrLocked)
	}
	// A verdict is only as good as its record: it must have reached the disk.
	if _, err := w.conn.Exec(ctx, `set synchronous_commit = on`); err != nil {
		return fmt.Errorf("prepare the writer: %w", err)
	}
	err = w.conn.QueryRow(ctx, `select frontier from audit.watch`).Scan(&w.frontier)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("read the frontier: %w", err)
	}
	return nil
}

// Closed reports whether the connection, and with it the lock, is gone.
func (w *Writer) Closed() bool { return w.conn.IsClosed() }

// Close ends the session and frees the lock.
func (w *Writer) Close(ctx context.Context) error { return w.conn.Close(ctx) }

// NextID hands out ids for new transactions, in rising order. Ids that are
// not used after all are lost, which does no harm.
func (w *Writer) NextID(ctx context.Context) (int64, error) {
	if w.idsLeft == 0 {
		if err := w.conn.QueryRow(ctx, `select nextval('audit.tx_id')`).Scan(&w.nextID); err != nil {
			return 0, fmt.Errorf("reserve transaction ids: %w", err)
		}
		w.idsLeft = idBlock
	}
	id := w.nextID
	w.nextID++
	w.idsLeft--
	return id, nil
}

// Refused reports an answer of the server that no waiting mends: wrong
// password, no such user or database, no rights.
func Refused(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	switch pg.Code {
	case "28P01", "28000", "3D000", "42501":
		return true
	}
	return false
}
