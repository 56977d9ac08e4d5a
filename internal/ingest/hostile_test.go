package ingest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
)

// number asks the record for one number.
func number(t *testing.T, dsn, query string, args ...any) (n int) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if err := conn.QueryRow(context.Background(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Whatever attackers write into logs: no forged event is taken, no real one is
// lost, and what a cut log hides is said to be hidden.
func TestHostileLogsChangeNoVerdict(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*node){
		"live":    func(*node) {},
		"history": func(n *node) { n.chain.Faults.Withhold(1) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := quick(200, "all")
			cfg.Hostile, cfg.TruncateEvery = true, 8
			n := serve(t, cfg)
			change(n)
			w := watch(t, n, database(t))
			n.play(t)
			w.catchUp(t, n)
			agree(t, n, w.dsn)

			real := 0
			for _, truth := range n.chain.Truth() {
				switch {
				case truth.Truncated == "start_lost", truth.Truncated == "end_lost":
					real++
				case truth.Cheat == "twin-events", truth.Cheat == "double-settlement", truth.Cheat == "settled-and-voided":
					real += 3
				default:
					real += 2
				}
			}
			if got := number(t, w.dsn, `select count(*) from audit.event`); got != real {
				t.Errorf("%d events are on record, the program has published %d where they can be read", got, real)
			}
			if got := number(t, w.dsn, `select count(*) from audit.tx where log_state = 3`); got != 0 {
				t.Errorf("%d logs could not be attributed; all of them add up", got)
			}
		})
	}
}

// Each kind of attack has to be there for the test above to show anything.
func TestAHostileChainIsHostile(t *testing.T) {
	t.Parallel()
	cfg := quick(200, "")
	cfg.Hostile = true
	n := serve(t, cfg)
	w := watch(t, n, database(t))
	n.play(t)
	w.catchUp(t, n)
	twins := 0
	for _, truth := range n.chain.Truth() {
		if truth.Cheat == "twin-events" {
			twins++
		}
	}
	if twins < 3 {
		t.Errorf("%d games were ended twice in one transaction", twins)
	}
	if got := number(t, w.dsn, `select count(*) from audit.tx where log_state = 1`); got < 10 {
		t.Errorf("%d logs were cut by attackers", got)
	}
	if got := number(t, w.dsn, `select count(*) from audit.tx where failed`); got < 10 {
		t.Errorf("%d transactions failed", got)
	}
	// Some were running when an attacker named them, and were judged later all the same.
	if got := number(t, w.dsn, `select count(*) from audit.verdict v join audit.game g on g.id = v.game
		where v.verdict = 3 and v.kind = 2 and v.seq < g.seq and g.verdict = 1`); got == 0 {
		t.Log("no running game was named by an attacker in time")
	}
}

// An open game whose end may lie in a log that was cut is not left open for
// ever. It is said why, it is counted, and a reader of the record sees it.
func TestAHiddenEndIsInconclusive(t *testing.T) {
	t.Parallel()
	cfg := quick(120, "")
	cfg.TruncateEvery = 4
	n := serve(t, cfg)
	w := watch(t, n, database(t))
	n.play(t)
	w.catchUp(t, n)
	agree(t, n, w.dsn)
	hidden := 0
	for _, truth := range n.chain.Truth() {
		if truth.Truncated == "end_lost" {
			hidden++
		}
	}
	for what, query := range map[string]string{
		"games are shown as hidden and finalized": `select count(*) from audit_api.v1_games where status = 'hidden' and verdict = 'inconclusive' and finalized`,
		"have the reason":                         `select count(*) from audit_api.v1_checks where check_name = 'lifecycle' and reason = 'log_truncated' and observed like 'the end may lie in slot%'`,
		"are counted":                             `select coalesce(sum(n), 0) from audit.rollup where kind = 2 and verdict = 3`,
	} {
		if got := number(t, w.dsn, query); got != hidden || hidden == 0 {
			t.Errorf("%d %s, want %d", got, what, hidden)
		}
	}
	if got := number(t, w.dsn, `select count(*) from audit_api.v1_games where status = 'open'`); got != 0 {
		t.Errorf("%d games are shown as open", got)
	}
}

// The stream may tell of a transaction that a fork took away, when the record
// has gone by its slot already.
func TestLateNewsOfAForkIsNotBelieved(t *testing.T) {
	t.Parallel()
	cfg := quick(250, "")
	cfg.Rate = 75
	n := serve(t, cfg)
	w := watch(t, n, database(t))
	n.play(t)
	w.until(t, "it follows", func(s Status) bool { return s.State == "following" })
	n.chain.Faults.Delay(40) // four times as late as finality
	if err := n.chain.Faults.DropStarts(5); err != nil {
		t.Fatal(err)
	}
	w.catchUp(t, n)
	slot := n.chain.Slot() + 80
	eventually(t, "all news has been told", func() bool { return n.chain.Slot() > slot })
	w.until(t, "and is resolved", func(Status) bool { return len(w.late.names()) == 0 })
	agree(t, n, w.dsn)
	if got := number(t, w.dsn, `select count(*) from audit.game where starts > 0 and ends = 0`); got != 0 {
		t.Errorf("%d games are on record that a fork took away", got)
	}
}
