package backfill

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/ingest"
	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
	"minesaudit/internal/store/storetest"
)

func exec(t testing.TB, r *record, sql string, args ...any) {
	t.Helper()
	if _, err := r.sql.Exec(bounded(t), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// plan makes the jobs of all history, in small pages.
func plan(t testing.TB, p *played, r *record, size int) int {
	t.Helper()
	p.chain.Faults.Pages(size)
	defer p.chain.Faults.Pages(0)
	pages := 0
	planner := p.planner(t, r)
	planner.OnPage = func(Page) { pages++ }
	if err := planner.Plan(bounded(t), p.all()); err != nil {
		t.Fatal(err)
	}
	return pages
}

// Whatever the node does meanwhile, the record ends the same.
func TestANodeWithFaultsIsReadToTheSameEnd(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 150, TruncateEvery: 9}, "all")
	want := storetest.Content(t, p.walked(t).dsn)
	for _, c := range []struct {
		name  string
		fault func()
		heal  func()
	}{
		{"no batches", func() { p.deny.Store(true) }, func() { p.deny.Store(false) }},
		{"null at first", func() { p.chain.Faults.NullFirst(2) }, p.chain.Faults.Heal},
		{"short pages", func() { p.chain.Faults.Pages(37) }, p.chain.Faults.Heal},
		{"refusals, errors, cut answers", func() {
			p.chain.Faults.HTTP(simchain.TooManyRequests, simchain.RPCTooMany, simchain.ServerError, simchain.CutJSON, simchain.HTMLPage, simchain.InternalError)
		}, p.chain.Faults.Heal},
	} { // one after the other: they share the node
		r := p.bound(t)
		plan(t, p, r, 150)
		c.fault()
		work(t, r, p.workers(t, r))
		c.heal()
		storetest.Same(t, c.name, want, storetest.Content(t, r.dsn))
		storetest.Consistent(t, r.dsn)
	}
}

// Two processes work beside a daemon; one of them is ended in the middle, and one
// that was killed has left a job behind.
func TestWorkersShareTheJobsBesideADaemon(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 250, TruncateEvery: 9}, "all")
	want := storetest.Content(t, p.walked(t).dsn)
	r := p.bound(t)
	p.follow(t, r, ingest.From{Now: true})
	pages := plan(t, p, r, 40)
	exec(t, r, `update audit_jobs.river_job set state = 'running', attempt = 1, attempted_at = now(), attempted_by = array['history-gone']
		where id = (select min(id) from audit_jobs.river_job)`)
	kept := make(chan struct{}, pages)
	first := start(t, p.workers(t, r, func(w *Workers) {
		w.OnKept = func(Page, ingest.Kept) { kept <- struct{}{} }
	}))
	for range 3 {
		<-kept
	}
	second := start(t, p.workers(t, r))
	first()
	third := start(t, p.workers(t, r))
	eventually(t, "all pages are read", func() bool { return r.done(t) })
	second()
	third()
	storetest.Same(t, "shared", want, storetest.Content(t, r.dsn))
	storetest.Consistent(t, r.dsn)
	if n := scan[int](t, r, `select count(*)::int from audit_jobs.river_job where state = 'completed'`); n != pages {
		t.Errorf("%d jobs are completed of %d", n, pages)
	}
	if n := scan[int](t, r, `select count(*)::int from audit.coverage`); n != 1 {
		t.Errorf("%d ranges, want one", n)
	}
}

// A transaction that is listed and never given keeps its page from being claimed; the
// reason is on record, and once it is given a new plan fills the hole.
func TestWhatIsWithheldIsOnRecordAsLacking(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 100}, "")
	want := storetest.Content(t, p.walked(t).dsn)
	r := p.bound(t)
	plan(t, p, r, 0)
	p.chain.Faults.NullFirst(1000)
	exec(t, r, `update audit_jobs.river_job set attempt = max_attempts - 1`)
	work(t, r, p.workers(t, r))
	if n := scan[int](t, r, `select count(*)::int from audit.tx`); n != 0 {
		t.Errorf("%d transactions of the page are stored", n)
	}
	reason := scan[string](t, r, `select reason from audit_api.v1_coverage_ranges where not complete`)
	if !strings.Contains(reason, errWithheld.Error()) {
		t.Errorf("reason %q", reason)
	}
	p.chain.Faults.Heal()
	if n := plan(t, p, r, 0); n == 0 {
		t.Fatal("nothing is planned of what is lacking")
	}
	work(t, r, p.workers(t, r))
	storetest.Same(t, "filled", want, storetest.Content(t, r.dsn))
	if n := scan[int](t, r, `select count(*)::int from audit.coverage where not complete`); n != 0 {
		t.Errorf("%d ranges are lacking", n)
	}
}

// What is stored and neither listed nor known to the node did not happen.
func TestWhatTheNodeDoesNotKnowIsDropped(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 40}, "")
	want := storetest.Content(t, p.walked(t).dsn)
	r := p.bound(t)
	plan(t, p, r, 0)
	exec(t, r, `insert into audit.tx (id, signature, slot, log_state, failed) values (nextval('audit.tx_id'), decode(repeat('ab', 64), 'hex'), $1, 0, false)`, p.final-5)
	work(t, r, p.workers(t, r))
	storetest.Same(t, "with a transaction of a fork", want, storetest.Content(t, r.dsn))
	if n := scan[int](t, r, `select count(*)::int from audit.tx where dropped`); n != 1 {
		t.Errorf("%d transactions are dropped", n)
	}
}

// What is stored of another slot, or as dropped, is not seen in the span where a node
// lists it: the rest of the page is stored all the same, and it is put right.
func TestWhatIsStoredOfAnotherSlotIsPutRight(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 40}, "")
	walked := p.walked(t)
	want := storetest.Content(t, walked.dsn)
	for _, row := range []string{`slot + 1000000, false`, `slot, true`} {
		r := p.bound(t)
		plan(t, p, r, 0)
		const last = ` from audit.tx t join audit.event e on e.tx = t.id where e.kind <> 1 order by t.slot desc limit 1`
		exec(t, r, `insert into audit.tx (id, signature, slot, dropped, log_state, failed)
			select nextval('audit.tx_id'), $1, `+row+`, 0, false from (select $2::bigint as slot) s`,
			scan[[]byte](t, walked, `select t.signature`+last), scan[int64](t, walked, `select t.slot`+last))
		work(t, r, p.workers(t, r))
		storetest.Same(t, "with a row "+row, want, storetest.Content(t, r.dsn))
		storetest.Consistent(t, r.dsn)
	}
}

// A list that is shorter than the one planned by claims nothing.
func TestAShorterListClaimsNothing(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 60}, "")
	r := p.bound(t)
	plan(t, p, r, 0)
	for _, change := range []string{
		`update audit_jobs.river_job set args = jsonb_set(args, '{count}', to_jsonb((args->>'count')::int + 1))`,
		`update audit_jobs.river_job set args = jsonb_set(jsonb_set(args, '{count}', to_jsonb((args->>'count')::int - 2)), '{set}', '"00"')`,
	} {
		exec(t, r, change)
		pages, err := r.queue.Pending(bounded(t))
		if err != nil {
			t.Fatal(err)
		}
		s := &source{node: p.client(t), program: p.chain.Program(), budget: &Budget{}, batch: newBatchSize(50, 0)}
		l, err := s.list(bounded(t), &pages[0])
		if shorter := strings.Contains(change, "+ 1"); shorter != (err != nil) {
			t.Errorf("%s: %v", change, err)
		} else if !shorter && len(l.txs) <= pages[0].Count {
			t.Errorf("%d listed", len(l.txs))
		}
	}
}

// A worker may be asked to end while it begins: that is no error.
func TestAWorkerEndsBeforeItBegins(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 1}, "")
	r := p.bound(t)
	ctx, cancel := context.WithCancel(bounded(t))
	cancel()
	if err := p.workers(t, r).Run(ctx); err != nil {
		t.Errorf("%v, want none", err)
	}
}

// Between a look at the record and the turn somebody else may have stored the page.
func TestAPageMayBeStoredByNow(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 1}, "")
	r := p.bound(t)
	w, _, err := r.OpenWorker(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(context.Background()) })
	h := p.workers(t, r).History
	for _, size := range []int{1, store.MostAhead + 1} { // the longest slot has more than are written ahead
		at := p.final - int64(size)
		listed := &ingest.Listed{Span: store.Span{From: at, To: at}}
		for n := range size {
			info := rpc.SignatureInfo{Slot: uint64(at), Err: []byte(`"AccountInUse"`)}
			binary.BigEndian.PutUint32(info.Signature[:], uint32(at))
			binary.BigEndian.PutUint32(info.Signature[4:], uint32(n))
			listed.Txs = append(listed.Txs, info)
		}
		lacking, err := h.Compare(bounded(t), w, listed)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []int{size, 0} {
			kept, err := h.Save(bounded(t), w, listed, &lacking, &ingest.Found{Txs: lacking.Failed}, nil, func(context.Context, pgx.Tx) error { return nil })
			if err != nil || kept.New != want {
				t.Errorf("time %d: %d stored, want %d: %v", i+1, kept.New, want, err)
			}
		}
	}
}
