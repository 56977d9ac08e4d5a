package ingest

import (
	"errors"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
	"minesaudit/internal/store/storetest"
)

func TestEveryVerdictIsTheTruth(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(200, "all"))
	w := watch(t, n, database(t))
	n.play(t)
	w.catchUp(t, n)
	agree(t, n, w.dsn)

	// With every log intact nothing is fetched.
	if got := n.calls.of("getTransaction"); got != 0 {
		t.Errorf("%d transactions were fetched although every notification came", got)
	}
	if got, passes := n.calls.of("getSignaturesForAddress"), n.calls.of("getSlot"); got > 2*passes {
		t.Errorf("%d signature pages in %d passes", got, passes)
	}
	// Counters rise with the frontier. A pass that a second end turned into a
	// fail after it had been passed stays counted, so passes may be too many.
	want := map[string]float64{}
	for _, truth := range n.chain.Truth() {
		want[truth.Verdict]++
	}
	if got := testutil.ToFloat64(w.Metrics.games.WithLabelValues("fail")); got != want["fail"] {
		t.Errorf("games_total{verdict=fail} is %v, want %v", got, want["fail"])
	}
	if got := testutil.ToFloat64(w.Metrics.games.WithLabelValues("pass")); got < want["pass"] || got > want["pass"]+want["fail"] {
		t.Errorf("games_total{verdict=pass} is %v, want %v and at most the fails above it", got, want["pass"])
	}
}

func TestContentDoesNotDependOnTheWay(t *testing.T) {
	t.Parallel()
	chain := quick(150, "all")
	chain.Rate = 75
	quiet := serve(t, chain)
	calm := watch(t, quiet, database(t))
	quiet.play(t)
	calm.catchUp(t, quiet)
	want := storetest.Content(t, calm.dsn)
	agree(t, quiet, calm.dsn)

	for name, disturb := range map[string]func(*node, *watcher){
		"withheld and doubled notifications": func(n *node, _ *watcher) {
			n.chain.Faults.Withhold(0.3)
			n.chain.Faults.Duplicate(0.3)
			n.chain.Faults.NullFirst(2)
		},
		"cut sockets": func(n *node, w *watcher) {
			for range 5 {
				n.chain.DropSockets()
				was := w.Stream.State().Reconnects
				w.until(t, "reconnected", func(s Status) bool { return s.Connection.Reconnects > was })
			}
		},
		"a node that fails now and then": func(n *node, _ *watcher) {
			n.chain.Faults.Withhold(0.5)
			n.chain.Faults.HTTP(simchain.ServerError, simchain.HTMLPage, simchain.CutJSON, simchain.TooManyRequests, simchain.RPCTooMany)
		},
		"holes in the list":   func(n *node, _ *watcher) { n.chain.Faults.Holes(20) },
		"no notifications":    func(n *node, _ *watcher) { n.chain.Faults.Withhold(1) },
		"history, not live":   nil,
		"finalized stream":    func(*node, *watcher) {},
		"restarted meanwhile": func(n *node, w *watcher) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := serve(t, chain)
			if disturb == nil {
				n.chain.Faults.Withhold(1)
				n.play(t)
				n.listen(t)
				<-n.chain.Done()
				w := watch(t, n, database(t))
				w.catchUp(t, n)
				storetest.Same(t, name, want, storetest.Content(t, w.dsn))
				return
			}
			w := watch(t, n, database(t), func(c *Config) {
				if name == "finalized stream" {
					c.Live = rpc.Finalized
				}
			})
			n.play(t)
			w.until(t, "subscribed", func(s Status) bool { return s.Connection.Up })
			disturb(n, w)
			if name == "restarted meanwhile" {
				for _, judged := range []int64{20, 60, 100} {
					w.until(t, "some games are judged", func(s Status) bool { return s.Confirmed["pass"]+s.Games["pass"] >= judged })
					w.stop(t)
					w = watch(t, n, w.dsn)
				}
			}
			w.catchUp(t, n)
			storetest.Same(t, name, want, storetest.Content(t, w.dsn))
			storetest.Consistent(t, w.dsn)
		})
	}
}

func TestForksLeaveNoTraceInCounts(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, "short-refund,wrong-mask"))
	for _, fork := range []error{n.chain.Faults.DropStarts(4), n.chain.Faults.DropEnds(6), n.chain.Faults.RelandStarts(6), n.chain.Faults.RelandEnds(6)} {
		if fork != nil {
			t.Fatal(fork)
		}
	}
	w := watch(t, n, database(t))
	n.play(t)
	w.catchUp(t, n)
	agree(t, n, w.dsn)
	if got := testutil.ToFloat64(w.Metrics.dropped); got < 4 {
		t.Errorf("%v transactions were dropped, at least the 4 starts should have been", got)
	}
}

func TestTruncatedLogsMakeTheirGamesInconclusive(t *testing.T) {
	t.Parallel()
	cfg := quick(120, "")
	cfg.TruncateEvery = 6
	n := serve(t, cfg)
	w := watch(t, n, database(t))
	n.play(t)
	w.catchUp(t, n)
	agree(t, n, w.dsn)
	if s := w.Status(); s.Unverifiable < 10 {
		t.Errorf("%d unverifiable transactions shown, want at least 10", s.Unverifiable)
	}
}

func TestFrontierNeverPassesAFailedFetch(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(60, ""))
	n.chain.Faults.Withhold(1)
	n.chain.Faults.NullFirst(1 << 20)
	w := watch(t, n, database(t))
	n.play(t)
	w.until(t, "bound", func(s Status) bool { return s.AuditedFromSlot != nil })
	before := w.state.frontier()
	<-n.chain.Done()
	w.until(t, "the failure is shown", func(s Status) bool { return !s.Node.OK })
	first := int64(n.chain.Truth()[0].StartSlot)
	if got := w.state.frontier(); got >= first {
		t.Fatalf("the frontier went from %d to %d, past a transaction in slot %d that could not be fetched", before, got, first)
	}
	n.chain.Faults.NullFirst(0)
	w.catchUp(t, n)
	agree(t, n, w.dsn)
}

func TestGamesFromBeforeTheAuditAreInconclusive(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(200, ""))
	n.listen(t)
	n.play(t)
	eventually(t, "some games are under way", func() bool { started, _ := n.chain.Progress(); return started > 60 })
	w := watch(t, n, database(t), func(c *Config) { c.From = From{Now: true} })
	w.catchUp(t, n)
	got := outcomes(t, w.dsn)
	from := uint64(*w.Status().AuditedFromSlot)
	for _, truth := range n.chain.Truth() {
		name := truth.Game + " " + truth.User + " " + truth.Nonce
		o, found := got[name]
		switch {
		case truth.EndSlot < from:
			if found {
				t.Errorf("game %s ended in slot %d, before auditing began in %d, and has a verdict", name, truth.EndSlot, from)
			}
		case truth.StartSlot < from:
			if !found || o.Verdict.String() != "inconclusive" {
				t.Errorf("game %s began before auditing did: %v %s, want inconclusive", name, found, o.Verdict)
			}
		default:
			if !found || o.Verdict.String() != truth.Verdict {
				t.Errorf("game %s: %v %s, want %s", name, found, o.Verdict, truth.Verdict)
			}
		}
	}
	storetest.Consistent(t, w.dsn)
}

func TestWhatTheDatabaseIsBoundTo(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(5, ""))
	n.play(t)
	w := watch(t, n, database(t))
	w.catchUp(t, n)

	w.stop(t)
	profile := watch(t, n, w.dsn, func(c *Config) { c.ProfileHash = "another" })
	if err := profile.wait(t); !errors.Is(err, store.ErrOtherWatch) {
		t.Errorf("another profile: %v, want ErrOtherWatch", err)
	}
	other := quick(5, "")
	other.Seed = 43
	elsewhere := serve(t, other)
	elsewhere.play(t)
	if err := watch(t, elsewhere, w.dsn).wait(t); !errors.Is(err, store.ErrOtherWatch) {
		t.Errorf("another chain: %v, want ErrOtherWatch", err)
	}
	wrong := watch(t, n, database(t), func(c *Config) { c.Program[0] ^= 1 })
	if err := wrong.wait(t); !errors.Is(err, ErrNoProgram) {
		t.Errorf("an address without a program: %v, want ErrNoProgram", err)
	}
}

func TestEveryEndOfASubscriptionIsAGap(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(60, ""))
	w := watch(t, n, database(t))
	n.play(t)
	w.until(t, "subscribed", func(s Status) bool { return s.Connection.Up })
	for range 3 {
		was := w.Stream.State().Reconnects
		n.chain.DropSockets()
		w.until(t, "reconnected", func(s Status) bool { return s.Connection.Reconnects > was })
	}
	w.catchUp(t, n)
	w.until(t, "all gaps are filled", func(s Status) bool { return s.OpenGaps == 0 })
	if got := gaps(t, w.dsn, "closed"); got != 3 {
		t.Errorf("%d gaps on record, want one for each of 3 cut sockets", got)
	}
	w.stop(t)
	if got := gaps(t, w.dsn, "not_running"); got != 1 {
		t.Errorf("%d gaps on record for the stop, want 1", got)
	}
	agree(t, n, w.dsn)
}
