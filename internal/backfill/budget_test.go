package backfill

import (
	"math"
	"slices"
	"sync"
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
		budget := &Budget{Store: r.Store, Node: "shared", PerSecond: perSecond}
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
	one, other := &Budget{Store: r.Store, Node: "n", PerSecond: 1000}, &Budget{Store: r.Store, Node: "n", PerSecond: 1000}
	for _, b := range []*Budget{one, other} {
		if _, err := b.take(bounded(t), 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := one.hold(bounded(t), time.Hour); err != nil {
		t.Fatal(err)
	}
	for _, b := range []*Budget{one, {Store: r.Store, Node: "n", PerSecond: 1000}} {
		at, err := b.take(bounded(t), 1)
		if err != nil {
			t.Fatal(err)
		}
		if wait := time.Until(at); math.Abs(wait.Hours()-1) > 0.1 {
			t.Errorf("the next call is in %v, want an hour", wait)
		}
	}
	if at, err := (&Budget{Store: r.Store, Node: "another", PerSecond: 1000}).take(bounded(t), 1); err != nil || time.Until(at) > time.Minute {
		t.Errorf("another node is held too: %v (%v)", at, err)
	}
}

func TestANodeIsNamedWithoutItsKey(t *testing.T) {
	t.Parallel()
	a, b := NodeName("https://user:secret@node.example/key"), NodeName("https://node.example/other?api=x")
	if a != b || a == NodeName("https://other.example/key") {
		t.Errorf("%s and %s; the host alone should tell", a, b)
	}
}
