package ingest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"minesaudit/internal/store/storetest"
)

// Old rows go, no count moves, and no pass fetches again what has gone.
func TestOldRowsArePruned(t *testing.T) {
	t.Parallel()
	cfg := quick(1900, "double-settlement,settled-and-voided")
	cfg.Rate = 400
	n := serve(t, cfg)
	w := watch(t, n, database(t))
	n.play(t)
	w.catchUp(t, n)
	w.stop(t)
	before := storetest.Content(t, w.dsn)
	fetched := n.calls.of("getTransaction")
	rows := query(t, w.dsn, `select count(*) from audit.tx`)
	if rows < reread+500 {
		t.Fatalf("only %d transactions: none of them is below what passes read again", rows)
	}

	w = watch(t, n, w.dsn, func(c *Config) { c.KeepSuperseded, c.KeepEventless = time.Nanosecond, time.Millisecond })
	w.until(t, "the first pass is over", func(s Status) bool { return s.AdvancedAt != nil })
	pruned := func(table string) float64 { return testutil.ToFloat64(w.Metrics.prunedRows.WithLabelValues(table)) }
	eventually(t, "rows are pruned", func() bool { return pruned("tx") > 0 })
	if pruned("verdict") == 0 || query(t, w.dsn, `select count(*) from audit.verdict where seq > 0`) == 0 {
		t.Error("no superseded verdict was pruned, or none stands")
	}
	passes := w.Metrics.passesTotal.WithLabelValues("ok")
	was := testutil.ToFloat64(passes)
	eventually(t, "five more passes", func() bool { return testutil.ToFloat64(passes) >= was+5 })
	if got := n.calls.of("getTransaction"); got != fetched {
		t.Errorf("%d transactions were fetched again after pruning", got-fetched)
	}
	w.stop(t)

	if got := query(t, w.dsn, `select count(*) from audit.tx`); got >= rows || got < reread {
		t.Errorf("%d of %d transactions are left; at least the newest %d must be", got, rows, reread)
	}
	storetest.Same(t, "beside transactions", withoutTxs(before), withoutTxs(storetest.Content(t, w.dsn)))
	storetest.Consistent(t, w.dsn)
}

// A role that may not delete goes on auditing.
func TestPruningMayFail(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(30, ""))
	dsn := database(t)
	w := watch(t, n, dsn)
	n.play(t)
	w.until(t, "following", func(s Status) bool { return s.State == "following" })
	w.stop(t)
	exec(t, dsn, `create function audit.keep() returns trigger language plpgsql as 'begin raise exception ''kept''; end';
		create trigger keep before delete on audit.verdict for each statement execute function audit.keep()`)
	var logs *observer.ObservedLogs
	w = watch(t, n, dsn, func(c *Config) { c.KeepSuperseded, logs = time.Nanosecond, observed(c) })
	w.catchUp(t, n)
	agree(t, n, dsn)
	w.stop(t)
	if got := count(messages(logs, zapcore.WarnLevel), "old rows were not pruned; trying again in an hour"); got != 1 {
		t.Errorf("the failure is told %d times", got)
	}
}

func withoutTxs(content string) string {
	var b strings.Builder
	for line := range strings.Lines(content) {
		if !strings.HasPrefix(line, "tx ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// query reads one number.
func query(t *testing.T, dsn, sql string) (n int) {
	t.Helper()
	conn := connect(t, dsn)
	if err := conn.QueryRow(context.Background(), sql).Scan(&n); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}

func exec(t *testing.T, dsn, sql string) {
	t.Helper()
	if _, err := connect(t, dsn).Exec(context.Background(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}
