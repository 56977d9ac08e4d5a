package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"minesaudit/internal/store/storetest"
	"minesaudit/internal/verify"
)

// model counts as the rollups should, from scratch at each step.
type model struct {
	frontier int64
	games    map[int][]Verdict // by seq
	times    map[uint64]string // hour of a slot; "" none; absent: nothing known yet
}

// cell is a row of audit.rollup without its count, as text.
func (m *model) cell(v *Verdict) string {
	hour := m.times[v.EndSlot]
	if hour == "" {
		hour = "unknown"
	}
	return fmt.Sprintf("%s %d %d %d %d %t %d %d", hour, v.Kind, v.Verdict, v.MinesCount, v.Revealed, v.Lost, v.StakeBand, v.VoidWhen)
}

// standing is the verdict of a game as of the frontier; nil if there is none.
func (m *model) standing(game int) *Verdict {
	for _, v := range slices.Backward(m.games[game]) {
		if int64(v.Slot) <= m.frontier {
			if v.Verdict == verify.VerdictWithdrawn {
				return nil
			}
			return &v
		}
	}
	return nil
}

// counts gives the cells that are not empty, and the failed and inconclusive
// results of checks, a line each.
func (m *model) counts() string {
	n := map[string]int{}
	for game := range m.games {
		v := m.standing(game)
		if v == nil {
			continue
		}
		cell := m.cell(v)
		n["games "+cell]++
		if v.Verdict == verify.VerdictPass {
			continue
		}
		for c, result := range verify.Unpack(v.Results) {
			if result == verify.ResultFail || result == verify.ResultInconclusive {
				n[fmt.Sprintf("check %s %d %d", strings.Fields(cell)[0], c, result)]++
			}
		}
	}
	return lines(n)
}

func lines(n map[string]int) string {
	var all []string
	for what, count := range n {
		all = append(all, fmt.Sprintf("%s: %d", what, count))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// learn takes times in as the record does: the first one stands, and what was
// counted stays where it was counted.
func (m *model) learn(times []SlotTime) {
	for _, t := range times {
		if hour, known := m.times[t.Slot]; known && (hour != "" || int64(t.Slot) <= m.frontier) {
			continue
		}
		m.times[t.Slot] = ""
		if t.Has {
			m.times[t.Slot] = t.Time.UTC().Truncate(time.Hour).Format("2006-01-02T15")
		}
	}
}

// settle fixes the hour unknown for every game that has been counted in it.
func (m *model) settle() {
	for game := range m.games {
		if v := m.standing(game); v != nil {
			if _, known := m.times[v.EndSlot]; !known {
				m.times[v.EndSlot] = ""
			}
		}
	}
}

const stored = `select format('games %s %s %s %s %s %s %s %s',
		case when hour = '-infinity' then 'unknown' else to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24') end,
		kind, verdict, mines_count, revealed, case when lost then 'true' else 'false' end, stake_band, void_when), n::text
	from audit.rollup where n <> 0
	union all select format('check %s %s %s',
		case when hour = '-infinity' then 'unknown' else to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24') end, check_no, result), n::text
	from audit.rollup_check where n <> 0`

// draw makes a batch of verdicts on new and old games, on both sides of the
// frontier, of withdrawals, times and a move of the frontier.
func (m *model) draw(t *rapid.T) *Batch {
	b := &Batch{}
	top := uint64(m.frontier) + 8
	slot := rapid.Uint64Range(1, top)
	for _, game := range rapid.SliceOfNDistinct(rapid.IntRange(0, 11), 0, 4, rapid.ID[int]).Draw(t, "games") {
		seq := len(m.games[game])
		end := slot.Draw(t, "end")
		v := Verdict{
			Game: NewGameID(key(game)), Seq: seq, EndSlot: end, Slot: rapid.Uint64Range(end, top).Draw(t, "slot"),
			Verdict: rapid.SampledFrom([]verify.Verdict{verify.VerdictPass, verify.VerdictFail, verify.VerdictInconclusive, verify.VerdictWithdrawn}).Draw(t, "verdict"),
			Kind:    rapid.SampledFrom([]verify.EndKind{verify.EndSettled, verify.EndVoided}).Draw(t, "kind"), MinesCount: rapid.IntRange(-1, 2).Draw(t, "mines"),
			Revealed: rapid.IntRange(-1, 1).Draw(t, "revealed"), Lost: rapid.Bool().Draw(t, "lost"), StakeBand: rapid.IntRange(-2, 0).Draw(t, "band"),
			Results: rapid.Uint32Range(0, 1<<30-1).Draw(t, "results"),
		}
		ends := 1
		switch {
		case v.Verdict == verify.VerdictWithdrawn && seq == 0:
			continue
		case v.Verdict == verify.VerdictWithdrawn:
			v = Verdict{Game: v.Game, Seq: seq, Slot: rapid.SampledFrom([]uint64{0, v.Slot}).Draw(t, "rest"), Verdict: v.Verdict, MinesCount: -1, Revealed: -1, StakeBand: -2}
			ends = 0
		case v.Kind == verify.EndVoided:
			v.VoidWhen = rapid.SampledFrom([]verify.VoidWhen{verify.BeforeTimeout, verify.AfterTimeout, verify.VoidWhenUnknown}).Draw(t, "when")
		}
		v.Findings = findings(v.Results)
		m.games[game] = append(m.games[game], v)
		b.Verdicts = append(b.Verdicts, v)
		b.Games = append(b.Games, Game{ID: v.Game, Key: key(game), Starts: 1, Ends: ends, Start: &verify.Start{}, End: &verify.End{Slot: v.EndSlot}, Standing: v})
	}
	for _, s := range rapid.SliceOfN(slot, 0, 3).Draw(t, "timed") {
		b.Times = append(b.Times, SlotTime{
			Slot: s, Has: rapid.Bool().Draw(t, "has"),
			Time: time.Unix(1_700_000_000+int64(rapid.IntRange(0, 3).Draw(t, "hour"))*3600, 0),
		})
	}
	slices.SortStableFunc(b.Times, func(x, y SlotTime) int { return int(x.Slot) - int(y.Slot) })
	b.Times = slices.CompactFunc(b.Times, func(x, y SlotTime) bool { return x.Slot == y.Slot })
	m.learn(b.Times)
	m.settle()
	if rapid.Bool().Draw(t, "advance") {
		becomes := m.frontier + int64(rapid.IntRange(0, 5).Draw(t, "by"))
		b.Advance = &Advance{Was: m.frontier, Becomes: becomes}
		m.frontier = becomes
		m.settle()
	}
	return b
}

// Whatever comes, in whatever order: the rollups are the number of standing
// verdicts, and what commits report of them adds up to the same.
func TestCountsNeverDrift(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		ctx := bounded(t)
		_, err := r.sql.Exec(ctx, `truncate audit.coverage, audit.tx, audit.event, audit.game, audit.verdict, audit.finding, audit.slot_time, audit.rollup, audit.rollup_check, audit.total;
			update audit.watch set frontier = 0`)
		if err != nil {
			t.Fatal(err)
		}
		r.w.frontier = 0
		m := &model{games: map[int][]Verdict{}, times: map[uint64]string{}}
		told := map[string]int64{}
		for step := range rapid.IntRange(1, 12).Draw(t, "steps") {
			b := m.draw(t)
			counted, err := r.w.Commit(ctx, r.knowing(outer, b))
			if err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
			for _, c := range counted.Cells {
				told[fmt.Sprintf("%d %d %d", c.Verdict, c.Kind, c.VoidWhen)] += c.N
			}
			for _, c := range counted.Checks {
				told[fmt.Sprintf("check %d %d", c.Check, c.Result)] += c.N
			}
			m.compare(t, r, step, told)
		}
	})
}

func (m *model) compare(t *rapid.T, r *record, step int, told map[string]int64) {
	contradictions, err := storetest.Contradictions(bounded(t), r.sql)
	if err != nil {
		t.Fatal(err)
	}
	if len(contradictions) > 0 {
		t.Fatalf("step %d, frontier %d: %v", step, m.frontier, contradictions)
	}
	n := map[string]int{}
	for _, row := range rows(t, r, stored) {
		var count int
		if _, err := fmt.Sscan(row[1], &count); err != nil {
			t.Fatal(err)
		}
		n[row[0]] = count
	}
	if want, got := m.counts(), lines(n); want != got {
		t.Fatalf("step %d, frontier %d: want\n%s\ngot\n%s", step, m.frontier, want, got)
	}
	for _, row := range rows(t, r, `select format('%s %s %s', verdict, kind, void_when), n::text from audit.total
		union all select format('check %s %s', check_no, result), sum(n)::text from audit.rollup_check group by 1`) {
		if got := fmt.Sprint(told[row[0]]); got != row[1] {
			t.Fatalf("step %d: commits told of %s games in %s, the record has %s", step, got, row[0], row[1])
		}
	}
}
