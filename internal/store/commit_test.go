package store

import (
	"context"
	"math"
	"testing"

	"minesaudit/internal/verify"
)

// everything is a batch with a row for every table.
func everything(t testing.TB, r *record) *Batch {
	t.Helper()
	g, v := settled(key(1), 5, verify.VerdictFail)
	v.Findings = []verify.Finding{{Check: verify.CheckBoard, Result: verify.ResultFail, Reason: verify.ReasonMismatch, Expected: "1", Observed: "2"}}
	cut := r.tx(t, 2, 6)
	cut.Problem, cut.Accounts = "truncated", [][32]byte{key(1).Game}
	return &Batch{
		New: []Tx{r.tx(t, 1, 5, key(1)), cut}, Games: []Game{g}, Verdicts: []Verdict{v},
		Times: []SlotTime{at(5, "2026-01-01T10:30:00Z")}, Advance: &Advance{Was: 0, Becomes: 9, Head: 12},
	}
}

var filled = []string{"tx", "event", "unverifiable", "game", "verdict", "finding", "slot_time", "rollup", "rollup_check", "total"}

// count is how many rows each table has.
func count(t testing.TB, r *record) map[string]int {
	t.Helper()
	n := map[string]int{}
	for _, table := range filled {
		n[table] = scan[int](t, r, `select count(*)::int from audit.`+table)
	}
	return n
}

func TestCommitIsAllOrNothing(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	// Whatever table refuses its row, the others get none either, and neither
	// does the frontier move.
	for _, table := range append(filled, "watch") {
		r.exec(t, `create function public.refuse() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$`)
		r.exec(t, `create trigger refuse before insert or update on audit.`+table+` for each row execute function public.refuse()`)
		if _, err := r.w.Commit(bounded(t), everything(t, r)); err == nil {
			t.Errorf("a batch whose row in %s was refused was saved", table)
		}
		for other, n := range count(t, r) {
			if n != 0 {
				t.Errorf("%s refused its row; %d rows are in %s", table, n, other)
			}
		}
		if got := scan[int64](t, r, `select frontier from audit.watch`); got != 0 || r.w.Frontier() != 0 {
			t.Errorf("%s refused its row; the frontier is at %d, to the writer at %d", table, got, r.w.Frontier())
		}
		if r.w.Closed() {
			t.Fatalf("an error in %s closed the writer", table)
		}
		r.exec(t, `drop function public.refuse() cascade`)
	}
	r.commit(t, everything(t, r))
	for table, n := range count(t, r) {
		if n == 0 {
			t.Errorf("nothing is in %s", table)
		}
	}
	if got := scan[int64](t, r, `select frontier from audit.watch`); got != 9 || r.w.Frontier() != 9 {
		t.Errorf("the frontier is at %d, to the writer at %d", got, r.w.Frontier())
	}
	r.consistent(t)
}

func TestEmptyBatch(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	if b := (&Batch{}); !b.Empty() {
		t.Error("an empty batch is not")
	}
	r.commit(t, &Batch{})
	if b := (&Batch{Advance: &Advance{}}); b.Empty() {
		t.Error("a batch that moves the frontier is empty")
	}
}

// The answer to a commit can be lost with the connection. The caller reads what
// is stored and decides again: then no row is new, and only the wish to move the
// frontier is left, which has been fulfilled.
func TestLostAnswerToACommit(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	r.commit(t, everything(t, r)) // and the answer does not arrive
	before := count(t, r)
	r.reopen(t)
	again := &Batch{Times: []SlotTime{at(5, "2026-01-01T10:30:00Z")}, Advance: &Advance{Was: 0, Becomes: 9, Head: 12}}
	r.commit(t, again)
	for table, n := range count(t, r) {
		if n != before[table] {
			t.Errorf("%s had %d rows and has %d", table, before[table], n)
		}
	}
	if r.w.Frontier() != 9 {
		t.Errorf("the frontier is at %d", r.w.Frontier())
	}
	r.commit(t, &Batch{Advance: &Advance{Was: 9, Becomes: 11, Head: 12}})
	r.consistent(t)
}

// A commit that is cut off in the middle leaves nothing, and the writer closed.
func TestConnectionLostBeforeTheCommit(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	r.exec(t, `begin; lock table audit.rollup`)
	failed := make(chan error, 1)
	b := everything(t, r)
	go func() {
		_, err := r.w.Commit(bounded(t), b)
		failed <- err
	}()
	pid := r.w.conn.PgConn().PID()
	observer := session(t, r.dsn)
	eventually(t, "the commit waits in the middle", func() bool {
		var waits bool
		err := observer.QueryRow(bounded(t), `select exists (select from pg_locks where pid = $1 and not granted)`, pid).Scan(&waits)
		return err == nil && waits
	})
	r.exec(t, `select pg_terminate_backend($1)`, pid)
	r.exec(t, `rollback`)
	if err := <-failed; err == nil {
		t.Fatal("a commit whose session was ended succeeded")
	}
	if !r.w.Closed() {
		t.Fatal("a writer whose session was ended is open")
	}
	for table, n := range count(t, r) {
		if n != 0 {
			t.Errorf("%d rows are in %s", n, table)
		}
	}
	r.reopen(t)
	if r.w.Frontier() != 0 {
		t.Errorf("the frontier is at %d", r.w.Frontier())
	}
	r.commit(t, b)
	r.consistent(t)
}

// A deadline closes the connection: what the server makes of the batch is not
// known, and the next writer is not kept out by the session it left.
func TestDeadlineDuringACommit(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	r.exec(t, `begin; lock table audit.rollup`)
	ctx, cancel := context.WithCancel(bounded(t))
	failed := make(chan error, 1)
	b := everything(t, r)
	go func() {
		_, err := r.w.Commit(ctx, b)
		failed <- err
	}()
	pid := r.w.conn.PgConn().PID()
	observer := session(t, r.dsn)
	eventually(t, "the commit waits in the middle", func() bool {
		var waits bool
		err := observer.QueryRow(bounded(t), `select exists (select from pg_locks where pid = $1 and not granted)`, pid).Scan(&waits)
		return err == nil && waits
	})
	cancel()
	if err := <-failed; err == nil || !r.w.Closed() {
		t.Fatalf("a commit without time left: %v, closed %v", err, r.w.Closed())
	}
	r.reopen(t) // while the lock on the table is still held
	r.exec(t, `rollback`)
	r.commit(t, b)
	r.consistent(t)
}

func TestFrontierMovesOnlyFromWhereItIs(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	r.commit(t, &Batch{Advance: &Advance{Was: 0, Becomes: 50, Head: 60}})
	for _, a := range []Advance{{Was: 0, Becomes: 70}, {Was: 51, Becomes: 70}, {Was: 50, Becomes: 40}, {Was: 60, Becomes: 40}} {
		g, v := settled(key(2), 55, 1)
		if _, err := r.w.Commit(bounded(t), &Batch{Games: []Game{g}, Verdicts: []Verdict{v}, Advance: &a}); err == nil {
			t.Errorf("the frontier went from %d to %d although it was at 50", a.Was, a.Becomes)
		}
	}
	if n := count(t, r); n["game"]+n["verdict"] != 0 {
		t.Errorf("rows of refused batches: %v", n)
	}
	r.commit(t, &Batch{Advance: &Advance{Was: 50, Becomes: 50, Head: 40}})
	r.commit(t, &Batch{Advance: &Advance{Was: 50, Becomes: math.MaxInt64 - 1, Head: math.MaxInt64}})
	if head := scan[int64](t, r, `select head from audit.watch`); head != math.MaxInt64 {
		t.Errorf("the head is %d", head)
	}
	if scan[bool](t, r, `select frontier_time is not null from audit.watch`) {
		t.Error("the frontier has a time that no slot gave it")
	}
}

func TestFrontierTime(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	r.commit(t, &Batch{
		Times:   []SlotTime{at(3, "2026-01-01T10:00:00Z"), at(4, ""), at(12, "2026-01-01T12:00:00Z")},
		Advance: &Advance{Was: 0, Becomes: 9},
	})
	want := "2026-01-01 10:00:00"
	if got := scan[string](t, r, `select (frontier_time at time zone 'UTC')::text from audit.watch`); got != want {
		t.Errorf("the frontier's time is %s, want %s", got, want)
	}
	r.commit(t, &Batch{Advance: &Advance{Was: 9, Becomes: 11}})
	if got := scan[string](t, r, `select (frontier_time at time zone 'UTC')::text from audit.watch`); got != want {
		t.Errorf("an idle stretch made the frontier's time %s, want %s", got, want)
	}
}
