package backfill

import (
	"testing"

	"minesaudit/internal/simchain"
	"minesaudit/internal/store/storetest"
)

// History that is read in pages is what a walk makes of it, wherever the events are.
func TestHistoryIsWhatTheWalkMakesOfIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		config simchain.Config
	}{
		{"logs", simchain.Config{Games: 300, TruncateEvery: 9, Hostile: true}},
		{"calls", simchain.Config{Games: 150, CPI: true, TruncateEvery: 9}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := play(t, c.config, "all")
			want := storetest.Content(t, p.walked(t).dsn)
			p.called("getTransaction")
			p.called("getSignaturesForAddress")
			r := p.bound(t)
			p.chain.Faults.Pages(90)
			pages := 0
			planner := p.planner(t, r)
			planner.OnPage = func(Page) { pages++ }
			if err := planner.Plan(bounded(t), p.all()); err != nil {
				t.Fatal(err)
			}
			if pages < 5 {
				t.Errorf("%d pages, want several", pages)
			}
			p.chain.Faults.Pages(0)
			planned := p.called("getSignaturesForAddress")
			work(t, r, p.workers(t, r))
			storetest.Same(t, "by pages", want, storetest.Content(t, r.dsn))
			storetest.Consistent(t, r.dsn)
			fetched, listed := p.called("getTransaction"), p.called("getSignaturesForAddress")
			if n := scan[int](t, r, `select count(*)::int from audit.tx where not failed`); fetched > n+n/100 {
				t.Errorf("%d transactions were asked for, there are %d", fetched, n)
			}
			// At the end the lowest slot is listed once more, and what is below it.
			if listed > pages+2 || planned > pages+3 {
				t.Errorf("%d and %d lists for %d pages", planned, listed, pages)
			}
			if from := scan[int64](t, r, `select audited_from from audit.watch`); from != ledger {
				t.Errorf("audited from slot %d", from)
			}
			// A second plan finds nothing to do.
			again := 0
			planner.OnPage = func(Page) { again++ }
			if err := planner.Plan(bounded(t), p.all()); err != nil || again != 0 || p.called("getSignaturesForAddress") != 0 {
				t.Errorf("planned again: %d pages (%v)", again, err)
			}
		})
	}
}
