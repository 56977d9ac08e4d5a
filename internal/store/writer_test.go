package store

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/pglocal/pgtest"
)

func TestOneWriterAtATime(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	rival := open(t, r.dsn)
	if _, err := rival.OpenWriter(bounded(t)); !errors.Is(err, ErrLocked) {
		t.Fatalf("a second writer: %v, want ErrLocked", err)
	}
	g, v := settled(key(1), 5, 1)
	r.commit(t, &Batch{Games: []Game{g}, Verdicts: []Verdict{v}}) // the first is none the worse
	hangUp(r.w.conn)
	if !r.w.Closed() {
		t.Error("a writer that hung up is not closed")
	}
	w, err := rival.OpenWriter(bounded(t))
	if err != nil {
		t.Fatalf("after the first hung up: %v", err)
	}
	hangUp(w.conn)
}

// A daemon that was killed a moment ago leaves its session to the server, which
// needs a while to notice.
func TestLockIsWaitedForAMoment(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	pid := r.w.conn.PgConn().PID()
	rival := open(t, r.dsn)
	opened := make(chan error, 1)
	go func() {
		w, err := rival.OpenWriter(bounded(t))
		if err == nil {
			hangUp(w.conn)
		}
		opened <- err
	}()
	eventually(t, "the rival asks for the lock", func() bool {
		return scan[bool](t, r, `select exists (select from pg_stat_activity where datname = current_database()
			and query like '%pg_try_advisory_lock%' and pid not in ($1, pg_backend_pid()))`, pid)
	})
	r.exec(t, `select pg_terminate_backend($1)`, pid)
	if err := <-opened; err != nil {
		t.Errorf("the rival: %v", err)
	}
}

func TestWriterThatLostItsLockCannotWrite(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	lost := r.w
	r.exec(t, `select pg_terminate_backend($1)`, lost.conn.PgConn().PID())
	r.w = nil
	successor := open(t, r.dsn)
	w, err := successor.OpenWriter(bounded(t))
	if err != nil {
		t.Fatalf("the lock is not free: %v", err)
	}
	t.Cleanup(func() { hangUp(w.conn) })
	g, v := settled(key(1), 5, 1)
	if _, err := lost.Commit(bounded(t), &Batch{Games: []Game{g}, Verdicts: []Verdict{v}}); err == nil {
		t.Error("a writer whose session was ended wrote")
	}
	if !lost.Closed() {
		t.Error("a writer whose session was ended is not closed")
	}
	if n := scan[int](t, r, `select count(*)::int from audit.game`); n != 0 {
		t.Errorf("%d games were written", n)
	}
}

// After a deadline the connection is closed on this side, while the server may
// go on for long: the next writer of the same store ends that session.
func TestOwnLostSessionIsEnded(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	pid := r.w.conn.PgConn().PID()
	// The lost session: alive on the server, and nobody here uses it any more.
	lost := r.w
	r.w = nil
	w, err := r.OpenWriter(bounded(t))
	if err != nil {
		t.Fatalf("open a writer while the lost session has the lock: %v", err)
	}
	t.Cleanup(func() { hangUp(w.conn) })
	eventually(t, "the lost session ends", func() bool {
		return !scan[bool](t, r, `select exists (select from pg_stat_activity where pid = $1)`, pid)
	})
	if _, err := lost.NextID(bounded(t)); err == nil {
		t.Error("the lost session still answers")
	}
}

// A server that cannot end it at once makes an error that is worth another try,
// not one that names a rival.
func TestSessionThatHoldsOnIsNoRival(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	var w Writer
	conn, err := pgx.Connect(bounded(t), r.dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hangUp(conn) })
	w.conn = conn
	holder, err := r.w.backend(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	other := holder
	other.start = other.start.Add(-time.Second)
	if had, err := w.end(bounded(t), other); err != nil || had {
		t.Errorf("a session of the same process id and another start: ended %v, %v", had, err)
	}
	if had, err := w.end(bounded(t), backend{pid: int32(conn.PgConn().PID())}); err != nil || had {
		t.Errorf("a session without the lock: ended %v, %v", had, err)
	}
	if r.w.conn.Ping(bounded(t)) != nil {
		t.Fatal("the writer was ended by mistake")
	}
	if had, err := w.end(bounded(t), holder); err != nil || !had {
		t.Errorf("the session with the lock: ended %v, %v", had, err)
	}
}

func TestWriterSettingsBeatDefaults(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	name := pgx.Identifier{scan[string](t, r, `select current_database()`)}.Sanitize()
	for _, setting := range []string{"synchronous_commit = off", "statement_timeout = '10ms'", "lock_timeout = 0", "idle_session_timeout = '5s'"} {
		r.exec(t, `alter database `+name+` set `+setting)
	}
	r.Store = open(t, r.dsn)
	r.reopen(t)
	for setting, want := range map[string]string{
		"synchronous_commit": "on", "statement_timeout": "0", "lock_timeout": "30s", "idle_session_timeout": "0", "client_connection_check_interval": "1s",
	} {
		var got string
		if err := r.w.conn.QueryRow(bounded(t), `select current_setting($1)`, setting).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", setting, got, err, want)
		}
	}
}

func TestNextIDsRiseAndNeverRepeat(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	last := int64(0)
	for i := range 3 {
		for range idBlock/2 + 1 {
			id, err := r.w.NextID(bounded(t))
			if err != nil || id <= last {
				t.Fatalf("id %d after %d, %v", id, last, err)
			}
			last = id
		}
		if i == 1 {
			r.reopen(t)
		}
	}
}

func TestBindOnceThenCompare(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	r.reopen(t)
	if _, err := r.w.Watch(bounded(t)); !errors.Is(err, ErrNoWatch) {
		t.Errorf("watch before the first bind: %v, want ErrNoWatch", err)
	}
	if _, err := r.Watch(bounded(t)); !errors.Is(err, ErrNoWatch) {
		t.Errorf("watch before the first bind, through the pool: %v, want ErrNoWatch", err)
	}
	ceiling := 0.02
	want := Watch{Genesis: [32]byte{1}, Program: [32]byte{2}, ProfileHash: "p", VoidCeiling: &ceiling, AuditedFrom: 100, Frontier: 99, Head: 120}
	have, err := r.w.Bind(bounded(t), want)
	if err != nil || have != want || r.w.Frontier() != 99 {
		t.Fatalf("bind: %+v, %v, frontier %d", have, err, r.w.Frontier())
	}
	r.reopen(t)
	if r.w.Frontier() != 99 {
		t.Errorf("a new writer has the frontier at %d, want 99", r.w.Frontier())
	}
	again := want
	again.AuditedFrom, again.Frontier, again.Head = 1, 0, 7
	have, err = r.w.Bind(bounded(t), again)
	if err != nil || have.AuditedFrom != 100 || have.Frontier != 99 || *have.VoidCeiling != ceiling {
		t.Errorf("bind again: %+v, %v; the stored bounds should stand", have, err)
	}
	for what, change := range map[string]func(*Watch){
		"genesis":   func(w *Watch) { w.Genesis[31]++ },
		"program D": func(w *Watch) { w.Program[31]++ },
		"profile":   func(w *Watch) { w.ProfileHash = "q" },
	} {
		other := want
		change(&other)
		_, err := r.w.Bind(bounded(t), other)
		if !errors.Is(err, ErrOtherWatch) || !strings.Contains(err.Error(), strings.Fields(what)[0]) {
			t.Errorf("another %s: %v, want ErrOtherWatch that names it", what, err)
		}
	}
	if n := scan[int](t, r, `select count(*)::int from audit.watch`); n != 1 {
		t.Errorf("%d watches", n)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	server := pgtest.URL(t)
	s := open(t, strings.Replace(server, "/test_", "/absent_", 1))
	_, err := s.Migrate(bounded(t))
	if !Refused(err) {
		t.Errorf("a database that is not there: %v, want it refused", err)
	}
	down := open(t, "postgres://nobody@127.0.0.1:1/none?connect_timeout=5")
	if _, err := down.Migrate(bounded(t)); err == nil || Refused(err) {
		t.Errorf("a server that is down: %v, want an error that waiting mends", err)
	}
	if _, err := Open("postgres://u:secret@host:port/x"); err == nil {
		t.Error("a malformed url was taken")
	} else if strings.Contains(err.Error(), "secret") {
		t.Errorf("the password is in the error: %v", err)
	}
}
