//go:build e2e

package e2e

import (
	"context"
	"maps"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/verify"
)

// Totals are the truth of one program in numbers, by verdict, by when of a void and by failed check.
type Totals struct {
	Verdicts, Voids, Failed map[string]int64
	Unreadable              int
	Hidden                  int64 // games whose end may be in a truncated log
	Restless                int64 // games that started or ended more than once
}

// Total counts the games that are over. Which checks fail beyond those that must is the record's to
// say: it is held against itself there.
func Total(ledger *Ledger, record *Record) Totals {
	t := Totals{Verdicts: map[string]int64{}, Voids: map[string]int64{}, Failed: map[string]int64{}, Unreadable: ledger.Unreadable()}
	for _, g := range ledger.Games() {
		if !g.Over() {
			continue
		}
		if g.End() == nil {
			t.Hidden++
		}
		t.Verdicts[g.Verdict]++
		if len(g.Starts) > 1 || len(g.Ends) > 1 {
			t.Restless++
		}
		if g.VoidWhen != "" {
			t.Voids[g.VoidWhen]++
		}
		for check, c := range record.checks[g.key()] {
			if c.result == "fail" {
				t.Failed[check]++
			}
		}
	}
	return t
}

// CompareStatus holds GET /status against the truth.
func CompareStatus(ctx context.Context, t *testing.T, d *Daemon, want Totals) {
	t.Helper()
	err := d.Await(ctx, "its status is the truth", 20*time.Second, func(s Status) bool {
		return s.OpenGaps == 0 && s.Unverifiable == want.Unreadable &&
			sameCounts(s.Games, want.Verdicts) && sameCounts(s.Voids, want.Voids)
	})
	if err != nil {
		t.Errorf("want %+v: %v", want, err)
	}
}

// CompareMetrics holds the counters for Prometheus against the truth. They count from the daemon's
// start, so it has to be the one that recorded all games. They only rise: where the frontier lay between
// two ends of a game, it stays counted as what it was after the first one too.
func CompareMetrics(ctx context.Context, t *testing.T, d *Daemon, want Totals) {
	t.Helper()
	for name, c := range map[string]struct {
		want   map[string]int64
		excess int64 // at most, over all labels
	}{
		"minesaudit_games_total":         {want.Verdicts, want.Restless},
		"minesaudit_voids_total":         {want.Voids, want.Restless},
		"minesaudit_failed_checks_total": {want.Failed, want.Restless * verify.NumChecks},
	} {
		got, err := d.Metric(ctx, name)
		if err != nil {
			t.Error(err)
			continue
		}
		excess := sum(got) - sum(c.want)
		for label, n := range c.want {
			if got[label] < n {
				excess = -1
			}
		}
		if excess < 0 || excess > c.excess {
			t.Errorf("%s: daemon %s counts %v, want %v and at most %d more", name, d.name, got, c.want, c.excess)
		}
	}
}

// CompareRates holds the hourly views, summed over their hours, against the truth.
func CompareRates(ctx context.Context, t *testing.T, url string, want Totals) {
	t.Helper()
	db, err := connect(ctx, url)
	if err != nil {
		t.Error(err)
		return
	}
	defer db.Close(ctx)
	compareSums(ctx, t, db, "audit_api.v1_mismatch_rate_hourly", map[string]int64{
		"passed": want.Verdicts["pass"], "failed": want.Verdicts["fail"], "inconclusive": want.Verdicts["inconclusive"],
	})
	compareSums(ctx, t, db, "audit_api.v1_void_rate_hourly", map[string]int64{
		"ended":                 sum(want.Verdicts) - want.Hidden,
		"voided":                sum(want.Voids),
		"voided_before_timeout": want.Voids["before_timeout"],
		"voided_after_timeout":  want.Voids["after_timeout"],
		"voided_when_unknown":   want.Voids["unknown"],
	})
}

func compareSums(ctx context.Context, t *testing.T, db *pgx.Conn, view string, want map[string]int64) {
	t.Helper()
	for column, n := range want {
		sql := "select coalesce(sum(" + column + "), 0)::text from " + view
		err := scan(ctx, db, sql, func(v []string) error {
			if v[0] != strconv.FormatInt(n, 10) {
				t.Errorf("%s: %s sums to %s, want %d", view, column, v[0], n)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", view, err)
		}
	}
}

// sameCounts takes a label that is missing for one at 0.
func sameCounts(a, b map[string]int64) bool {
	nonzero := func(m map[string]int64) map[string]int64 {
		m = maps.Clone(m)
		maps.DeleteFunc(m, func(_ string, n int64) bool { return n == 0 })
		return m
	}
	return maps.Equal(nonzero(a), nonzero(b))
}

func sum(m map[string]int64) (n int64) {
	for _, v := range m {
		n += v
	}
	return n
}
