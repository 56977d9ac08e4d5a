package store

import (
	"fmt"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/verify"
)

// CountedCell is a difference to the games counted, summed over the cells
// that metrics do not tell apart.
type CountedCell struct {
	Verdict  verify.Verdict
	Kind     verify.EndKind
	VoidWhen verify.VoidWhen
	N        int64
}

// CountedCheck is a difference to the failed or inconclusive results of a check.
type CountedCheck struct {
	Check  verify.Check
	Result verify.Result
	N      int64
}

// The two ways in which counts change. Each names rows (sign, verdict): the
// standing verdicts as of a frontier, the highest seq that rests on nothing
// above it. Withdrawn and pending ones count nowhere.
//
//   - games got verdicts below the frontier $1: what each counted for before is taken
//     out, what it counts for now, which need not be looked up, put in;
//   - the frontier moves from $1 to $2: each game with a verdict in between is
//     taken out as of $1 and put in as of $2.
//
// A plan stays when the record has outgrown it: slot + 0 keeps games from being looked
// for among all verdicts up to a slot, which is quick while there are few.
const (
	countGames = `with x as materialized (
			select * from unnest($2::uuid[], $3::integer[], $4::bigint[], $5::smallint[], $6::integer[], $7::smallint[], $8::smallint[],
				$9::smallint[], $10::boolean[], $11::smallint[], $12::smallint[]) as x(game, seq, ` + countedBy + `))
		select 1 as sign, ` + countedBy + ` from x
		union all
		select -1, v.* from x cross join lateral (
			select ` + countedBy + ` from audit.verdict where game = x.game and seq < x.seq and slot + 0 <= $1
			order by seq desc limit 1) v where x.seq > 0`
	countPassed = `select case w.past when true then -1 else 1 end as sign, ` + countedBy + `
		from (values (true), (false)) as w(past)
		cross join lateral (
			select distinct on (game) * from audit.verdict
			where game in (select game from audit.verdict where slot > $1::bigint and slot <= $2::bigint)
				and slot + 0 <= case when w.past then $1::bigint else $2::bigint end
			order by game, seq desc) v`

	// countedBy are the columns of a verdict that it is counted by.
	countedBy = `end_slot, verdict, results, kind, mines_count, revealed, lost, stake_band, void_when`

	// planPassed has countPassed planned for the stretch that it is about: few
	// verdicts by key, or all there are at the end of a long history.
	planPassed = `select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_hashjoin', 'on', true)`
)

// queue adds the statement that turns such rows into rollup rows, in the order
// of their keys, and collects the differences.
func (c *Counted) queue(q *pgx.Batch, rows string, args ...any) {
	q.Queue(fmt.Sprintf(countStanding, rows), args...).Query(func(r pgx.Rows) error {
		for r.Next() {
			var (
				cell  CountedCell
				check CountedCheck
				game  bool
			)
			if err := r.Scan(&game, &cell.Verdict, &cell.Kind, &cell.VoidWhen, &check.Check, &check.Result, &cell.N); err != nil {
				return fmt.Errorf("read what was counted: %w", err)
			}
			if check.N = cell.N; game {
				c.Cells = append(c.Cells, cell)
			} else {
				c.Checks = append(c.Checks, check)
			}
		}
		return r.Err()
	})
}

// A slot of which no time is known when a game is counted never gets one: what
// was added to the hour unknown must be found there when it is taken back.
const countStanding = `with standing as (%s),
placed as materialized (
	select v.*, t.slot is null as untimed, coalesce(date_trunc('hour', t.block_time, 'UTC'), '-infinity') as hour
	from standing v left join audit.slot_time t on t.slot = v.end_slot
	where v.verdict in (1, 2, 3)),
timeless as (
	insert into audit.slot_time (slot) select distinct end_slot from placed where untimed on conflict (slot) do nothing),
cells as (
	select hour, kind, verdict, mines_count, revealed, lost, stake_band, void_when, sum(sign) as n
	from placed
	group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(sign) <> 0
	order by 1, 2, 3, 4, 5, 6, 7, 8),
added as (
	insert into audit.rollup as r (hour, kind, verdict, mines_count, revealed, lost, stake_band, void_when, n)
	select * from cells
	on conflict (hour, kind, verdict, mines_count, revealed, lost, stake_band, void_when) do update set n = r.n + excluded.n),
sums as (
	select verdict, kind, void_when, sum(n)::bigint as n from cells group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3),
summed as (
	insert into audit.total as t (verdict, kind, void_when, n) select * from sums
	on conflict (verdict, kind, void_when) do update set n = t.n + excluded.n),
checks as (
	select hour, c.no::smallint as check_no, ((results >> (2 * c.no)) & 3)::smallint as result, sum(n) as n
	from (select hour, results, sum(sign) as n from placed where verdict in (2, 3) group by 1, 2) as alike
	cross join generate_series(0, 14) as c(no)
	where (results >> (2 * c.no)) & 3 in (2, 3)
	group by 1, 2, 3 having sum(n) <> 0
	order by 1, 2, 3),
checked as (
	insert into audit.rollup_check as r (hour, check_no, result, n)
	select * from checks
	on conflict (hour, check_no, result) do update set n = r.n + excluded.n)
select true, verdict, kind, void_when, 0::smallint, 0::smallint, n from sums
union all
select false, 0, 0, 0, check_no, result, sum(n)::bigint from checks group by check_no, result`
