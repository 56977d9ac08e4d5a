// Package storetest tells whether two records say the same.
package storetest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// tables are the queries whose answers make up the content of a record: what it
// says, without what depends on the way there (ids, sequence numbers, gaps,
// dropped rows, superseded verdicts).
var tables = []struct{ name, query string }{
	{"tx", `select encode(signature, 'hex'), slot, log_state, failed, encode(err, 'escape') from audit.tx where not dropped order by signature`},
	{"event", `select encode(t.signature, 'hex'), e.source, e.ordinal, e.kind, e.game, encode(e.data, 'hex'), e.paid
		from audit.event e join audit.tx t on t.id = e.tx where not t.dropped order by t.signature, e.source, e.ordinal`},
	{"unverifiable", `select encode(t.signature, 'hex'), u.reason from audit.unverifiable u join audit.tx t on t.id = u.tx where not t.dropped order by 1`},
	{"game", `select encode(g.game, 'hex'), encode(g."user", 'hex'), g.nonce, g.starts, g.ends, encode(s.signature, 'hex'), g.start_slot,
			g.mines_count, g.stake, encode(g.commit_hash, 'hex'), encode(g.slothash, 'hex'), g.house_edge_bps, g.max_payout, g.refund_timeout,
			g.started_at, encode(e.signature, 'hex'), g.end_slot, g.end_kind, encode(g.server_seed, 'hex'), encode(g.end_slothash, 'hex'),
			g.mines_mask, g.revealed_mask, g.bust_tile, g.multiplier, g.payout, g.refund, encode(g.authority, 'hex'), g.verdict, g.results, g.void_when
		from audit.game g left join audit.tx s on s.id = g.start_tx left join audit.tx e on e.id = g.end_tx
		where g.starts + g.ends > 0 order by g.game, g."user", g.nonce`},
	{"verdict", `select g.id, v.slot, v.end_slot, v.verdict, v.results, v.rules, v.kind, v.mines_count, v.revealed, v.lost, v.stake_band, v.void_when
		from audit.game g join audit.verdict v on v.game = g.id and v.seq = g.seq where g.starts + g.ends > 0 order by g.id`},
	{"finding", `select g.id, f.check_no, f.result, f.reason, f.expected, f.observed
		from audit.game g join audit.finding f on f.game = g.id and f.seq = g.seq where g.starts + g.ends > 0 order by g.id, f.check_no`},
	{"rollup", `select hour, kind, verdict, mines_count, revealed, lost, stake_band, void_when, n from audit.rollup where n <> 0 order by 1, 2, 3, 4, 5, 6, 7, 8`},
	{"rollup_check", `select hour, check_no, result, n from audit.rollup_check where n <> 0 order by 1, 2, 3`},
}

// Content writes a record's content as text, a line a row.
func Content(t testing.TB, dsn string) string {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	var b strings.Builder
	for _, table := range tables {
		rows, err := conn.Query(ctx, table.query)
		if err != nil {
			t.Fatalf("read %s: %v", table.name, err)
		}
		for rows.Next() {
			values, err := rows.Values()
			if err != nil {
				t.Fatalf("read %s: %v", table.name, err)
			}
			b.WriteString(table.name)
			for _, v := range values {
				fmt.Fprintf(&b, " %v", v)
			}
			b.WriteByte('\n')
		}
		if err := rows.Err(); err != nil {
			t.Fatalf("read %s: %v", table.name, err)
		}
	}
	return b.String()
}

// Same fails the test where two contents differ, showing the first lines that do.
func Same(t testing.TB, what, want, got string) {
	t.Helper()
	if want == got {
		return
	}
	missing, extra := minus(want, got), minus(got, want)
	t.Errorf("%s: %d lines are missing and %d too many; first:\n- %s\n+ %s", what, len(missing), len(extra), first(missing), first(extra))
}

func minus(a, b string) []string {
	in := make(map[string]int)
	for line := range strings.Lines(b) {
		in[line]++
	}
	var only []string
	for line := range strings.Lines(a) {
		if in[line]--; in[line] < 0 {
			only = append(only, line)
		}
	}
	return only
}

func first(lines []string) string {
	if len(lines) == 0 {
		return "(none)"
	}
	return strings.Join(lines[:min(3, len(lines))], "  ")
}
