package backfill

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"

	"minesaudit/internal/ingest"
	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
	"minesaudit/internal/store/storetest"
)

// besides has a daemon read history beside itself, at the node that it follows.
func (p *played) besides(t testing.TB, r *record, change ...func(*Beside)) func(*ingest.Config) {
	t.Helper()
	return func(c *ingest.Config) {
		b := &Beside{
			Workers: p.workers(t, r, func(w *Workers) { w.Nodes, w.Pages = c.Nodes, 1 }), Planner: p.planner(t, r),
			Yield: Yield(func() bool { return false }), Log: zap.NewNop(),
		}
		b.Upto = func() int64 { return scan[int64](t, r, `select frontier from audit.watch`) }
		for _, f := range change {
			f(b)
		}
		c.Beside = b.Run
		c.Waiting = func(ctx context.Context) (ingest.Waiting, error) {
			left, err := r.queue.Left(ctx)
			return ingest.Waiting{Pages: left.Pages, Transactions: left.Transactions}, err
		}
	}
}

// whole waits until a daemon shows all of the chain's history as complete, and what was
// before it as not to be had.
func whole(t testing.TB, d *ingest.Daemon, final int64) {
	t.Helper()
	eventually(t, "all is complete from genesis", func() bool {
		s := d.Status()
		return len(s.Coverage) == 2 && !s.Coverage[0].Complete && s.Coverage[0].FromSlot == 0 && s.Coverage[1].Complete &&
			s.Coverage[1].FromSlot == ledger && s.Coverage[1].ToSlot >= final &&
			s.AuditedFromSlot != nil && *s.AuditedFromSlot == ledger && s.Backfill != nil && s.Backfill.Pages == 0
	})
}

// A daemon that began at the end of history and reads it beside what it follows has in
// the end what a walk from genesis makes, however often it was stopped.
func TestADaemonReadsHistoryBesideWhatItFollows(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 250, TruncateEvery: 9}, "all")
	p.goOn(t)
	want := storetest.Content(t, p.walked(t).dsn)
	p.chain.Faults.Pages(40)
	r := p.unbound(t)
	kept := make(chan struct{}, 1000)
	tells := func(b *Beside) { b.Workers.OnKept = func(Page, ingest.Kept) { kept <- struct{}{} } }
	for range 3 {
		_, stop := p.follow(t, r, ingest.From{Now: true}, p.besides(t, r, tells))
		<-kept
		stop()
	}
	if n := scan[int](t, r, `select count(*)::int from audit_jobs.river_job where state <> 'completed'`); n == 0 {
		t.Error("nothing is left to do: this test would not see that it goes on")
	}
	d, stop := p.follow(t, r, ingest.From{Now: true}, p.besides(t, r))
	whole(t, d, p.final)
	stop()
	storetest.Same(t, "beside", want, storetest.Content(t, r.dsn))
	storetest.Consistent(t, r.dsn)
}

// The chain goes on meanwhile, and so does the record.
func TestTheRecordGoesOnWhileHistoryIsRead(t *testing.T) {
	t.Parallel()
	p := begin(t, simchain.Config{Games: 240, Rate: 40, TruncateEvery: 9}, "all")
	p.until(t, func() bool { started, _ := p.chain.Progress(); return started >= 120 })
	r := p.unbound(t)
	p.chain.Faults.Pages(30)
	p.goOn(t)
	d, stop := p.follow(t, r, ingest.From{Now: true}, p.besides(t, r))
	<-p.chain.Done()
	p.final = int64(p.chain.FinalizedSlot())
	whole(t, d, p.final)
	stop()
	p.chain.Faults.Heal()
	storetest.Same(t, "beside a chain that goes on", storetest.Content(t, p.walked(t).dsn), storetest.Content(t, r.dsn))
	storetest.Consistent(t, r.dsn)
}

// At a node that bears little, what is followed has what it needs of it: it is on
// record long before history is, although all of it has to be fetched as well.
func TestWhatIsFollowedGoesBeforeHistory(t *testing.T) {
	t.Parallel()
	p := begin(t, simchain.Config{Games: 640}, "")
	p.until(t, func() bool { started, _ := p.chain.Progress(); return started >= 600 })
	p.chain.Faults.Withhold(1)
	client, err := rpc.NewClient(rpc.Config{URL: p.url, RequestsPerSecond: 40})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	r := p.unbound(t)
	limited := func(b *Beside) {
		budget := &Budget{Store: r.Store, Node: "test", PerSecond: 30}
		b.Workers.Budget = func(string) *Budget { return budget }
		b.Planner.Budget, b.Workers.Pages, b.Workers.Grace = b.Workers.Budget, 2, time.Millisecond
	}
	d, stop := p.follow(t, r, ingest.From{Now: true}, func(c *ingest.Config) { c.Nodes, c.Interval = rpc.Single(client), time.Second }, p.besides(t, r, limited))
	eventually(t, "history is planned", func() bool { s := d.Status(); return s.Backfill != nil && s.Backfill.Pages > 0 })
	p.toTheEnd(t)
	last := int64(p.chain.FinalizedSlot())
	eventually(t, "the record passes the last game", func() bool { return d.Frontier() >= last })
	left, err := r.queue.Left(bounded(t))
	t.Logf("%d transactions of history are left", left.Transactions)
	if err != nil || left.Transactions < 300 {
		t.Errorf("%d transactions of history are left (%v): it was read first", left.Transactions, err)
	}
	if n := scan[int](t, r, `select count(*)::int from audit.tx where slot > (select min(lower(slots)) from audit.coverage where source = 'follow')`); n == 0 {
		t.Error("nothing was followed")
	}
	stop()
}

// Nothing is asked of the node while the daemon is behind, or another one leads.
func TestHistoryWaitsForWhatIsFollowed(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 40}, "")
	p.goOn(t)
	r := p.unbound(t)
	var behind atomic.Bool
	behind.Store(true)
	looked := make(chan struct{}, 1000)
	waits := func(b *Beside) {
		b.Yield = Yield(func() bool { looked <- struct{}{}; return behind.Load() })
	}
	first, stopFirst := p.follow(t, r, ingest.From{Now: true}, p.besides(t, r, waits))
	eventually(t, "the first leads", func() bool { return first.Status().AuditedFromSlot != nil })
	another := &record{dsn: r.dsn, queue: r.queue, sql: r.sql}
	var err error
	if another.Store, err = store.Open(r.dsn); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(another.Close)
	second, stopSecond := p.follow(t, another, ingest.From{Now: true}, p.besides(t, another, func(b *Beside) {
		b.Upto = func() int64 { t.Error("one that stands by plans"); return 0 }
	}))
	eventually(t, "the second stands by", func() bool { return second.Status().State == "standby" })
	for range 2 {
		<-looked
	}
	if n := scan[int](t, r, `select count(*)::int from audit_jobs.river_job`); n != 0 {
		t.Errorf("%d pages are planned", n)
	}
	stopSecond()
	behind.Store(false)
	whole(t, first, p.final)
	stopFirst()
}

// What could not be had is not asked for again and again, but once more after a start.
func TestWhatCannotBeHadIsPlannedOnceAStart(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 40}, "")
	r := p.bound(t)
	w, _, err := r.OpenWorker(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	lacks := store.Covered{From: 0, To: p.final - 20, Source: store.SourceBackfill, Reason: "pruned"}
	if _, err := w.Commit(bounded(t), &store.Batch{Covers: []store.Covered{lacks}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(bounded(t)); err != nil {
		t.Fatal(err)
	}
	b := &Beside{Planner: p.planner(t, r), Upto: func() int64 { return p.final }, Yield: Yield(func() bool { return false }), Log: zap.NewNop()}
	lowest := func() int64 {
		return scan[int64](t, r, `select min((args->>'from_slot')::bigint) from audit_jobs.river_job`)
	}
	for range 2 {
		if err := b.planOnce(bounded(t), false); err != nil {
			t.Fatal(err)
		}
		if got := lowest(); got != p.final-19 {
			t.Errorf("planned down to slot %d, want %d", got, p.final-19)
		}
	}
	if err := b.planOnce(bounded(t), true); err != nil {
		t.Fatal(err)
	}
	if got := lowest(); got != 0 {
		t.Errorf("planned down to slot %d, want 0", got)
	}
}
