package ingest

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/store"
	"minesaudit/internal/store/storetest"
)

// cutOff ends every session of the database but its own, in the middle of
// whatever they do.
func cutOff(t *testing.T, dsn string) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	_, err = conn.Exec(context.Background(), `select pg_terminate_backend(pid) from pg_stat_activity
		where datname = current_database() and pid <> pg_backend_pid()`)
	if err != nil {
		t.Fatal(err)
	}
}

// Where the answer to a commit is lost, the daemon finds out what came of it.
func TestCommitsOfUnknownOutcome(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, "all"))
	n.chain.Faults.Withhold(0.3)
	dsn := database(t)
	p, through := lossy(t, dsn)
	w := watch(t, n, through)
	n.play(t)
	w.catchUp(t, n)
	// The frontier moves on over empty slots.
	eventually(t, "some answers to a move of the frontier are lost", func() bool { return p.cuts.Load() >= 5 })
	w.until(t, "the database answers again", func(s Status) bool { return s.Database.OK })
	agree(t, n, dsn)
}

// Sessions end in the middle of whatever they do.
func TestSessionsThatEnd(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, "all"))
	n.chain.Faults.Withhold(0.3)
	w := watch(t, n, database(t))
	n.play(t)
	w.until(t, "bound", func(s Status) bool { return s.AuditedFromSlot != nil })
	for playing := true; playing; {
		cutOff(t, w.dsn)
		was := w.state.frontier()
		w.until(t, "the record goes on after a cut", func(s Status) bool { return s.Database.OK && w.state.frontier() > was })
		select {
		case <-n.chain.Done():
			playing = false
		default:
		}
	}
	w.catchUp(t, n)
	agree(t, n, w.dsn)
}

// decide is asked again after a commit that may have happened.
func TestABatchThatHasHappenedIsDecidedToNothing(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(20, ""))
	n.play(t)
	w := watch(t, n, database(t))
	w.catchUp(t, n)
	w.stop(t)
	want := storetest.Content(t, w.dsn)

	st, err := store.Open(w.dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(st.Close)
	writer, err := st.OpenWriter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = writer.Close(context.Background()) })
	at := writer.Frontier()
	job := work{complete: at, advance: &store.Advance{Was: at - 40, Becomes: at}}
	b, err := decide(t.Context(), writer, &job, w.standard())
	if err != nil || !b.Empty() {
		t.Errorf("moving the frontier where it is already: %+v, %v; want nothing to do", b, err)
	}
	job.advance = &store.Advance{Was: at - 40, Becomes: at + 1}
	if _, err := decide(t.Context(), writer, &job, w.standard()); !errors.Is(err, store.ErrFrontierMoved) {
		t.Errorf("moving the frontier from where it is not: %v, want ErrFrontierMoved", err)
	}
	storetest.Same(t, "after deciding", want, storetest.Content(t, w.dsn))
}

// A daemon that was away while another had the database goes on from where that
// one left it.
func TestAnotherDaemonWasHereMeanwhile(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(100, ""))
	w := watch(t, n, database(t))
	n.play(t)
	w.until(t, "the first frontier", func(s Status) bool { return s.FrontierSlot != nil })

	// Its turn is taken, so that it sees nothing of what follows.
	w.turn <- struct{}{}
	cutOff(t, w.dsn)
	other := watch(t, n, w.dsn)
	was := w.state.frontier()
	other.until(t, "the other one moves the frontier", func(s Status) bool { return s.FrontierSlot != nil && *s.FrontierSlot > was+5 })
	other.stop(t)
	<-w.turn

	w.catchUp(t, n)
	agree(t, n, w.dsn)
	if !w.Status().Database.OK {
		t.Error("the database is shown as failing")
	}
}
