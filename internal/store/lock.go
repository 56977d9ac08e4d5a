package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// lockKey is the advisory lock of the one writer; any fixed number serves.
const lockKey = 0x6d696e6573 // "mines"

// lockWait is how long the lock is asked for. The server needs a moment to
// notice that a daemon was killed.
const lockWait = 3 * time.Second

// writerSettings are what a session that writes must have, whatever the server,
// the database or the user has as a default.
var writerSettings = [...][2]string{
	// A verdict is only as good as its record: it must have reached the disk.
	{"synchronous_commit", "on"},
	// Another's lock on a table is an error to be shown, not a standstill.
	{"lock_timeout", "30s"},
	// The writer's own deadlines are the bound; a dashboard's would cut batches off.
	{"statement_timeout", "0"},
	{"idle_session_timeout", "0"},
	// The writer looks rows up by key, many keys at a time. Told of them, or while
	// a table is young or not analyzed yet, the planner would rather read all of it;
	// that plan then stays while the table grows.
	{"plan_cache_mode", "force_generic_plan"},
	{"enable_seqscan", "off"},
	{"enable_hashjoin", "off"},
	{"enable_mergejoin", "off"},
	{"enable_material", "off"},
	// A process that was stopped in the middle of a turn keeps nobody waiting: the
	// server ends its session.
	{"idle_in_transaction_session_timeout", "10s"},
	// Compiling a statement takes longer than running it, and a table that has
	// no index to take instead looks dear enough for it.
	{"jit", "off"},
	// Where the network swallowed the connection, the lock is free again after
	// a minute. Over a Unix socket these have no effect.
	{"tcp_keepalives_idle", "30"},
	{"tcp_keepalives_interval", "10"},
	{"tcp_keepalives_count", "3"},
	{"tcp_user_timeout", "60s"},
}

func (w *Writer) settings(ctx context.Context) error {
	q := &pgx.Batch{}
	for _, s := range writerSettings {
		q.Queue(`select set_config($1, $2, false)`, s[0], s[1])
	}
	if err := w.conn.SendBatch(ctx, q).Close(); err != nil {
		return fmt.Errorf("prepare the writer: %w", err)
	}
	// A statement whose daemon was killed ends, and with it the lock. Servers on
	// systems that cannot tell refuse the setting, and go on to its end.
	if _, err := w.conn.Exec(ctx, `set client_connection_check_interval = '1s'`); err != nil && w.conn.IsClosed() {
		return fmt.Errorf("prepare the writer: %w", err)
	}
	return nil
}

// backend is the server's side of a session. Process ids come again, but not
// with the same start.
type backend struct {
	pid   int32
	start time.Time
}

func (w *Writer) backend(ctx context.Context) (b backend, err error) {
	err = w.conn.QueryRow(ctx, `select pid, backend_start from pg_stat_activity where pid = pg_backend_pid()`).Scan(&b.pid, &b.start)
	if err != nil {
		return b, fmt.Errorf("read the session's identity: %w", err)
	}
	return b, nil
}

// lock takes the writer's lock; earlier is a session that may have it and that
// nobody needs any more, and leader what was last seen of another process's.
func (w *Writer) lock(ctx context.Context, earlier backend, leader *sighting) error {
	for deadline := time.Now().Add(lockWait); ; {
		var got, readOnly bool
		err := w.conn.QueryRow(ctx, `select pg_try_advisory_lock($1), current_setting('transaction_read_only') = 'on'`, lockKey).Scan(&got, &readOnly)
		switch {
		case err != nil:
			return fmt.Errorf("take the writer's lock: %w", err)
		case readOnly:
			return ErrReadOnly
		case got || Weak(WeakNoFence):
			return nil
		}
		ended, err := w.end(ctx, earlier)
		if err == nil && !ended {
			ended, err = w.endSilent(ctx, leader)
		}
		switch {
		case err != nil:
			return err
		case time.Now().Before(deadline):
		case ended:
			return errors.New("the server has not yet ended the session that holds the writer's lock, and that nobody needs any more")
		default:
			return fmt.Errorf("%w: stop it, or give this one a database of its own", ErrLocked)
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("take the writer's lock: %w", context.Cause(ctx))
		}
	}
}

// holdsLock is the session that has the lock $1.
const holdsLock = `
	from pg_stat_activity a join pg_locks l on l.pid = a.pid
	where l.locktype = 'advisory' and l.granted and l.objsubid = 1
		and l.database = (select oid from pg_database where datname = current_database())
		and (l.classid::bigint << 32) | l.objid::bigint = $1`

// end ends a session if it has the lock, and reports whether it had.
func (w *Writer) end(ctx context.Context, b backend) (had bool, err error) {
	err = w.conn.QueryRow(ctx, `select count(pg_terminate_backend(a.pid)) > 0`+holdsLock+`
		and a.pid = $2 and a.backend_start = $3`, lockKey, b.pid, b.start).Scan(&had)
	if err != nil {
		return false, fmt.Errorf("end an earlier session of this process: %w", err)
	}
	return had, nil
}
