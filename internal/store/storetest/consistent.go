package storetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
)

// invariants count rows that contradict others. Counts must follow from rows:
// each cell of the rollups is the number of standing verdicts at or below the
// frontier that belong in it, and a game's row repeats its standing verdict.
var invariants = []struct{ what, query string }{
	{"cells that differ from a recount", standing + `,
		recount as (
			select hour, kind, verdict, mines_count, revealed, lost, stake_band, void_when, count(*) as n
			from standing where verdict in (1, 2, 3) group by 1, 2, 3, 4, 5, 6, 7, 8)
		select count(*) from recount c full join (select * from audit.rollup where n <> 0) r
			using (hour, kind, verdict, mines_count, revealed, lost, stake_band, void_when) where c.n is distinct from r.n`},
	{"cells of checks that differ from a recount", standing + `,
		recount as (
			select hour, c.no::smallint as check_no, ((results >> (2 * c.no)) & 3)::smallint as result, count(*) as n
			from standing cross join generate_series(0, 14) as c(no)
			where verdict in (2, 3) and (results >> (2 * c.no)) & 3 in (2, 3) group by 1, 2, 3)
		select count(*) from recount c full join (select * from audit.rollup_check where n <> 0) r
			using (hour, check_no, result) where c.n is distinct from r.n`},
	{"totals that differ from a recount", standing + `,
		recount as (select kind, verdict, void_when, count(*) as n from standing where verdict in (1, 2, 3) group by 1, 2, 3)
		select count(*) from recount c full join (select * from audit.total where n <> 0) r
			using (kind, verdict, void_when) where c.n is distinct from r.n`},
	{"negative counts", `select (select count(*) from audit.rollup where n < 0) + (select count(*) from audit.rollup_check where n < 0)
		+ (select count(*) from audit.total where n < 0)`},
	// What has been withdrawn is pending again to readers.
	{"games whose row differs from their standing verdict", `select count(*) from audit.game g join audit.verdict v on v.game = g.id and v.seq = g.seq
		where g.ends > 0 and case v.verdict when 4 then g.verdict <> 0 else (g.verdict, g.results) is distinct from (v.verdict, v.results) end`},
	{"games with a verdict above the one that stands", `select count(*) from audit.game g join audit.verdict v on v.game = g.id and v.seq > g.seq`},
	{"findings of no verdict", `select count(*) from audit.finding f where not exists (select from audit.verdict where game = f.game and seq = f.seq)`},
	{"checks that did not pass and have no finding, or the other way round", `select count(*) from
			(select v.game, v.seq, c.no as check_no, (v.results >> (2 * c.no)) & 3 as result from audit.verdict v cross join generate_series(0, 14) as c(no)
				where (v.results >> (2 * c.no)) & 3 in (2, 3)) v
		full join audit.finding f using (game, seq, check_no, result) where v.game is null or f.game is null`},
	{"events of no transaction", `select count(*) from audit.event e where not exists (select from audit.tx where id = e.tx)`},
	{"events of failed transactions", `select count(*) from audit.event e join audit.tx t on t.id = e.tx where t.failed`},
	{"unverifiable transactions that are not there", `select count(*) from audit.unverifiable u
		where not exists (select from audit.tx where id = u.tx and not dropped)`},
	{"frontiers that the coverage does not reach", `select count(*) from audit.watch w where w.frontier >= w.audited_from
		and not exists (select from audit.coverage c where c.complete and c.slots @> int8range(w.audited_from, w.frontier + 1))`},
	{"finalized games that are still pending", `select count(*) from audit.game g, audit.watch w
		where g.ends > 0 and g.verdict = 0 and g.end_slot <= w.frontier`},
}

const standing = `with standing as (
	select distinct on (v.game) v.*, coalesce(date_trunc('hour', t.block_time, 'UTC'), '-infinity') as hour
	from audit.watch w join audit.verdict v on v.slot <= w.frontier left join audit.slot_time t on t.slot = v.end_slot
	order by v.game, v.seq desc)`

// Contradictions lists what rows of a record do not go together; nothing where
// all is well.
func Contradictions(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	var found []string
	for _, i := range invariants {
		var n int64
		if err := conn.QueryRow(ctx, i.query).Scan(&n); err != nil {
			return nil, fmt.Errorf("count %s: %w", i.what, err)
		}
		if n != 0 {
			found = append(found, fmt.Sprintf("%d %s", n, i.what))
		}
	}
	return found, nil
}

// Consistent fails the test where counts do not follow from the rows.
func Consistent(t testing.TB, dsn string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	found, err := Contradictions(ctx, conn)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
}
