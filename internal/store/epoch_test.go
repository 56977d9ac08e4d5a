package store

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"minesaudit/internal/pglocal/pgtest"
)

// boundStore gives a store and a writer on a fresh database that is bound.
func boundStore(t *testing.T) (*Store, *Writer) {
	t.Helper()
	s, err := Open(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := writerOf(t, s)
	if _, err := w.Bind(t.Context(), Watch{ProfileHash: "test", AuditedFrom: 100, Frontier: 99}); err != nil {
		t.Fatal(err)
	}
	return s, w
}

func writerOf(t *testing.T, s *Store) *Writer {
	t.Helper()
	w, err := s.OpenWriter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(context.Background()) })
	return w
}

// A session that kept its connection and lost its lock, as behind a pooler,
// must not write once another has begun.
func TestAWriterWhoseEpochIsOverWritesNothing(t *testing.T) {
	t.Parallel()
	s, old := boundStore(t)
	if _, err := old.conn.Exec(t.Context(), `select pg_advisory_unlock($1)`, int64(lockKey)); err != nil {
		t.Fatal(err)
	}
	if _, err := old.Commit(t.Context(), &Batch{Times: []SlotTime{{Slot: 100}}}); err != nil {
		t.Fatalf("before another writer has begun: %v", err)
	}
	second, err := Open(s.pool.Config().ConnString())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(second.Close)
	now := writerOf(t, second)

	for name, write := range map[string]func() error{
		"a batch": func() error {
			_, err := old.Commit(t.Context(), &Batch{Times: []SlotTime{{Slot: 101}}})
			return err
		},
		"a frontier": func() error {
			_, err := old.Commit(t.Context(), &Batch{Advance: &Advance{Was: 99, Becomes: 200}})
			return err
		},
		"a gap":         func() error { return old.OpenGap(t.Context(), "test", "", 1) },
		"a gap's end":   func() error { return old.CloseGaps(t.Context(), 2) },
		"the beginning": func() error { return old.BeginAt(t.Context(), 150) },
	} {
		if err := write(); !errors.Is(err, ErrLocked) {
			t.Errorf("%s of a writer whose epoch is over: %v, want ErrLocked", name, err)
		}
	}
	var rows, gaps, frontier int64
	err = now.conn.QueryRow(t.Context(), `select (select count(*) from audit.slot_time), (select count(*) from audit.gap), frontier from audit.watch`).
		Scan(&rows, &gaps, &frontier)
	if err != nil || rows != 1 || gaps != 0 || frontier != 99 {
		t.Errorf("%d slot times, %d gaps, frontier %d (%v); want 1, 0 and 99", rows, gaps, frontier, err)
	}
	if _, err := now.Commit(t.Context(), &Batch{Advance: &Advance{Was: 99, Becomes: 200}}); err != nil {
		t.Errorf("the writer that took over: %v", err)
	}
}

// The next writer must not begin in the middle of a batch of the last one.
func TestTheNextWriterWaitsForABatchUnderWay(t *testing.T) {
	t.Parallel()
	s, old := boundStore(t)
	tx, err := old.conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `select audit.hold_epoch($1)`, old.epoch); err != nil {
		t.Fatal(err)
	}
	// In a transaction of its own that would wait for ever: it gives up at once.
	_, err = s.pool.Exec(t.Context(), `set lock_timeout = '50ms'; update audit.watch set epoch = epoch + 1`)
	if code := stateOf(err); code != "55P03" {
		t.Errorf("a new epoch during a batch: %v, want a lock that is not available", err)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestAFrontierThatIsElsewhereIsNamed(t *testing.T) {
	t.Parallel()
	_, w := boundStore(t)
	_, err := w.Commit(t.Context(), &Batch{Advance: &Advance{Was: 98, Becomes: 120}, Times: []SlotTime{{Slot: 101}}})
	if !errors.Is(err, ErrFrontierMoved) {
		t.Errorf("%v, want ErrFrontierMoved", err)
	}
	var rows int
	if err := w.conn.QueryRow(t.Context(), `select count(*) from audit.slot_time`).Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows of the refused batch (%v)", rows, err)
	}
}

func stateOf(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}
