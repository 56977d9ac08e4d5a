package store

import (
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"minesaudit/internal/verify"
)

// grow fills a record with n games; the planner asks for no more than rows.
func (r *record) grow(t *testing.T, n int) {
	t.Helper()
	const id = `substr(encode(sha256(i::text::bytea), 'hex'), 1, 32)::uuid`
	for _, statement := range []string{
		`insert into audit.tx select i, sha256(('a' || i)::bytea) || sha256(('b' || i)::bytea), i, 0, false, false, null from generate_series(1, 2 * $1::int) i`,
		`insert into audit.event select 2 * i - e, 0, 0, 2 - e, ` + id + `, sha256('d') from generate_series(1, $1::int) i, generate_series(0, 1) e`,
		`insert into audit.slot_time select i, to_timestamp(1700000000 + i) from generate_series(1, 2 * $1::int) i`,
		`insert into audit.unverifiable select i, 'truncated', array(select sha256((j || 'x' || i)::bytea) from generate_series(1, 8) j) from generate_series(1, 2 * $1::int, 5) i`,
		`insert into audit.game (id, game, "user", nonce, starts, ends, start_tx, end_tx, end_slot, end_kind, seq, verdict, results, void_when)
			select ` + id + `, sha256(i::text::bytea), sha256((i % 100)::text::bytea), i, 1, 1, 2 * i - 1, 2 * i, 2 * i, 0, 0,
				case when i % 500 = 0 then 2 else 1 end, case when i % 500 = 0 then 2 else 1 end, 0 from generate_series(1, $1::int) i`,
		`insert into audit.verdict select id, 0, end_slot, end_slot, verdict, results, 1, 0, 3, 2, false, 9, 0 from audit.game where $1::int > 0`,
		`insert into audit.finding select id, 0, 0, 2, 'mismatch', 'x', 'y' from audit.game where verdict = 2 and $1::int > 0`,
		`update audit.watch set frontier = 2 * $1::int`,
		`select setval('audit.tx_id', 10000001) where $1::int >= 0`, // above the rows made here
	} {
		r.exec(t, statement, n)
	}
	r.exec(t, `analyze`)
}

// plans collects what auto_explain tells of each statement of a session.
type plans struct {
	mu  sync.Mutex
	all []string
}

func (p *plans) hear(_ *pgconn.PgConn, n *pgconn.Notice) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, n.Message)
}

func (p *plans) take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.all
	p.all = nil
	return all
}

// explained makes a store of which each statement's plan is heard.
func explained(t *testing.T, dsn string, heard *plans) *Store {
	t.Helper()
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	cfg.ConnConfig.OnNotice = heard.hear
	for setting, value := range map[string]string{
		"session_preload_libraries": "auto_explain", "auto_explain.log_min_duration": "0",
		"auto_explain.log_nested_statements": "on", "client_min_messages": "log",
	} {
		cfg.ConnConfig.RuntimeParams[setting] = value
	}
	pool, err := pgxpool.NewWithConfig(bounded(t), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return &Store{pool: pool}
}

// What the daemon does at every turn reads nothing that grows from end to end:
// not while it is young, when plans are made that stay, nor with many keys.
func TestNothingIsReadFromEndToEnd(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 100, 800, 5000} {
		r := fresh(t)
		r.grow(t, n)
		hangUp(r.w.conn)
		heard := &plans{}
		r.Store = explained(t, r.dsn, heard)
		w, err := r.OpenWriter(bounded(t))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { hangUp(w.conn) })
		r.w = w
		frontier := w.Frontier()

		var (
			signatures [][64]byte
			ids        []GameID
			addresses  [][32]byte
			slots      []uint64
			txs        []int64
		)
		for i := range 2000 {
			signatures, ids, addresses = append(signatures, signature(i)), append(ids, NewGameID(key(i))), append(addresses, key(i).Game)
			slots, txs = append(slots, uint64(i)), append(txs, int64(i))
		}
		late, lateVerdict := settled(key(1), 1, verify.VerdictFail)
		next, nextVerdict := settled(key(2), uint64(frontier)+1, verify.VerdictPass)
		cut := r.tx(t, 1, uint64(frontier)+1, key(1))
		cut.Problem, cut.Accounts = "truncated", addresses[:20]
		again := r.tx(t, 2, uint64(frontier)+1, key(2))
		for what, run := range map[string]func() error{
			"known":       func() error { _, err := w.Known(bounded(t), signatures); return err },
			"between":     func() error { _, err := w.Between(bounded(t), frontier-10, frontier); return err },
			"games":       func() error { _, err := w.Games(bounded(t), ids); return err },
			"games of":    func() error { _, err := w.GamesOf(bounded(t), txs); return err },
			"undecided":   func() error { _, err := w.Undecided(bounded(t), frontier-10, frontier); return err },
			"block times": func() error { _, err := w.BlockTimes(bounded(t), slots); return err },
			"truncations": func() error { _, err := w.Truncations(bounded(t), addresses); return err },
			"commit": func() error {
				_, err := w.Commit(bounded(t), r.knowing(t, &Batch{
					New: []Tx{cut}, Replaced: []Tx{again}, Dropped: txs, Games: []Game{late, next}, Verdicts: []Verdict{lateVerdict, nextVerdict},
					Times: []SlotTime{at(uint64(frontier)+1, "2026-01-01T10:00:00Z")}, Advance: &Advance{Was: frontier, Becomes: frontier + 2},
				}))
				return err
			},
			// Seldom, and for a person: few rows may be read as they lie.
			"totals": func() error {
				if n == 0 {
					return nil
				}
				_, err := r.Totals(bounded(t))
				return err
			},
		} {
			heard.take()
			if err := run(); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			all := heard.take()
			if len(all) == 0 && (n > 0 || what != "totals") {
				t.Errorf("%s: no plan was heard of", what)
			}
			for _, plan := range all {
				if strings.Contains(plan, "Query Text: select (select count(*) from audit.gap") {
					continue // counts all of them, by an index where it is fresh
				}
				if found := endToEnd(plan); found != "" && (n > 0 || !strings.Contains(found, "Index Scan")) {
					t.Errorf("%d games, %s: %s in\n%s", n, what, found, plan)
				}
			}
		}
	}
}

var (
	grows    = regexp.MustCompile(`Scan (using \w+ )?on (tx|event|game|verdict|slot_time|unverifiable|finding)\b`)
	few      = regexp.MustCompile(`using (game_open|unverifiable_pkey) on`) // what is open, or could not be read
	upToOnly = regexp.MustCompile(`Index Cond: \(slot <=? [^()]*\)`)
)

// endToEnd gives the line of a plan by which a table that grows is read from end to end:
// without an index, without a condition on one, or in all slots up to one.
func endToEnd(plan string) string {
	lines := append(strings.Split(plan, "\n"), "")
	for i, line := range lines {
		switch {
		case upToOnly.MatchString(line):
			return line
		case !grows.MatchString(line) || few.MatchString(line) || strings.Contains(line, "Bitmap Heap Scan"): // of that the index scan tells
		case strings.Contains(line, "Seq Scan"), !strings.Contains(lines[i+1], "Index Cond"):
			return line
		}
	}
	return ""
}

func plan(t *testing.T, r *record, query string) string {
	t.Helper()
	var all []string
	for _, row := range rows(t, r, `explain (costs off) `+query) {
		all = append(all, row[0])
	}
	return strings.Join(all, "\n")
}

// Questions about failures are answered from the failures.
func TestFailuresAreFoundByIndex(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	r.grow(t, 20_000)
	for _, c := range []struct{ query, uses, not string }{
		{`select * from audit_api.v1_games where verdict = 'fail' order by end_slot desc limit 20`, "game_failed", "Seq Scan on game|Sort"},
		{`select count(*) from audit_api.v1_games where verdict = 'fail'`, "game_failed", "Seq Scan on game"},
		{`select * from audit_api.v1_checks where result = 'fail'`, "finding", "generate_series"},
		{`select * from audit_api.v1_games limit 20`, "Limit", "Hash|Sort"},
		{`select * from audit_api.v1_checks limit 20`, "Limit", "Sort"},
	} {
		p := plan(t, r, c.query)
		if !strings.Contains(p, c.uses) || regexp.MustCompile(c.not).MatchString(p) {
			t.Errorf("%s should use %s and not %s:\n%s", c.query, c.uses, c.not, p)
		}
	}
	if n := scan[int](t, r, `select count(*)::int from audit_api.v1_games where verdict = 'fail'`); n != 40 {
		t.Errorf("%d failed games, want 40", n)
	}
	if n := scan[int](t, r, `select count(*)::int from audit_api.v1_checks where result = 'fail'`); n != 40 {
		t.Errorf("%d failed checks, want 40", n)
	}
	if n := scan[int](t, r, `select count(*)::int from audit_api.v1_checks`); n != 20_000*verify.NumChecks {
		t.Errorf("%d checks, want 15 of each game", n)
	}
}
