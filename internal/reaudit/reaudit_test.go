package reaudit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
	"minesaudit/internal/store/storetest"
	"minesaudit/internal/verify"
)

func TestAnHonestRecordStands(t *testing.T) {
	t.Parallel()
	r := play(t, simchain.Config{Games: 200, TruncateEvery: 9}, "all")
	before := storetest.Content(t, r.dsn)
	games := scan[int64](t, r, `select count(*) from audit.game`)
	events := scan[int64](t, r, `select count(*) from audit.event where game is not null`)
	for _, readers := range []int{1, 3} {
		got := r.again(t, func(o *Options) { o.Readers = readers })
		if got.Different() || got.games != games || got.same != games || got.events != events || got.Superseded != 0 {
			t.Errorf("%d readers: %+v; want %d games with %d events to be the same", readers, got, games, events)
		}
	}
	quick := r.again(t, func(o *Options) { o.Quick = true })
	if quick.Different() || quick.games != games || quick.same != games || quick.events != events {
		t.Errorf("quick: %+v; want %d games with %d events to be the same", quick, games, events)
	}
	storetest.Same(t, "re-audited", before, storetest.Content(t, r.dsn))
	storetest.Consistent(t, r.dsn)
	if n := scan[int](t, r, `select count(*)::int from audit.altered`); n != 0 {
		t.Errorf("%d games are noted as altered", n)
	}
}

// Other rules give other verdicts, which supersede, and counts follow; back to the
// first rules everything is as it was.
func TestOtherRulesSupersede(t *testing.T) {
	t.Parallel()
	r := play(t, simchain.Config{Games: 120}, "wrong-payout,wrong-mask")
	before := storetest.Content(t, r.dsn)
	rules := verify.DefaultRules()
	rules.LostMultiplier = verify.LostAtBust
	strict := func(o *Options) { o.Standard.Rules = rules }

	dry := r.again(t, strict, func(o *Options) { o.Other, o.Write = true, false })
	storetest.Same(t, "a dry run", before, storetest.Content(t, r.dsn))
	if dry.Changes() == 0 || dry.tally.altered != 0 || int64(len(dry.Changed)) != dry.Changes() {
		t.Fatalf("dry: %+v, want changes", dry)
	}
	for _, c := range dry.Changed {
		if len(c.Checks) == 0 || c.Checks[0].Check != verify.CheckMultiplier || c.Checks[0].Now != verify.ResultFail || c.Checks[0].Finding.Expected == "" {
			t.Fatalf("%+v; want the multiplier to fail, with what was expected", c)
		}
	}

	if quick := r.again(t, strict, func(o *Options) { o.Quick, o.Write = true, false }); quick.Changes() != dry.Changes() || quick.games != dry.games {
		t.Errorf("quick: %d of %d games changed, want %d of %d", quick.Changes(), quick.games, dry.Changes(), dry.games)
	}
	got := r.again(t, strict)
	if got.Changes() != dry.Changes() || got.Superseded != dry.Changes() {
		t.Errorf("%d changed, %d superseded, want %d of each", got.Changes(), got.Superseded, dry.Changes())
	}
	storetest.Consistent(t, r.dsn)
	if n := scan[int64](t, r, `select count(*) from audit.verdict where seq = 1 and verdict = 2`); n < got.turns[turn{verify.VerdictPass, verify.VerdictFail}] || n == 0 {
		t.Errorf("%d verdicts fail now", n)
	}
	if again := r.again(t, strict); again.Different() {
		t.Errorf("the second time: %+v", again)
	}
	if back := r.again(t); back.Superseded != dry.Changes() {
		t.Errorf("%d superseded on the way back, want %d", back.Superseded, dry.Changes())
	}
	storetest.Same(t, "back again", before, storetest.Content(t, r.dsn))
	storetest.Consistent(t, r.dsn)
}

// settledGame is the id of a game that passed and was settled, and its event.
const settledGame = `select g.id from audit.game g where g.verdict = 1 and g.end_kind = 0 and g.payout > 0 order by g.id limit 1`

func TestAlterationsAreFound(t *testing.T) {
	t.Parallel()
	r := play(t, simchain.Config{Games: 60}, "")
	for _, test := range []struct {
		name, what, alter string
		rowAlone          bool // and so a quick re-audit does not look
	}{
		{"a byte of the seed", "row", `update audit.event e set data = set_byte(data, 80, get_byte(data, 80) # 1) where kind = 2 and game = $1`, false},
		{"a byte of the payout", "row", `update audit.event e set data = set_byte(data, length(data) - 8, get_byte(data, length(data) - 8) # 1) where kind = 2 and game = $1`, false},
		{"a byte of the start's stake", "row", `update audit.event e set data = set_byte(data, 81, get_byte(data, 81) # 1) where kind = 1 and game = $1`, false},
		{"a byte of the nonce of the end", "key", `update audit.event e set data = set_byte(data, 72, get_byte(data, 72) # 1) where kind = 2 and game = $1`, false},
		{"a byte of the key of the start", "key", `update audit.event e set data = set_byte(data, 9, get_byte(data, 9) # 1) where kind = 1 and game = $1`, false},
		{"a byte of the discriminator", "kind", `update audit.event e set data = set_byte(data, 0, get_byte(data, 0) # 1) where kind = 2 and game = $1`, false},
		{"a cut event", "kind", `update audit.event e set data = substr(data, 1, 40) where kind = 2 and game = $1`, false},
		{"another kind in its column", "kind", `update audit.event e set kind = 3 where kind = 2 and game = $1`, false},
		{"an event that is gone", "row", `delete from audit.event e where kind = 1 and game = $1`, false},
		{"an event that lies with no game", "row", `update audit.event e set game = null where kind = 1 and game = $1`, false},
		{"a payout in the row", "row", `update audit.game set payout = payout + 1 where id = $1`, true},
		{"a stake that is null", "row", `update audit.game set stake = null where id = $1`, true},
		{"a verdict in the row", "standing", `update audit.game set verdict = 2 where id = $1`, true},
		{"results in the row", "standing", `update audit.game set results = results # 3 where id = $1`, true},
		{"a row that is gone", "no_row", `delete from audit.game where id = $1`, true},
		{"a row that shows an earlier verdict", "row", `update audit.verdict set seq = 3 where game = $1`, true},
	} {
		id := scan[store.GameID](t, r, settledGame)
		// Everything is put back afterwards: the tests share a chain.
		backup(t, r, id)
		verdicts := scan[int](t, r, `select count(*)::int from audit.verdict`)
		r.exec(t, test.alter, id)
		got := r.again(t)
		found := map[string]bool{}
		for _, a := range got.Altered {
			found[a.What] = true
			if a.id != id || a.Standing.String() == "" || (a.What == "key" || a.What == "kind") != (a.Signature != nil) {
				t.Errorf("%s: %+v", test.name, a)
			}
		}
		if got.tally.altered != 1 || got.Changes() != 0 || got.Superseded != 0 || !found[test.what] {
			t.Errorf("%s: %+v, want %q of one game", test.name, got, test.what)
		}
		if quick := r.again(t, func(o *Options) { o.Quick, o.Write = true, false }); quick.tally.altered != 1 && !test.rowAlone {
			t.Errorf("%s: quick: %+v", test.name, quick)
		}
		if n := scan[int](t, r, `select count(*)::int from audit.verdict`); n != verdicts {
			t.Errorf("%s: %d verdicts, were %d: an altered game gets none", test.name, n, verdicts)
		}
		if n := scan[int](t, r, `select count(*)::int from audit_api.v1_altered where what = $1`, test.what); n != 1 {
			t.Errorf("%s: %d rows on record", test.name, n)
		}
		restore(t, r, id)
		if got := r.again(t); got.Different() || got.Mended != 1 {
			t.Errorf("%s, put back: %+v, want one game mended", test.name, got)
		}
		if n := scan[int](t, r, `select count(*)::int from audit.altered`); n != 0 {
			t.Errorf("%s, put back: %d rows on record", test.name, n)
		}
	}
}

var backedUp = map[string]string{"event": "game", "game": "id", "verdict": "game"}

func backup(t *testing.T, r *record, id store.GameID) {
	t.Helper()
	for table, key := range backedUp {
		r.exec(t, `create temp table saved_`+table+` as select * from audit.`+table+` where `+key+` = $1`, id)
	}
}

func restore(t *testing.T, r *record, id store.GameID) {
	t.Helper()
	ctx := bounded(t)
	for table, key := range backedUp {
		where := key + ` = '` + scan[string](t, r, `select $1::uuid::text`, id) + `'`
		if table == "event" {
			where = `(tx, source, ordinal) in (select tx, source, ordinal from saved_event)`
		}
		for _, sql := range []string{
			`delete from audit.` + table + ` where ` + where,
			`insert into audit.` + table + ` select * from saved_` + table, `drop table saved_` + table,
		} {
			if _, err := r.sql.Exec(ctx, sql); err != nil {
				t.Fatalf("%s: %v", sql, err)
			}
		}
	}
}

// A verdict that somebody has turned, in its row and in the game's, is turned back.
func TestATurnedVerdictIsSuperseded(t *testing.T) {
	t.Parallel()
	r := play(t, simchain.Config{Games: 60}, "wrong-mask")
	before := storetest.Content(t, r.dsn)
	id := scan[store.GameID](t, r, `select id from audit.game where verdict = 2 order by id limit 1`)
	const passed = ` set verdict = 1, results = results & ~(2 << 4) | (1 << 4)`
	r.exec(t, `update audit.verdict`+passed+` where game = $1`, id)
	r.exec(t, `update audit.game`+passed+` where id = $1`, id)
	r.exec(t, `delete from audit.finding where game = $1`, id)
	got := r.again(t, func(o *Options) { o.Write = false })
	if got.turns[turn{verify.VerdictPass, verify.VerdictFail}] != 1 || got.checks[checkTurn{verify.CheckBoard, verify.ResultPass, verify.ResultFail}] != 1 {
		t.Fatalf("%+v; want the board of one game to fail", got)
	}
	if got := r.again(t); got.Superseded != 1 {
		t.Fatalf("%+v; want one verdict superseded", got)
	}
	after := storetest.Content(t, r.dsn)
	// The counts were made of the true verdict: taking back the turned one and adding
	// the true one leaves them off by what the hand did.
	for _, table := range []string{"game ", "verdict ", "finding "} {
		storetest.Same(t, table, only(before, table), only(after, table))
	}
}

func only(content, table string) string {
	var b strings.Builder
	for line := range strings.Lines(content) {
		if strings.HasPrefix(line, table) {
			b.WriteString(line)
		}
	}
	return b.String()
}

func TestVerdictsOfNewerRulesAreLeftAlone(t *testing.T) {
	t.Parallel()
	r := play(t, simchain.Config{Games: 40}, "")
	r.exec(t, `update audit.verdict set rules = $1`, verify.RulesVersion+1)
	rules := verify.DefaultRules()
	rules.Scale = 100
	got := r.again(t, func(o *Options) { o.Standard.Rules = rules })
	if got.newer == 0 || got.Changes() != 0 || got.Superseded != 0 {
		t.Errorf("%+v; want nothing to be superseded", got)
	}
}

// Rows that older rules made may differ for that: then they are superseded, row
// and all.
func TestRowsOfOlderRulesAreMadeAnew(t *testing.T) {
	t.Parallel()
	r := play(t, simchain.Config{Games: 40}, "")
	before := storetest.Content(t, r.dsn)
	id := scan[store.GameID](t, r, settledGame)
	r.exec(t, `update audit.verdict set rules = $1, results = results # 1 where game = $2`, verify.RulesVersion-1, id)
	r.exec(t, `update audit.game set payout = payout + 1, results = results # 1 where id = $1`, id)
	got := r.again(t)
	if got.tally.altered != 0 || got.Superseded != 1 || got.olderRules != 1 || got.Changed[0].Rules != verify.RulesVersion-1 {
		t.Fatalf("%+v; want one verdict superseded, and no alteration", got)
	}
	storetest.Same(t, "made anew", before, storetest.Content(t, r.dsn))
}

func TestSince(t *testing.T) {
	t.Parallel()
	r := play(t, simchain.Config{Games: 60}, "")
	middle := scan[int64](t, r, `select percentile_disc(0.5) within group (order by end_slot) from audit.game`)
	want := scan[int64](t, r, `select count(*) from audit.game where end_slot >= $1 or start_slot >= $1`, middle)
	got := r.again(t, func(o *Options) { o.Since = middle })
	if got.games != want || want == 0 || got.Different() {
		t.Errorf("%d games since slot %d, want %d: %+v", got.games, middle, want, got)
	}
	if n, err := r.CountGames(bounded(t), middle); err != nil || n != want {
		t.Errorf("%d are counted (%v)", n, err)
	}
	at := scan[int64](t, r, `select extract(epoch from max(block_time))::bigint from audit.slot_time`)
	if slot, ok, err := r.SlotAt(bounded(t), at); err != nil || !ok || scan[int64](t, r, `select min(slot) from audit.slot_time where block_time >= to_timestamp($1::bigint)`, at) != slot {
		t.Errorf("slot %d, %v, %v", slot, ok, err)
	}
	if _, ok, err := r.SlotAt(bounded(t), at+1); err != nil || ok {
		t.Errorf("after the last time: %v, %v", ok, err)
	}
}

// Ended in the middle, it has done a part, and the next one does the rest.
func TestEndedInTheMiddle(t *testing.T) {
	t.Parallel()
	r := play(t, simchain.Config{Games: 120}, "")
	before := storetest.Content(t, r.dsn)
	rules := verify.DefaultRules()
	rules.Scale = 100
	all := r.again(t, func(o *Options) { o.Standard.Rules, o.Write = rules, false }).Changes()
	ctx, cancel := context.WithCancel(bounded(t))
	r2 := &run{Options: Options{Standard: standard(), Write: true, Readers: 1}, st: r.Store}
	r2.Standard.Rules, r2.report = rules, newReport(&r2.Options)
	r2.Progress = func(int) { cancel() }
	if err := r2.parted(ctx, 7); !errors.Is(err, context.Canceled) {
		t.Fatalf("it ended with %v", err)
	}
	first := r2.report.Superseded
	storetest.Consistent(t, r.dsn)
	rest := r.again(t, func(o *Options) { o.Standard.Rules = rules }).Superseded
	if first == 0 || rest == 0 || first+rest != all {
		t.Errorf("%d and %d verdicts superseded, want all %d, in two parts", first, rest, all)
	}
	if r.again(t).Superseded != all {
		t.Error("not all came back")
	}
	storetest.Same(t, "back again", before, storetest.Content(t, r.dsn))
	storetest.Consistent(t, r.dsn)
}

func TestReportIsWritten(t *testing.T) {
	t.Parallel()
	r := play(t, simchain.Config{Games: 40}, "")
	r.exec(t, `update audit.event e set data = set_byte(data, 0, 1) where kind = 2 and game = $1`, scan[store.GameID](t, r, settledGame))
	rules := verify.DefaultRules()
	rules.Scale = 100
	got := r.again(t, func(o *Options) { o.Write, o.Most, o.Standard.Rules = false, 2, rules })
	var text, object bytes.Buffer
	if err := errors.Join(got.WriteText(&text), got.WriteJSON(&object)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"pass -> fail", "multiplier: pass -> fail", "indexer verify tx ", "nothing was written", "the first 2 of "} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	var parsed jsonReport
	if err := json.Unmarshal(object.Bytes(), &parsed); err != nil {
		t.Fatal(err)
	}
	if parsed.Games != got.games || parsed.Altered != 1 || len(parsed.ChangeList) != 2 || parsed.Changed < 3 || parsed.AlterList[0].Signature == nil ||
		parsed.Turns[0].N == 0 || parsed.Checks[0].N == 0 || parsed.ChangeList[0].Game == "" {
		t.Errorf("%s", object.String())
	}
}
