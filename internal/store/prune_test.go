package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"minesaudit/internal/decode"
	"minesaudit/internal/store/storetest"
	"minesaudit/internal/verify"
)

// pruneAll prunes in as many chunks as it takes.
func pruneAll(t testing.TB, chunk func(after int64) (Pruned, error)) (n int64) {
	t.Helper()
	for after := int64(-1); ; {
		p, err := chunk(after)
		if err != nil {
			t.Fatal(err)
		}
		n += p.Rows
		if p.Done {
			return n
		}
		if p.UpTo <= after {
			t.Fatalf("a chunk after slot %d ends at slot %d", after, p.UpTo)
		}
		after = p.UpTo
	}
}

func (r *record) pruneSuperseded(t testing.TB, keep time.Duration) int64 {
	t.Helper()
	return pruneAll(t, func(after int64) (Pruned, error) { return r.w.PruneSuperseded(bounded(t), keep, after) })
}

func (r *record) pruneEventless(t testing.TB, keep time.Duration, o Overlap) int64 {
	t.Helper()
	upTo, err := r.w.EventlessUpTo(bounded(t), keep, o, -1)
	if err != nil {
		t.Fatal(err)
	}
	return pruneAll(t, func(after int64) (Pruned, error) { return r.w.PruneEventless(bounded(t), after, upTo) })
}

func (r *record) advance(t testing.TB, to int64) {
	t.Helper()
	r.commit(t, &Batch{Advance: &Advance{Was: r.w.Frontier(), Becomes: to, Head: uint64(to)}})
}

// again supersedes a game's verdict.
func again(g Game, v Verdict, seq int, slot uint64, as verify.Verdict) (Game, Verdict) {
	next, nv := settled(g.Key, min(v.EndSlot, slot), as)
	nv.Seq, nv.Slot = seq, slot
	nv.Findings = findings(nv.Results)
	next.Standing = nv
	return next, nv
}

func TestSupersededVerdictsArePruned(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	add := func(k int, slots ...uint64) {
		g, v := settled(key(k), slots[0], verify.VerdictPass)
		for seq, slot := range slots {
			if seq > 0 {
				g, v = again(g, v, seq, slot, []verify.Verdict{verify.VerdictFail, verify.VerdictInconclusive}[seq%2])
			}
			r.commit(t, &Batch{Games: []Game{g}, Verdicts: []Verdict{v}})
		}
	}
	add(1, 10)          // stands alone
	add(2, 11, 12, 13)  // two superseded
	add(3, 14, 200)     // the later rests on what is above the frontier
	add(4, 15, 16, 201) // seq 0 may go, 1 is what counts
	add(5, 210, 17)     // superseded, but itself above the frontier
	r.advance(t, 100)
	before := storetest.Content(t, r.dsn)

	if n := r.pruneSuperseded(t, time.Hour); n != 0 {
		t.Errorf("%d verdicts younger than an hour were pruned", n)
	}
	r.exec(t, `update audit.verdict set made_at = now() - interval '2 hours' where seq = 0`)
	if n := r.pruneSuperseded(t, time.Hour); n != 0 {
		t.Errorf("%d verdicts were pruned that were superseded a moment ago", n)
	}
	r.exec(t, `update audit.verdict set made_at = now() - interval '2 hours'`)
	if n := r.pruneSuperseded(t, time.Hour); n != 3 {
		t.Errorf("%d verdicts were pruned, want 3", n)
	}
	got := fmt.Sprint(rows(t, r, `select g.nonce::text, v.seq::text from audit.verdict v join audit.game g on g.id = v.game order by 1, 2`))
	if want := "[[1 0] [2 2] [3 0] [3 1] [4 1] [4 2] [5 0] [5 1]]"; got != want {
		t.Errorf("left are %s, want %s", got, want)
	}
	if n := scan[int64](t, r, `select count(*) from audit.finding f where not exists (select from audit.verdict v where (v.game, v.seq) = (f.game, f.seq))`); n != 0 {
		t.Errorf("%d findings of verdicts that are gone", n)
	}
	if n := scan[int64](t, r, `select count(*) from audit.finding`); n != 5 {
		t.Errorf("%d findings are left, want those of the 5 superseding verdicts", n)
	}
	storetest.Same(t, "after pruning", before, storetest.Content(t, r.dsn))
	r.consistent(t)
	// What is left counts as it would have.
	r.advance(t, 300)
	r.consistent(t)
	if n := r.pruneSuperseded(t, time.Hour); n != 3 {
		t.Errorf("%d verdicts were pruned later, want 3", n)
	}
	r.consistent(t)
}

// A model that never forgets a verdict agrees with a record that is pruned
// after any step, at that step and at all later ones.
func TestPruningMovesNoCount(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		ctx := bounded(t)
		_, err := r.sql.Exec(ctx, `truncate audit.coverage, audit.tx, audit.event, audit.game, audit.verdict, audit.finding, audit.slot_time, audit.rollup, audit.rollup_check, audit.total;
			update audit.watch set frontier = 0`)
		if err != nil {
			t.Fatal(err)
		}
		r.w.frontier = 0
		m := &model{games: map[int][]Verdict{}, times: map[uint64]string{}}
		told := map[string]int64{}
		for step := range rapid.IntRange(1, 12).Draw(t, "steps") {
			counted, err := r.w.Commit(ctx, r.knowing(outer, m.draw(t)))
			if err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
			for _, c := range counted.Cells {
				told[fmt.Sprintf("%d %d %d", c.Verdict, c.Kind, c.VoidWhen)] += c.N
			}
			for _, c := range counted.Checks {
				told[fmt.Sprintf("check %d %d", c.Check, c.Result)] += c.N
			}
			if rapid.Bool().Draw(t, "prune") {
				if _, err := r.w.PruneSuperseded(ctx, 0, -1); err != nil {
					t.Fatal(err)
				}
			}
			m.compare(t, r, step, told)
		}
	})
}

// chainOf stores a transaction a slot in slots 1 to n: every third with an
// event, the others without; 7 failed, 8 with an unreadable log, 10 dropped.
func chainOf(t testing.TB, n int) *record {
	t.Helper()
	r := fresh(t)
	base := time.Now().UTC().Add(-time.Duration(n) * time.Minute).Truncate(time.Second)
	b := &Batch{}
	for slot := 1; slot <= n; slot++ {
		tx := r.tx(t, slot, uint64(slot))
		switch {
		case slot%3 == 0:
			tx.Events = r.tx(t, slot, uint64(slot), key(slot)).Events
			g, v := settled(key(slot), uint64(slot), verify.VerdictPass)
			g.StartTx, g.EndTx = tx.ID, tx.ID
			b.Games, b.Verdicts = append(b.Games, g), append(b.Verdicts, v)
		case slot == 7:
			tx.Failed, tx.Err = true, []byte(`"x"`)
		case slot == 8:
			tx.State, tx.Problem = decode.LogTruncated, "truncated"
		}
		b.New = append(b.New, tx)
		if slot%5 != 0 { // some slots have no time
			b.Times = append(b.Times, SlotTime{Slot: uint64(slot), Time: base.Add(time.Duration(slot) * time.Minute), Has: true})
		}
	}
	r.commit(t, b)
	r.commit(t, &Batch{Dropped: []int64{b.New[9].ID}})
	r.advance(t, int64(n))
	return r
}

func slots(t testing.TB, r *record) string {
	t.Helper()
	return scan[string](t, r, `select string_agg(slot::text, ' ' order by slot) from audit.tx`)
}

func TestEventlessTransactionsArePruned(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keep    time.Duration
		overlap Overlap
		want    string
	}{
		"all that is old":       {keep: 10*time.Minute + 30*time.Second, overlap: Overlap{Slots: 1, Rows: 1}, want: "3 6 8 9 12 15 18 19 20 21 22 23 24 25 26 27 28 29 30"},
		"no younger than asked": {keep: 25*time.Minute + 30*time.Second, overlap: Overlap{Slots: 1, Rows: 1}, want: "3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30"},
		"a slot without a time": {keep: 8*time.Minute + 30*time.Second, overlap: Overlap{Slots: 1, Rows: 1}, want: "3 6 8 9 12 15 18 20 21 22 23 24 25 26 27 28 29 30"},
		"not the overlap":       {overlap: Overlap{Slots: 15, Rows: 1}, want: "3 6 8 9 12 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30"},
		"not the newest rows":   {overlap: Overlap{Slots: 1, Rows: 12}, want: "3 6 8 9 12 15 18 19 20 21 22 23 24 25 26 27 28 29 30"},
		"a short record":        {overlap: Overlap{Slots: 1, Rows: 30}, want: "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := chainOf(t, 30)
			r.pruneEventless(t, c.keep, c.overlap)
			if got := slots(t, r); got != c.want {
				t.Errorf("left are slots\n%s, want\n%s", got, c.want)
			}
			r.consistent(t)
		})
	}
}

// Beside the rows themselves nothing of the record's content changes.
func TestPruningTransactionsLeavesTheRest(t *testing.T) {
	t.Parallel()
	r := chainOf(t, 60)
	before := storetest.Content(t, r.dsn)
	n := r.pruneEventless(t, 0, Overlap{Slots: 1, Rows: 1})
	if want := int64(38); n != want { // 58 slots less 19 with events, and slot 8
		t.Errorf("%d rows were pruned, want %d", n, want)
	}
	after := storetest.Content(t, r.dsn)
	storetest.Same(t, "beside transactions", withoutTxs(before), withoutTxs(after))
	if was, is := strings.Count(before, "\ntx "), strings.Count(after, "\ntx "); was-is != 37 { // the dropped one is no content
		t.Errorf("%d transactions of %d are left", is, was)
	}
	r.consistent(t)
}

func withoutTxs(content string) string {
	var b strings.Builder
	for line := range strings.Lines(content) {
		if !strings.HasPrefix(line, "tx ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// A chain that gives no times has no transaction that is known to be old.
func TestNothingIsOldWithoutTimes(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	for slot := uint64(1); slot <= 20; slot++ {
		r.commit(t, &Batch{New: []Tx{r.tx(t, int(slot), slot)}, Times: []SlotTime{at(slot, "")}})
	}
	r.advance(t, 20)
	if n := r.pruneEventless(t, 0, Overlap{Slots: 1, Rows: 1}); n != 0 {
		t.Errorf("%d rows were pruned", n)
	}
}

// More rows than a chunk, many of them in one slot.
func TestPruningGoesInChunks(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	r.exec(t, `insert into audit.tx (id, signature, slot, log_state, failed)
		select n, decode(lpad(to_hex(n), 128, '0'), 'hex'), 1 + n / 12000, 0, false from generate_series(1, 30000) n`)
	r.exec(t, `insert into audit.slot_time select n, now() - interval '1 day' from generate_series(1, 9) n`)
	r.advance(t, 9)
	chunks := 0
	n := pruneAll(t, func(after int64) (Pruned, error) {
		chunks++
		return r.w.PruneEventless(bounded(t), after, 9)
	})
	if n != 30000 || chunks < 3 {
		t.Errorf("%d rows in %d chunks", n, chunks)
	}
}
