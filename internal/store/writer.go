package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// idBlock is the increment of the sequence audit.tx_id.
const idBlock = 10000

// Writer is a session that writes: the leader's, or a worker's. It is not safe for
// concurrent use.
// A method's error leaves it in one of two states: still usable, or Closed,
// after which a new one has to be opened. ErrLocked from a method that writes
// means that another writer has begun: this one's time is over.
type Writer struct {
	conn     *pgx.Conn
	lead     bool   // it has the writer's lock; workers have none
	epoch    int64  // 0: the database is not bound yet, or this is a worker
	tx       pgx.Tx // of the turn; nil outside one
	turn     bool   // it is this writer's
	ahead    ids    // of rows that tx has from before the turn
	nextID   int64
	idsLeft  int64
	frontier int64
}

// OpenWriter connects, takes the lock and begins an epoch: ErrLocked if another
// process has the lock.
// The lock goes with the connection. A Store has one writer at a time: what the
// server still keeps of an earlier one's session, lost to this side, is ended.
func (s *Store) OpenWriter(ctx context.Context) (*Writer, error) {
	conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
	if err != nil {
		return nil, fmt.Errorf("connect the writer: %w", err)
	}
	w := &Writer{conn: conn, lead: true}
	if err := w.prepare(ctx, s); err != nil {
		_ = conn.Close(ctx)
		return nil, err
	}
	CrashAt(CrashLocked)
	return w, nil
}

// OpenWorker connects a writer that takes turns with the leader and other
// workers, and never moves the frontier. ErrNoWatch where no daemon has bound the
// database yet, ErrReadOnly from a standby.
func (s *Store) OpenWorker(ctx context.Context) (*Writer, Watch, error) {
	conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
	if err != nil {
		return nil, Watch{}, fmt.Errorf("connect a worker: %w", err)
	}
	w := &Writer{conn: conn}
	watch, err := w.Watch(ctx)
	if err == nil {
		err = w.settings(ctx)
	}
	if err == nil {
		var readOnly bool
		if err = conn.QueryRow(ctx, `select current_setting('transaction_read_only') = 'on'`).Scan(&readOnly); err == nil && readOnly {
			err = ErrReadOnly
		}
	}
	if err != nil {
		_ = conn.Close(ctx)
		return nil, Watch{}, fmt.Errorf("prepare a worker: %w", err)
	}
	w.frontier = watch.Frontier
	return w, watch, nil
}

func (w *Writer) prepare(ctx context.Context, s *Store) error {
	if err := w.settings(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := w.lock(ctx, s.last, &s.leader); err != nil {
		return err
	}
	var err error
	if s.last, err = w.backend(ctx); err != nil {
		return err
	}
	return w.begin(ctx)
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
// password, no such user or database, no rights, somebody else's schemas in it.
func Refused(err error) bool {
	if errors.Is(err, ErrForeignSchema) {
		return true
	}
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
