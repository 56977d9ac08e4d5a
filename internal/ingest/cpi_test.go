package ingest

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"minesaudit/internal/store/storetest"
)

// A program that emits by CPI shows nothing in its logs: the stream announces,
// and what happened is asked for. The record is the truth all the same, whatever
// attackers call the program with, and a log that is cut hides nothing.
func TestEventsByCPI(t *testing.T) {
	t.Parallel()
	cfg := quick(150, "all")
	cfg.CPI, cfg.Hostile, cfg.TruncateEvery = true, true, 8
	n := serve(t, cfg)
	w := watch(t, n, database(t))
	n.play(t)
	w.catchUp(t, n)
	agree(t, n, w.dsn)
	want := storetest.Content(t, w.dsn)
	if got := number(t, w.dsn, `select count(*) from audit.event where source <> 2`); got != 0 {
		t.Errorf("%d events are on record as from logs", got)
	}
	if got := number(t, w.dsn, `select count(*) from audit.unverifiable`); got != 0 {
		t.Errorf("%d transactions are unverifiable; their instructions say all", got)
	}
	if got := testutil.ToFloat64(w.Metrics.verdicts.WithLabelValues("inconclusive")); got != 0 {
		t.Errorf("%v inconclusive verdicts were made", got)
	}
	if testutil.ToFloat64(w.Metrics.forged) == 0 {
		t.Error("no forged event was counted")
	}
	for name, disturb := range map[string]func(*node){
		"history alone":               func(n *node) { n.chain.Faults.Withhold(1) },
		"late answers":                func(n *node) { n.chain.Faults.NullFirst(3) },
		"some withheld, some doubled": func(n *node) { n.chain.Faults.Withhold(0.3); n.chain.Faults.Duplicate(0.3) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := serve(t, cfg)
			disturb(n)
			w := watch(t, n, database(t))
			n.play(t)
			w.catchUp(t, n)
			storetest.Same(t, name, want, storetest.Content(t, w.dsn))
			storetest.Consistent(t, w.dsn)
		})
	}
}

func TestForksOfEventsByCPI(t *testing.T) {
	t.Parallel()
	cfg := quick(150, "short-refund,wrong-mask")
	cfg.CPI = true
	n := serve(t, cfg)
	for _, fork := range []error{n.chain.Faults.DropStarts(4), n.chain.Faults.DropEnds(6), n.chain.Faults.RelandStarts(6), n.chain.Faults.RelandEnds(6)} {
		if fork != nil {
			t.Fatal(fork)
		}
	}
	w := watch(t, n, database(t))
	n.play(t)
	w.catchUp(t, n)
	agree(t, n, w.dsn)
}

// What the stream announces is asked for at once, not when it is final.
func TestAnnouncedEventsAreAskedFor(t *testing.T) {
	t.Parallel()
	cfg := quick(60, "")
	cfg.CPI, cfg.FinalitySlots = true, 100_000 // nothing becomes final
	n := serve(t, cfg)
	w := watch(t, n, database(t), func(c *Config) { c.Interval = time.Hour })
	n.play(t)
	w.until(t, "every game is judged, though none is final", func(s Status) bool { return s.Confirmed["pass"] == 60 })
	if got, want := n.calls.of("getTransaction"), number(t, w.dsn, `select count(distinct tx) from audit.event`); got != want {
		t.Errorf("%d transactions were asked for; %d hold events", got, want)
	}
}
