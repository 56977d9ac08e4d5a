//go:build e2e

package e2e

import (
	"context"
	"maps"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Totals are the truth of one program in numbers, by verdict, by when of a void and by failed check.
type Totals struct {
	Verdicts, Voids, Failed map[string]int64
	Truncated               int
}

// Total counts the games that have ended. Which checks fail beyond those that must is the record's to
// say: it is held against itself there.
func Total(ledger *Ledger, record *Record) Totals {
	t := Totals{map[string]int64{}, map[string]int64{}, map[string]int64{}, ledger.Truncated()}
	for _, g := range ledger.Games() {
		if g.End() == nil {
			continue
		}
		t.Verdicts[g.Verdict]++
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
		return s.OpenGaps == 0 && s.Unverifiable == want.Truncated &&
			sameCounts(s.Games, want.Verdicts) && sameCounts(s.Voids, want.Voids)
	})
	if err != nil {
		t.Errorf("want %+v: %v", want, err)
	}
}

// CompareMetrics holds the counters for Prometheus against the truth. They count from the daemon's
// start, so it has to be the one that recorded all games.
func CompareMetrics(ctx context.Context, t *testing.T, d *Daemon, want Totals) {
	t.Helper()
	for name, want := range map[string]map[string]int64{
		"minesaudit_games_total":         want.Verdicts,
		"minesaudit_voids_total":         want.Voids,
		"minesaudit_failed_checks_total": want.Failed,
	} {
		got, err := d.Metric(ctx, name)
		if err != nil {
			t.Error(err)
		} else if !sameCounts(got, want) {
			t.Errorf("%s: daemon %s counts %v, want %v", name, d.name, got, want)
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
		"ended":                 sum(want.Verdicts),
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
