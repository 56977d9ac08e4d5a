package store

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/verify"
)

func worker(t *testing.T, r *record) *Writer {
	t.Helper()
	w, watch, err := open(t, r.dsn).OpenWorker(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hangUp(w.conn) })
	if watch.Frontier != w.Frontier() {
		t.Errorf("a worker begins at frontier %d of a watch at %d", w.Frontier(), watch.Frontier)
	}
	return w
}

// waited waits until somebody waits for a turn.
func (r *record) waited(t *testing.T) {
	t.Helper()
	eventually(t, "somebody waits for a turn", func() bool {
		return scan[bool](t, r, `select exists (select from pg_locks where locktype = 'advisory' and not granted)`)
	})
}

// everythingBut is a batch as a worker may have it: the frontier is not its own.
func everythingBut(t *testing.T, r *record) *Batch {
	b := everything(t, r)
	b.Advance = nil
	return b
}

// While one has the turn, another waits; and then it sees what the first did.
func TestTurnsExcludeEachOther(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	other := worker(t, r)
	if err := r.w.Take(bounded(t)); err != nil {
		t.Fatal(err)
	}
	type turn struct {
		games int
		err   error
	}
	took := make(chan turn, 1)
	g, _ := settled(key(1), 5, verify.VerdictPass)
	go func() {
		err := other.Take(bounded(t))
		games, gamesErr := other.Games(bounded(t), []GameID{g.ID})
		other.Release(bounded(t))
		took <- turn{len(games), errors.Join(err, gamesErr)}
	}()
	r.waited(t)
	r.commit(t, &Batch{New: []Tx{r.tx(t, 1, 5, key(1))}, Games: []Game{g}})
	if got := <-took; got.err != nil || got.games != 1 {
		t.Errorf("the worker saw %d games (%v), want the one that was committed before its turn", got.games, got.err)
	}
}

// A turn that nothing comes of leaves nothing, not even for the writer itself.
func TestAReleasedTurnLeavesNothing(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	w := worker(t, r)
	refused := errors.New("refused")
	_, err := w.Commit(bounded(t), everythingBut(t, r), func(context.Context, pgx.Tx) error { return refused })
	if !errors.Is(err, refused) {
		t.Errorf("%v, want the error of what else was to be done", err)
	}
	for table, n := range count(t, r) {
		if n != 0 {
			t.Errorf("%d rows are in %s", n, table)
		}
	}
	if _, err := w.Commit(bounded(t), everythingBut(t, r)); err != nil {
		t.Errorf("the worker's next batch: %v", err)
	}
	w.Release(bounded(t)) // there is none
	if w.Closed() {
		t.Error("the worker is closed")
	}
}

// Workers are told of the frontier at each turn, and what they store below it is
// counted at once.
func TestAWorkerCountsBelowTheFrontier(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	w := worker(t, r)
	r.commit(t, &Batch{Advance: &Advance{Was: 0, Becomes: 9, Head: 12}})
	counted, err := w.Commit(bounded(t), everythingBut(t, r))
	if err != nil || len(counted.Cells) == 0 {
		t.Errorf("%+v, %v; want the game to be counted", counted, err)
	}
	if w.Frontier() != 9 {
		t.Errorf("the worker has the frontier at %d", w.Frontier())
	}
	r.consistent(t)
}

// Four that write at once are four after each other.
func TestManyTakeTurns(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	var all sync.WaitGroup
	for n := range 4 {
		w := worker(t, r)
		all.Go(func() {
			for i := range 10 {
				id := 10*n + i + 1
				g, v := settled(key(id), uint64(id)+5, verify.VerdictPass)
				if _, err := w.Commit(bounded(t), &Batch{Games: []Game{g}, Verdicts: []Verdict{v}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	r.commit(t, &Batch{Advance: &Advance{Was: 0, Becomes: 1000, Head: 1000}})
	r.consistent(t)
	if n := scan[int](t, r, `select count(*)::int from audit.verdict`); n != 40 {
		t.Errorf("%d verdicts of 40", n)
	}
}

// A leader that lost its time while it waited for a turn gets none.
func TestNoTurnWithoutTheEpoch(t *testing.T) {
	t.Parallel()
	_, old := boundStore(t)
	if _, err := old.conn.Exec(bounded(t), `update audit.watch set epoch = epoch + 1`); err != nil {
		t.Fatal(err)
	}
	if err := old.Take(bounded(t)); !errors.Is(err, ErrLocked) {
		t.Errorf("%v, want ErrLocked", err)
	}
	if old.Closed() {
		t.Error("the writer is closed")
	}
}
