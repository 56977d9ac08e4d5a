package backfill

import (
	"context"
	"errors"
	"slices"
	"testing"

	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
)

// A plan that was ended anywhere goes on where it was: its pages and the next plan's
// tile the span.
func TestAPlanGoesOnWhereItWasEnded(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 120}, "")
	r := p.bound(t)
	p.chain.Faults.Pages(60)
	planner := p.planner(t, r)
	for n := 1; ; n++ {
		ctx, cancel := context.WithCancel(bounded(t))
		made := 0
		planner.OnPage = func(Page) {
			if made++; made == n {
				cancel()
			}
		}
		err := planner.Plan(ctx, p.all())
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	pages, err := r.queue.Pending(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	upper, total := p.final, 0
	for _, page := range pages {
		if page.To != upper {
			t.Fatalf("slots %d to %d are in no page, or in two", page.To+1, upper)
		}
		upper, total = page.From-1, total+page.Count
	}
	if upper != ledger-1 || len(pages) < 5 {
		t.Errorf("%d pages down to slot %d", len(pages), upper+1)
	}
	work(t, r, p.workers(t, r))
	if n := scan[int](t, r, `select count(*)::int from audit.tx`); n != total {
		t.Errorf("%d transactions are stored, %d were planned", n, total)
	}
}

func TestTwoDoNotPlanAtOnce(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 20}, "")
	r := p.bound(t)
	if _, err := r.sql.Exec(bounded(t), `select pg_advisory_lock($1)`, int64(planKey)); err != nil {
		t.Fatal(err)
	}
	if err := p.planner(t, r).Plan(bounded(t), p.all()); !errors.Is(err, ErrPlanned) {
		t.Errorf("%v, want ErrPlanned", err)
	}
}

// The transaction that a plan begins below may be one that this node does not know.
func TestAnUnknownAnchorBeginsAtTheNewest(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 60}, "")
	r := p.bound(t)
	exec(t, r, `insert into audit.tx (id, signature, slot, log_state, failed) values (nextval('audit.tx_id'), decode(repeat('ab', 64), 'hex'), $1, 0, false)`, p.final+1)
	planner := p.planner(t, r)
	total := 0
	planner.OnPage = func(page Page) { total += page.Count }
	if err := planner.Plan(bounded(t), p.all()); err != nil {
		t.Fatal(err)
	}
	work(t, r, p.workers(t, r))
	if n := scan[int](t, r, `select count(*)::int - 1 from audit.tx`); n != total || n == 0 {
		t.Errorf("%d transactions are stored, %d were planned", n, total)
	}
}

func TestWhatPagesHaveIsNotPlannedAgain(t *testing.T) {
	t.Parallel()
	spans := []store.Span{{From: 50, To: 90}, {From: 0, To: 30}}
	for _, c := range []struct {
		pages []Page
		want  []store.Span
	}{
		{nil, spans},
		{[]Page{{From: 50, To: 90}, {From: 0, To: 30}}, nil},
		{[]Page{{From: 80, To: 90}}, []store.Span{{From: 50, To: 79}, {From: 0, To: 30}}},
		{[]Page{{From: 60, To: 70}, {From: 10, To: 20}}, []store.Span{{From: 71, To: 90}, {From: 50, To: 59}, {From: 21, To: 30}, {From: 0, To: 9}}},
		{[]Page{{From: 20, To: 60}}, []store.Span{{From: 61, To: 90}, {From: 0, To: 19}}},
		{[]Page{{From: 31, To: 49}, {From: 100, To: 120}}, spans},
	} {
		if got := without(spans, c.pages); !slices.Equal(got, c.want) {
			t.Errorf("without %v: %v, want %v", c.pages, got, c.want)
		}
	}
}
