package store

import (
	"errors"
	"math"
	"testing"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

func known(t *testing.T, r *record, n int) (Known, bool) {
	t.Helper()
	all, err := r.w.Known(bounded(t), [][64]byte{signature(n), signature(n + 1000)})
	if err != nil {
		t.Fatal(err)
	}
	k, ok := all[signature(n)]
	if len(all) > 1 {
		t.Fatalf("asked for one stored signature, got %d", len(all))
	}
	return k, ok
}

func events(t *testing.T, r *record, k decode.GameKey) []StoredEvent {
	t.Helper()
	games, err := r.w.Games(bounded(t), []GameID{NewGameID(k)})
	if err != nil {
		t.Fatal(err)
	}
	if g := games[NewGameID(k)]; g != nil {
		return g.Events
	}
	return nil
}

// The same bytes twice, in one transaction and in two, are as many events.
func TestTwinEvents(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	g, _ := settled(key(1), 5, verify.VerdictPass)
	twin, other := r.tx(t, 1, 5, key(1), key(1)), r.tx(t, 2, 5, key(1))
	for _, row := range []*Tx{&twin, &other} {
		for i := range row.Events {
			row.Events[i].Data = []byte("same")
		}
	}
	r.commit(t, &Batch{New: []Tx{twin, other}, Games: []Game{g}})
	if got := events(t, r, key(1)); len(got) != 3 {
		t.Errorf("%d events, want 3", len(got))
	}
	// The same transaction again is a mistake of the caller's, and leaves nothing.
	again := r.tx(t, 1, 5, key(1))
	if _, err := r.w.Commit(bounded(t), &Batch{New: []Tx{again, r.tx(t, 3, 5)}}); !errors.Is(err, ErrStored) {
		t.Errorf("a signature that is stored already: %v, want ErrStored", err)
	}
	if _, stored := known(t, r, 3); stored {
		t.Error("a row of the refused batch was kept")
	}
}

func TestReplacedTransaction(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	g, _ := settled(key(1), 5, verify.VerdictPass)
	h, _ := settled(key(2), 7, verify.VerdictPass)
	row := r.tx(t, 1, 5, key(1), key(1))
	row.Problem, row.State, row.Accounts = "truncated", decode.LogTruncated, [][32]byte{key(1).Game}
	r.commit(t, &Batch{New: []Tx{row}, Games: []Game{g, h}})

	// It landed again elsewhere, with another event and its log whole.
	again := r.tx(t, 1, 7, key(2))
	again.ID = row.ID
	r.commit(t, &Batch{Replaced: []Tx{again}})
	if k, _ := known(t, r, 1); k != (Known{ID: row.ID, Slot: 7}) {
		t.Errorf("it is known as %+v", k)
	}
	if a, b := events(t, r, key(1)), events(t, r, key(2)); len(a) != 0 || len(b) != 1 || b[0].State != decode.LogComplete || b[0].Slot != 7 {
		t.Errorf("events of before %+v, of now %+v", a, b)
	}
	if named, err := r.w.Truncations(bounded(t), [][32]byte{key(1).Game}); err != nil || len(named) != 0 {
		t.Errorf("its log is whole, yet %v are named (%v)", named, err)
	}

	// Or it failed there: nothing that it said happened.
	again.Failed, again.Err, again.Slot = true, []byte(`{"x":1}`), 9
	again.Events = nil
	r.commit(t, &Batch{Replaced: []Tx{again}})
	if k, _ := known(t, r, 1); k != (Known{ID: row.ID, Slot: 9, Failed: true}) {
		t.Errorf("it is known as %+v", k)
	}
	if b := events(t, r, key(2)); len(b) != 0 {
		t.Errorf("events of a failed transaction: %+v", b)
	}
	r.consistent(t)
}

func TestDroppedTransaction(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	g, _ := settled(key(1), 5, verify.VerdictPass)
	row, stays := r.tx(t, 1, 5, key(1)), r.tx(t, 2, 6, key(1))
	row.Problem, row.State, row.Accounts = "truncated", decode.LogTruncated, [][32]byte{key(1).Game, key(2).Game}
	stays.Problem, stays.State, stays.Accounts = "missing", decode.LogMissing, [][32]byte{key(1).Game}
	r.commit(t, &Batch{New: []Tx{row, stays}, Games: []Game{g}})
	named := func() map[[32]byte]bool {
		cuts, err := r.w.Truncations(bounded(t), [][32]byte{key(1).Game, key(2).Game, key(3).Game})
		if err != nil {
			t.Fatal(err)
		}
		named := map[[32]byte]bool{}
		for address, list := range cuts {
			named[address] = len(list) > 0
		}
		return named
	}
	if n := named(); len(n) != 2 || !n[key(1).Game] || !n[key(2).Game] {
		t.Errorf("named are %v", n)
	}
	r.commit(t, &Batch{Dropped: []int64{row.ID}})
	if k, ok := known(t, r, 1); !ok || !k.Dropped {
		t.Errorf("it is known as %+v", k)
	}
	if got := events(t, r, key(1)); len(got) != 1 || got[0].TxID != stays.ID {
		t.Errorf("events are %+v", got)
	}
	if n := named(); len(n) != 1 || !n[key(1).Game] {
		t.Errorf("named are %v although one of the two has been dropped", n)
	}
	between, err := r.w.Between(bounded(t), 0, 10)
	if err != nil || len(between) != 1 {
		t.Errorf("between: %v, %v", between, err)
	}
	totals, err := r.Totals(bounded(t))
	if err != nil || totals.Unverifiable != 1 {
		t.Errorf("%d unverifiable, %v", totals.Unverifiable, err)
	}
	games, err := r.w.GamesOf(bounded(t), []int64{row.ID})
	if err != nil || len(games) != 1 || games[0] != g.ID {
		t.Errorf("its games are %v, %v; they have to be judged again", games, err)
	}
	// It comes back.
	r.commit(t, &Batch{Replaced: []Tx{row}})
	if k, _ := known(t, r, 1); k.Dropped {
		t.Errorf("it came back and is known as %+v", k)
	}
	if n := named(); len(n) != 2 {
		t.Errorf("named are %v", n)
	}
	r.consistent(t)
}

func TestBetweenTakesUpperBoundOnly(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	b := &Batch{}
	for slot := range 6 {
		b.New = append(b.New, r.tx(t, slot, uint64(slot)))
	}
	r.commit(t, b)
	for _, c := range []struct {
		after, upTo int64
		want        int
	}{{-1, 5, 6}, {0, 5, 5}, {2, 3, 1}, {3, 3, 0}, {5, 100, 0}} {
		got, err := r.w.Between(bounded(t), c.after, c.upTo)
		if err != nil || len(got) != c.want {
			t.Errorf("between %d and %d: %d, %v; want %d", c.after, c.upTo, len(got), err, c.want)
		}
	}
}

func TestUndecided(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	b := &Batch{}
	add := func(n int, slot uint64, change func(*Game)) GameID {
		g, _ := voided(key(n), slot, verify.AfterTimeout)
		change(&g)
		b.Games = append(b.Games, g)
		return g.ID
	}
	pending := add(1, 5, func(g *Game) { g.Standing = Verdict{Seq: -1}; g.Starts, g.Start = 0, nil })
	timeless := add(2, 6, func(g *Game) { g.Standing.VoidWhen = verify.VoidWhenUnknown })
	add(3, 6, func(*Game) {})
	add(4, 6, func(g *Game) { g.Standing = Verdict{Seq: -1}; g.Ends, g.End = 0, nil })
	above := add(5, 9, func(g *Game) { g.Standing.VoidWhen = verify.VoidWhenUnknown })
	r.commit(t, b)
	for _, c := range []struct {
		after, upTo int64
		want        []GameID
	}{{0, 8, []GameID{pending, timeless}}, {5, 8, []GameID{timeless}}, {6, 9, []GameID{above}}, {9, 20, nil}} {
		got, err := r.w.Undecided(bounded(t), c.after, c.upTo)
		is := map[GameID]bool{}
		for _, id := range got {
			is[id] = true
		}
		ok := err == nil && len(is) == len(c.want)
		for _, id := range c.want {
			ok = ok && is[id]
		}
		if !ok {
			t.Errorf("undecided between %d and %d: %d games, %v; want %d", c.after, c.upTo, len(got), err, len(c.want))
		}
	}
}

func TestGaps(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	check := func(when string, want ...string) {
		t.Helper()
		var got []string
		for _, row := range rows(t, r, `select format('%s %s-%s %s', reason, from_slot, coalesce(to_slot::text, ''), case when filled_at is null then 'open' else 'filled' end)
			from audit.gap order by id`) {
			got = append(got, row[0])
		}
		if len(got) != len(want) {
			t.Fatalf("%s: gaps %v, want %v", when, got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: gap %s, want %s", when, got[i], want[i])
			}
		}
	}
	open := func(reason string, from uint64) {
		t.Helper()
		if err := r.w.OpenGap(bounded(t), reason, "", from); err != nil {
			t.Fatal(err)
		}
	}
	closeAt := func(to uint64) {
		t.Helper()
		if err := r.w.CloseGaps(bounded(t), to); err != nil {
			t.Fatal(err)
		}
	}
	move := func(was, becomes int64) {
		t.Helper()
		r.commit(t, &Batch{Advance: &Advance{Was: was, Becomes: becomes}})
	}
	closeAt(3)
	check("none to close")
	open("closed", 10)
	open("stalled", 12)
	check("still down since", "closed 10- open")
	move(0, 20)
	check("an open end is not filled", "closed 10- open")
	closeAt(25)
	check("back", "closed 10-25 open")
	closeAt(30)
	check("closed once", "closed 10-25 open")
	move(20, 24)
	check("the record is not there yet", "closed 10-25 open")
	open("queue_full", 26)
	check("another", "closed 10-25 open", "queue_full 26- open")
	move(24, 25)
	check("the record is there", "closed 10-25 filled", "queue_full 26- open")
	totals, err := r.Totals(bounded(t))
	if err != nil || totals.Open != 1 {
		t.Errorf("%d open gaps, %v", totals.Open, err)
	}
	closeAt(3)
	check("back before it was lost", "closed 10-25 filled", "queue_full 26-26 open")
	move(25, 40)
	check("all filled", "closed 10-25 filled", "queue_full 26-26 filled")
	if n := scan[int](t, r, `select open_gaps::int from audit_api.v1_coverage`); n != 0 {
		t.Errorf("%d open gaps in v1_coverage", n)
	}
}

// What the player's account gained stays with the event, to the last digit.
func TestPaidStaysWithItsEvent(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	g, _ := settled(key(1), 5, verify.VerdictPass)
	row := r.tx(t, 1, 5, key(1), key(1))
	paid := uint64(math.MaxUint64)
	row.Events[1].Paid = &paid
	r.commit(t, &Batch{New: []Tx{row}, Games: []Game{g}})
	for _, e := range events(t, r, key(1)) {
		if known := e.Ordinal == 1; (e.Paid != nil) != known || (known && *e.Paid != paid) {
			t.Errorf("event %d paid %v", e.Ordinal, e.Paid)
		}
	}
}
