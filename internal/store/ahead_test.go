package store

import (
	"errors"
	"testing"

	"minesaudit/internal/verify"
)

// What is written ahead waits for nobody's turn. Until it is committed nobody sees it,
// and whoever wrote it decides by what the others have stored meanwhile.
func TestWhatIsWrittenAheadIsDecidedInTurn(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	w := worker(t, r)
	if err := r.w.Take(bounded(t)); err != nil {
		t.Fatal(err)
	}
	rows := []Tx{r.tx(t, 2, 6, key(1)), r.tx(t, 3, 7)}
	if err := w.Ahead(bounded(t), rows); err != nil {
		t.Fatal(err)
	}
	g, _ := settled(key(1), 5, verify.VerdictPass)
	r.commit(t, &Batch{New: []Tx{r.tx(t, 1, 5, key(1))}, Games: []Game{g}})
	if err := w.Take(bounded(t)); err != nil {
		t.Fatal(err)
	}
	games, err := w.Games(bounded(t), []GameID{g.ID})
	if err != nil || len(games) != 1 || len(games[g.ID].Events) != 1 || games[g.ID].Events[0].Signature != signature(1) {
		t.Errorf("the game is read as %+v, %v; want the one event that is not the turn's own", games[g.ID], err)
	}
	if got := events(t, r, key(1)); len(got) != 1 {
		t.Errorf("another writer sees %d events before the commit, want 1", len(got))
	}
	b := &Batch{New: rows, Games: []Game{g}}
	if _, err := w.Commit(bounded(t), r.knowing(t, b)); err != nil {
		t.Fatal(err)
	}
	if got := events(t, r, key(1)); len(got) != 2 {
		t.Errorf("%d events, want 2", len(got))
	}
	for i, n := range []int{2, 3} {
		if k, stored := known(t, r, n); !stored || k.ID != rows[i].ID {
			t.Errorf("transaction %d is stored as %+v (%v), want the id that it was given, %d", n, k, stored, rows[i].ID)
		}
	}
	// The next turn is an ordinary one, and sees everything.
	if err := w.Take(bounded(t)); err != nil {
		t.Fatal(err)
	}
	if games, err := w.Games(bounded(t), []GameID{g.ID}); err != nil || len(games[g.ID].Events) != 2 {
		t.Errorf("the next turn reads %+v, %v", games[g.ID], err)
	}
	w.Release(bounded(t))
}

// Nothing is left of what was written ahead in vain, and the writer goes on.
func TestWhatIsWrittenAheadInVainIsGone(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	w := worker(t, r)
	r.commit(t, &Batch{New: []Tx{r.tx(t, 1, 5)}})
	ahead := func(numbers ...int) ([]Tx, error) {
		var rows []Tx
		for _, n := range numbers {
			rows = append(rows, r.tx(t, n, 5))
		}
		return rows, w.Ahead(bounded(t), rows)
	}
	for _, c := range []struct {
		name string
		do   func() error
		is   error // nil: any
	}{
		{"of nothing", func() error { _, err := ahead(); return err }, nil},
		{"of what is stored", func() error { _, err := ahead(2, 1); return err }, ErrStored},
		{"twice", func() error {
			if _, err := ahead(2); err != nil {
				t.Fatal(err)
			}
			_, err := ahead(3)
			w.Release(bounded(t))
			return err
		}, nil},
		{"of something else than is new", func() error {
			if _, err := ahead(2, 3); err != nil {
				t.Fatal(err)
			}
			if err := w.Take(bounded(t)); err != nil {
				t.Fatal(err)
			}
			_, err := w.Commit(bounded(t), &Batch{New: []Tx{r.tx(t, 4, 5)}})
			return err
		}, nil},
	} {
		if err := c.do(); err == nil || !errors.Is(err, c.is) && c.is != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if n := scan[int](t, r, `select count(*)::int from audit.tx`); n != 1 || w.Closed() {
			t.Fatalf("%s: %d rows, want the one that was there; closed %v", c.name, n, w.Closed())
		}
	}
	// The next one is committed, by a turn that the commit takes.
	rows, err := ahead(2)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.w.Take(bounded(t)); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := w.Commit(bounded(t), &Batch{New: rows})
		done <- err
	}()
	r.waited(t)
	r.w.Release(bounded(t))
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if _, stored := known(t, r, 2); !stored {
		t.Error("what was committed is not stored")
	}
}
