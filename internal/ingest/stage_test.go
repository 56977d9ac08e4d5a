package ingest

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

// Much that is stored above the frontier is gone through in stages, each of which
// moves the frontier: a daemon that is stopped after each of them comes through.
func TestALongWayIsGoneInStages(t *testing.T) {
	t.Parallel()
	const stage = 150
	n := serve(t, quick(300, "all"))
	first := watch(t, n, database(t), func(c *Config) { c.Interval = time.Hour })
	first.until(t, "its only pass is over", func(s Status) bool { return s.ReconciledAt != nil })
	n.play(t)
	<-n.chain.Done()
	first.until(t, "every game is judged before it is final", func(s Status) bool {
		return s.Confirmed["pass"]+s.Confirmed["fail"] >= 300
	})
	first.stop(t)
	if got := number(t, first.dsn, `select count(*) from audit.tx t, audit.watch w where t.slot > w.frontier`); got < 3*stage {
		t.Fatalf("only %d transactions are above the frontier", got)
	}
	passes := 0
	for from := first.state.frontier(); ; passes++ {
		w := watch(t, n, first.dsn, func(c *Config) { c.Stage = stage })
		w.until(t, "a stage is done", func(s Status) bool { return s.FrontierSlot != nil && *s.FrontierSlot > from })
		w.stop(t)
		if from = w.state.frontier(); testutil.ToFloat64(w.Metrics.passesTotal.WithLabelValues("error")) > 0 {
			t.Fatal("a pass failed")
		}
		if number(t, first.dsn, `select count(*) from audit.tx t, audit.watch w where t.slot > w.frontier`) == 0 {
			break
		}
	}
	if passes < 2 {
		t.Errorf("all was done in %d daemons, want one a stage", passes+1)
	}
	w := watch(t, n, first.dsn)
	w.catchUp(t, n)
	agree(t, n, first.dsn)
}
