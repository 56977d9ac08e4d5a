package backfill

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"minesaudit/internal/simchain"
)

// However many processes take places, and however many at a time, the queue grows by
// just what they took: no second has more calls than it bears, and none is lost.
func TestProcessesShareOneQueue(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 1}, "")
	r := p.unbound(t)
	const perSecond = 0.5 // places are far longer than taking one: the queue never runs dry
	begins := scan[float64](t, r, `select extract(epoch from clock_timestamp())::double precision`)
	var (
		mu    sync.Mutex
		times []time.Time
		all   sync.WaitGroup
		taken int
	)
	for process := range 4 {
		budget := &places{store: r.Store, name: "shared", perSecond: perSecond}
		all.Go(func() {
			for range 20 {
				at, err := budget.take(bounded(t), process+1)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				times = append(times, at)
				taken += process + 1
				mu.Unlock()
			}
		})
	}
	all.Wait()
	ends := scan[float64](t, r, `select free from audit.call_queue where node = 'shared'`)
	if want, got := float64(taken)/perSecond, ends-begins; got < want || got > want*1.05 {
		t.Errorf("%d calls take %.1f seconds of the queue, want %.1f", taken, got, want)
	}
	slices.SortFunc(times, time.Time.Compare)
	for i := 1; i < len(times); i++ {
		if apart := times[i].Sub(times[i-1]).Seconds(); apart < 0.95/perSecond {
			t.Fatalf("two calls %.2f seconds apart", apart)
		}
	}
}

// A node that wants to be left alone is, by everybody.
func TestARefusalHoldsEverybody(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 1}, "")
	r := p.unbound(t)
	budget := func(node string) *Budget { return &Budget{Store: r.Store, Node: node, PerSecond: 1000} }
	one, other := budget("n"), budget("n")
	for _, b := range []*Budget{one, other} {
		b.open()
		if _, err := b.all.take(bounded(t), 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := one.hold(bounded(t), time.Hour); err != nil {
		t.Fatal(err)
	}
	for _, b := range []*Budget{one, budget("n")} {
		b.open()
		at, err := b.all.take(bounded(t), 1)
		if err != nil {
			t.Fatal(err)
		}
		if wait := time.Until(at); math.Abs(wait.Hours()-1) > 0.1 {
			t.Errorf("the next call is in %v, want an hour", wait)
		}
	}
	another := budget("another")
	another.open()
	if at, err := another.all.take(bounded(t), 1); err != nil || time.Until(at) > time.Minute {
		t.Errorf("another node is held too: %v (%v)", at, err)
	}
}

// A method with a limit has a queue of its own before that of its node, and shares
// both with every process.
func TestAMethodWithALimitHasAQueue(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 1}, "")
	r := p.unbound(t)
	queues := func() string {
		return scan[string](t, r, `select coalesce(string_agg(node, ' ' order by node), '') from audit.call_queue`)
	}
	limits := map[string]float64{methodTransactions: 500}
	for _, step := range []struct {
		budget *Budget
		method string
		want   string
	}{
		{&Budget{Store: r.Store, Node: "none"}, methodTransactions, ""},
		{&Budget{Store: r.Store, Node: "one", Limits: limits}, methodSignatures, ""},
		{&Budget{Store: r.Store, Node: "one", Limits: limits}, methodTransactions, "one/getTransaction"},
		{&Budget{Store: r.Store, Node: "two", PerSecond: 1000, Limits: limits}, methodSignatures, "one/getTransaction two"},
		{&Budget{Store: r.Store, Node: "two", PerSecond: 1000, Limits: limits}, methodTransactions, "one/getTransaction two two/getTransaction"},
	} {
		if err := step.budget.Wait(bounded(t), step.method, 1); err != nil {
			t.Fatal(err)
		}
		if got := queues(); got != step.want {
			t.Errorf("%s of node %s: queues %q, want %q", step.method, step.budget.Node, got, step.want)
		}
	}
	// Where there is no rate for all methods, a refusal holds those that have one.
	limited := &Budget{Store: r.Store, Node: "one", Limits: limits}
	if err := limited.hold(bounded(t), time.Hour); err != nil {
		t.Fatal(err)
	}
	if held := scan[float64](t, r, `select free - extract(epoch from clock_timestamp())::double precision from audit.call_queue where node = 'one/getTransaction'`); math.Abs(held-3600) > 300 {
		t.Errorf("held for %.0f seconds, want an hour", held)
	}
}

func TestTheSlowerPaceCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ all, own, want float64 }{{0, 0, 0}, {4, 0, 4}, {0, 2, 2}, {4, 2, 2}, {4, 9, 4}} {
		b := &Budget{PerSecond: c.all}
		if c.own > 0 {
			b.Limits = map[string]float64{methodTransactions: c.own}
		}
		if got := b.Pace(methodTransactions); got != c.want {
			t.Errorf("%v of all and %v of its own: %v, want %v", c.all, c.own, got, c.want)
		}
		if got := b.Pace(methodSignatures); got != c.all {
			t.Errorf("another method: %v, want %v", got, c.all)
		}
	}
}

// History takes no place while it is to wait.
func TestHistoryYields(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 1}, "")
	r := p.unbound(t)
	var behind atomic.Bool
	behind.Store(true)
	b := &Budget{Store: r.Store, Node: "n", PerSecond: 1000, Yield: Yield(behind.Load)}
	waited := make(chan error, 1)
	go func() { waited <- b.Wait(bounded(t), methodSignatures, 1) }()
	stopped, stop := context.WithCancel(bounded(t))
	stop()
	if err := b.Wait(stopped, methodSignatures, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped while it waits: %v", err)
	}
	if n := scan[int](t, r, `select count(*)::int from audit.call_queue`); n != 0 {
		t.Errorf("%d queues", n)
	}
	select {
	case err := <-waited:
		t.Fatalf("it went on: %v", err)
	default:
	}
	behind.Store(false)
	if err := <-waited; err != nil {
		t.Fatal(err)
	}
	if n := scan[int](t, r, `select count(*)::int from audit.call_queue`); n != 1 {
		t.Errorf("%d queues after it", n)
	}
}

func TestANodeIsNamedWithoutItsKey(t *testing.T) {
	t.Parallel()
	a, b := NodeName("https://user:secret@node.example/key"), NodeName("https://node.example/other?api=x")
	if a != b || a == NodeName("https://other.example/key") {
		t.Errorf("%s and %s; the host alone should tell", a, b)
	}
}
