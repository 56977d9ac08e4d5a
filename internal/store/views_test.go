package store

import (
	"fmt"
	"strings"
	"testing"

	"minesaudit/internal/verify"
)

// SQL writes the names that Go gives to stored numbers.
func TestNamesInViewsAreThoseOfGo(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	names := func(function, kind string, most int) (got []string) {
		t.Helper()
		for _, row := range rows(t, r, fmt.Sprintf(`select audit_api.%s(n::%s) from generate_series(0, %d) n order by n`, function, kind, most)) {
			got = append(got, row[0])
		}
		return got
	}
	same := func(what string, got, want []string) {
		t.Helper()
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: SQL has %q, Go %q", what, got, want)
		}
	}
	var verdicts, results, checks []string
	for v := verify.VerdictPending; v <= verify.VerdictWithdrawn; v++ {
		verdicts = append(verdicts, v.String())
	}
	for v := verify.ResultNA; v <= verify.ResultInconclusive; v++ {
		results = append(results, v.String())
	}
	for c := verify.Check(0); c < verify.NumChecks; c++ {
		checks = append(checks, c.String())
	}
	same("verdicts", names("verdict_name", "smallint", len(verdicts)), append(verdicts, "null"))
	same("results", names("result_name", "integer", len(results)), append(results, "null"))
	same("checks", names("check_name", "integer", len(checks)), append(checks, "null"))
	same("times of voids", names("void_when_name", "smallint", 4), []string{
		"null", verify.BeforeTimeout.String(), verify.AfterTimeout.String(), verify.VoidWhenUnknown.String(), "null",
	})
	// Indexes, rollups and views name these by number.
	for what, is := range map[string]bool{
		"pending": verify.VerdictPending == 0, "pass": verify.VerdictPass == 1, "fail": verify.VerdictFail == 2, "inconclusive": verify.VerdictInconclusive == 3,
		"result fail": verify.ResultFail == 2, "result inconclusive": verify.ResultInconclusive == 3, "settled": verify.EndSettled == 0, "voided": verify.EndVoided == 1,
		"before": verify.BeforeTimeout == 1, "after": verify.AfterTimeout == 2, "unknown": verify.VoidWhenUnknown == 3, "checks": verify.NumChecks == 15,
	} {
		if !is {
			t.Errorf("the number of %s is another in SQL", what)
		}
	}
}

func TestEveryViewAndColumnHasAComment(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	n := 0
	for _, row := range rows(t, r, `select c.relname || coalesce('.' || a.attname, ''), d.description
		from pg_class c join pg_namespace n on n.oid = c.relnamespace
		cross join lateral (select 0 as attnum, null::name as attname union all
			select attnum, attname from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) a
		left join pg_description d on d.objoid = c.oid and d.classoid = 'pg_class'::regclass and d.objsubid = a.attnum
		where n.nspname = 'audit_api' and c.relkind = 'v'`) {
		n++
		if len(row[1]) < 10 || row[1] == "null" {
			t.Errorf("%s has the comment %q", row[0], row[1])
		}
	}
	if n < 60 {
		t.Errorf("only %d views and columns were found", n)
	}
}

// knownGames makes a record of three hours of games; the third has no time.
func knownGames(t *testing.T, r *record) {
	t.Helper()
	b := &Batch{
		Times:   []SlotTime{at(1, "2026-01-01T10:00:00Z"), at(2, "2026-01-01T10:59:59Z"), at(3, "2026-01-01T11:00:00Z"), at(4, "")},
		Advance: &Advance{Was: 0, Becomes: 9, Head: 12},
	}
	n := 0
	add := func(slot uint64, v verify.Verdict, when verify.VoidWhen) {
		n++
		g, made := settled(key(n), slot, v)
		if when != verify.NotVoid {
			g, made = voided(key(n), slot, when)
			made.Verdict = v
			g.Standing.Verdict = v
		}
		b.Games, b.Verdicts = append(b.Games, g), append(b.Verdicts, made)
		b.New = append(b.New, r.tx(t, n, slot, key(n)))
	}
	for range 5 {
		add(1, verify.VerdictPass, verify.NotVoid)
	}
	add(2, verify.VerdictFail, verify.NotVoid)
	add(2, verify.VerdictInconclusive, verify.NotVoid)
	add(2, verify.VerdictPass, verify.BeforeTimeout)
	add(2, verify.VerdictPass, verify.AfterTimeout)
	add(2, verify.VerdictInconclusive, verify.VoidWhenUnknown)
	add(3, verify.VerdictInconclusive, verify.NotVoid)
	add(4, verify.VerdictFail, verify.BeforeTimeout)
	add(50, verify.VerdictFail, verify.NotVoid) // above the frontier
	// A start that has not ended, and a row that a fork left empty.
	b.Games = append(b.Games,
		Game{ID: NewGameID(key(98)), Key: key(98), Starts: 1, Start: &verify.Start{StartedAt: 1_767_225_600}, Standing: Verdict{Seq: -1}},
		Game{ID: NewGameID(key(99)), Key: key(99), Standing: Verdict{Seq: -1}})
	r.commit(t, b)
	r.consistent(t)
}

func TestHourlyViews(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	r.exec(t, `update audit.watch set void_ceiling = 0.25`)
	knownGames(t, r)
	const hour = `coalesce(to_char(hour at time zone 'UTC', 'HH24'), 'none')`
	table := func(query string) string {
		t.Helper()
		var all []string
		for _, row := range rows(t, r, query) {
			all = append(all, strings.Join(row, " "))
		}
		return strings.Join(all, "\n")
	}
	got := table(`select ` + hour + `, ended::text, voided::text, voided_before_timeout::text, voided_after_timeout::text, voided_when_unknown::text,
		round(void_ratio, 4)::text, ceiling::text, audited_from::text, frontier::text from audit_api.v1_void_rate_hourly order by hour nulls last`)
	want := "10 10 3 1 1 1 0.3000 0.25 1 9\n11 1 0 0 0 0 0.0000 0.25 1 9\nnone 1 1 1 0 0 1.0000 0.25 1 9"
	if got != want {
		t.Errorf("v1_void_rate_hourly:\n%s\nwant\n%s", got, want)
	}
	got = table(`select ` + hour + `, ended::text, passed::text, failed::text, inconclusive::text, round(mismatch_ratio, 4)::text
		from audit_api.v1_mismatch_rate_hourly order by hour nulls last`)
	want = "10 10 7 1 2 0.1250\n11 1 0 0 1 null\nnone 1 0 1 0 1.0000"
	if got != want {
		t.Errorf("v1_mismatch_rate_hourly:\n%s\nwant\n%s", got, want)
	}
	totals, err := r.Totals(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	if g := totals.Games; g[verify.VerdictPass] != 7 || g[verify.VerdictFail] != 2 || g[verify.VerdictInconclusive] != 3 {
		t.Errorf("totals by verdict: %v", g)
	}
	if v := totals.Voids; v[verify.BeforeTimeout] != 2 || v[verify.AfterTimeout] != 1 || v[verify.VoidWhenUnknown] != 1 {
		t.Errorf("totals of voids: %v", v)
	}
	c, err := r.Confirmed(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(c) != 1 || c[verify.VerdictFail] != 1 {
		t.Errorf("confirmed above the frontier: %v", c)
	}
	got = table(`select audited_from::text, frontier::text, (frontier_time at time zone 'UTC')::text, head::text, lag_slots::text, started::text, open_gaps::text from audit_api.v1_coverage`)
	if want := "1 9 2026-01-01 11:00:00 12 3 true 0"; got != want {
		t.Errorf("v1_coverage: %s, want %s", got, want)
	}
}

func TestGameViews(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	knownGames(t, r)
	got := map[string]string{}
	for _, row := range rows(t, r, `select coalesce(end_slot, 0) || ' ' || status || ' ' || coalesce(void_when, '-') || ' ' || coalesce(verdict, 'null') || ' ' || finalized, count(*)::text
		from audit_api.v1_games group by 1`) {
		got[row[0]] = row[1]
	}
	want := map[string]string{
		"1 settled - pass true": "5", "2 settled - fail true": "1", "2 settled - inconclusive true": "1", "2 voided before_timeout pass true": "1",
		"2 voided after_timeout pass true": "1", "2 voided unknown inconclusive true": "1", "3 settled - inconclusive true": "1",
		"4 voided before_timeout fail true": "1", "50 settled - fail false": "1", "0 open - null false": "1",
	}
	for what, n := range want {
		if got[what] != n {
			t.Errorf("%s games are %q, want %s", got[what], what, n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("v1_games has %v", got)
	}
	if n := scan[string](t, r, `select min(n) || ' ' || max(n) || ' ' || count(*) from (select count(*) as n from audit_api.v1_checks group by game, "user", nonce) c`); n != "15 15 13" {
		t.Errorf("checks a game, at least and at most, and games: %s; want 15 15 13", n)
	}
	if started := scan[string](t, r, `select (started_at at time zone 'UTC')::text from audit_api.v1_games where status = 'open'`); started != "2026-01-01 00:00:00" {
		t.Errorf("the open game started at %s", started)
	}
	if n := scan[string](t, r, `select string_agg(distinct check_name, ' ') from audit_api.v1_checks where result = 'fail'`); n != verify.CheckBoard.String() {
		t.Errorf("failed checks: %s", n)
	}
	n := 0
	err := r.EachOutcome(bounded(t), func(o Outcome) {
		n++
		if o.Finalized != (o.Nonce != "13") {
			t.Errorf("outcome of nonce %s: finalized is %v", o.Nonce, o.Finalized)
		}
	})
	if err != nil || n != 13 {
		t.Errorf("%d outcomes, %v; want 13", n, err)
	}
}
