package ingest

import (
	"context"
	"testing"

	"minesaudit/internal/store"
)

// What another process reads of history is shown as soon as it is in the record, by a
// daemon that has been running all the time.
func TestHistoryOfAnotherProcessIsShown(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(40, ""))
	n.listen(t)
	n.play(t)
	<-n.chain.Done()
	w := watch(t, n, database(t), func(c *Config) { c.From = From{Now: true} })
	w.until(t, "it follows", func(s Status) bool { return s.State == "following" && len(s.Coverage) == 1 })
	began := *w.Status().AuditedFromSlot
	if began <= 8 || w.Status().Coverage[0].FromSlot != began {
		t.Fatalf("audited from slot %d, complete from slot %d", began, w.Status().Coverage[0].FromSlot)
	}
	for _, to := range []int64{began / 2, 7, 0} {
		cover(t, w.dsn, to, *w.Status().AuditedFromSlot-1)
		w.until(t, "the status begins lower", func(s Status) bool {
			return *s.AuditedFromSlot == to && len(s.Coverage) == 1 && s.Coverage[0].FromSlot == to && s.State == "following"
		})
		if got := gaugeValue(t, w.registry, "minesaudit_audited_from_slot"); got != float64(to) {
			t.Errorf("the gauge shows slot %v, want %d", got, to)
		}
	}
}

// A chain that stands still is followed all the same: what of it is read beside the
// daemon shows that the record has begun.
func TestARecordOfHistoryAloneHasBegun(t *testing.T) {
	t.Parallel()
	st := newState()
	st.bound(store.Watch{AuditedFrom: 101, Frontier: 100, Head: 100})
	for _, c := range []struct {
		watch    *store.Watch
		from     int64
		frontier bool
	}{
		{nil, 101, false},
		{&store.Watch{AuditedFrom: 101, Frontier: 100}, 101, false},
		{&store.Watch{AuditedFrom: 0, Frontier: 100}, 0, true},
		{&store.Watch{AuditedFrom: 50, Frontier: 49}, 50, false}, // of before the beginning was moved up
	} {
		var s Status
		st.show(&s, c.watch)
		if *s.AuditedFromSlot != c.from || (s.FrontierSlot != nil) != c.frontier || (s.State == "following") != c.frontier {
			t.Errorf("%+v: from slot %d, frontier %v, %s", c.watch, *s.AuditedFromSlot, s.FrontierSlot, s.State)
		}
	}
}

// cover claims slots, as a worker does.
func cover(t *testing.T, dsn string, from, to int64) {
	t.Helper()
	st, err := store.Open(dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	worker, _, err := st.OpenWorker(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = worker.Close(context.Background()) }()
	batch := &store.Batch{Covers: []store.Covered{{From: from, To: to, Source: store.SourceBackfill}}}
	if _, err := worker.Commit(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
}
