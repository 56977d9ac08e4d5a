package ingest

import (
	"math"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// What rules compare with or wait for must be there from the first scrape on,
// at 0, or as NaN where nothing is known yet.
func TestSeriesExistFromTheStart(t *testing.T) {
	reg := prometheus.NewRegistry()
	unreachable, err := store.Open("postgres://nobody@/none?host=/nonexistent")
	if err != nil {
		t.Fatal(err)
	}
	defer unreachable.Close()
	ceiling := 0.02
	d := New(Config{VoidCeiling: &ceiling, Store: unreachable, Stream: rpc.NewStream(rpc.StreamConfig{}), Metrics: NewMetrics(reg)})
	d.RegisterGauges(reg)
	want := `
# HELP minesaudit_verdicts_total Verdicts when they are made, superseding ones too.
# TYPE minesaudit_verdicts_total counter
minesaudit_verdicts_total{verdict="fail"} 0
minesaudit_verdicts_total{verdict="inconclusive"} 0
minesaudit_verdicts_total{verdict="pass"} 0
# HELP minesaudit_voids_total Voided games whose void the frontier has passed, by when it came.
# TYPE minesaudit_voids_total counter
minesaudit_voids_total{when="after_timeout"} 0
minesaudit_voids_total{when="before_timeout"} 0
minesaudit_voids_total{when="unknown"} 0
# HELP minesaudit_void_rate_ceiling_ratio The profile's ceiling for voided among all ended games; NaN where it sets none.
# TYPE minesaudit_void_rate_ceiling_ratio gauge
minesaudit_void_rate_ceiling_ratio 0.02
# HELP minesaudit_node_up 1 while the node answers as it should, 0 from a failed pass of the reconciler to the next good one.
# TYPE minesaudit_node_up gauge
minesaudit_node_up 1
`
	if err := testutil.GatherAndCompare(reg, strings.NewReader(want), "minesaudit_verdicts_total", "minesaudit_voids_total", "minesaudit_void_rate_ceiling_ratio", "minesaudit_node_up"); err != nil {
		t.Error(err)
	}
	if failed := gaugeValue(t, reg, "minesaudit_failed_games"); !math.IsNaN(failed) {
		t.Errorf("failed_games is %v before the database was read", failed)
	}
	if at := gaugeValue(t, reg, "minesaudit_progress_timestamp_seconds"); at < 1.5e9 {
		t.Errorf("progress at %v", at)
	}
}

func gaugeValue(t *testing.T, reg *prometheus.Registry, name string) float64 {
	t.Helper()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatalf("no %s", name)
	return 0
}

// The number of standing mismatches outlives the process.
func TestFailedGamesSurviveARestart(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(60, "wrong-seed"))
	w := watch(t, n, database(t))
	n.play(t)
	w.catchUp(t, n)
	failed := 0.0
	for _, truth := range n.chain.Truth() {
		if truth.Verdict == "fail" {
			failed++
		}
	}
	eventually(t, "the failed games are shown", func() bool { return gaugeValue(t, w.registry, "minesaudit_failed_games") == failed })
	w.stop(t)
	w = watch(t, n, w.dsn)
	eventually(t, "they are shown after a restart", func() bool { return gaugeValue(t, w.registry, "minesaudit_failed_games") == failed })
	if made := testutil.ToFloat64(w.Metrics.verdicts.WithLabelValues("fail")); made != 0 || failed == 0 {
		t.Errorf("%v of %v mismatches were made anew", made, failed)
	}
}
