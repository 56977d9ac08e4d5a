package verify

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestHonestGamesPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := drawRules(t)
		g := drawHonest(t, &rules)
		report := Judge(&g, &rules)
		checkReport(t, &g, &report)
		if report.Verdict != VerdictPass || len(report.Findings) != 0 {
			t.Fatalf("verdict %v: %+v", report.Verdict, report.Findings)
		}
	})
}

// FuzzJudge asks for an answer to anything, and that the answer hangs together.
func FuzzJudge(f *testing.F) { f.Fuzz(rapid.MakeFuzz(judgeAny)) }

func TestJudgeAny(t *testing.T) { rapid.Check(t, judgeAny) }

func judgeAny(t *rapid.T) {
	g := drawAny(t)
	rules := drawRules(t)
	if rapid.IntRange(0, 9).Draw(t, "broken rules") == 0 {
		rules = Rules{
			EdgeScale: BasisPoints,
			Scale:     rapid.SampledFrom([]uint64{0, 1, 1<<64 - 1}).Draw(t, "scale"),
			Rounding:  Rounding(rapid.Uint8().Draw(t, "rounding")), Cap: CapMode(rapid.Uint8().Draw(t, "cap")),
			PayoutFrom: PayoutFrom(rapid.Uint8().Draw(t, "from")), LostMultiplier: LostMultiplier(rapid.Uint8().Draw(t, "lost")),
		}
	}
	before := Game{User: g.User, Nonce: g.Nonce, Starts: slices.Clone(g.Starts), Ends: slices.Clone(g.Ends), Truncated: g.Truncated, Complete: g.Complete}
	report := Judge(&g, &rules)
	checkReport(t, &g, &report)
	if !reflect.DeepEqual(g, before) {
		t.Fatalf("the game was changed: %+v", g)
	}
	if again := Judge(&g, &rules); !reflect.DeepEqual(again, report) {
		t.Fatalf("another report of the same game: %+v, %+v", again, report)
	}
}

// checkReport holds a report against itself and the game.
func checkReport(t *rapid.T, g *Game, r *Report) {
	t.Helper()
	var bad []Check
	var anyFail, anyOpen bool
	for c, result := range r.Results {
		anyFail = anyFail || result == ResultFail
		anyOpen = anyOpen || result == ResultInconclusive && !silent(g, r, Check(c))
		if result == ResultFail || result == ResultInconclusive {
			bad = append(bad, Check(c))
		}
	}
	var found []Check
	for _, f := range r.Findings {
		found = append(found, f.Check)
		if f.Result != r.Results[f.Check] || f.Reason == "" || f.Result == ResultFail && (f.Expected == "" || f.Observed == "" || f.Expected == f.Observed) {
			t.Fatalf("finding %+v of result %v", f, r.Results[f.Check])
		}
	}
	if !slices.Equal(found, bad) {
		t.Fatalf("findings of %v, results of %v", found, bad)
	}

	want := VerdictPass
	switch {
	case anyFail:
		want = VerdictFail
	case len(g.Ends) == 0 || len(g.Starts) == 0 && !g.Complete:
		want = VerdictPending
	case anyOpen:
		want = VerdictInconclusive
	}
	if r.Verdict != want {
		t.Fatalf("verdict %v, want %v", r.Verdict, want)
	}

	kind := EndNone
	if len(g.Ends) > 0 {
		kind = g.Ends[0].Kind
	}
	for c, result := range r.Results {
		if applies(Check(c), kind) != (result != ResultNA) && !optional(Check(c), g) {
			t.Fatalf("%v is %v of a game that ended as %v", Check(c), result, kind)
		}
	}
	if r.Kind != kind || (r.VoidWhen != NotVoid) != (kind == EndVoided) || (r.Revealed >= 0) != (kind == EndSettled && g.Ends[0].Settled.publishes(FieldRevealedMask)) {
		t.Fatalf("kind %v, void %v, revealed %d of an end %v", r.Kind, r.VoidWhen, r.Revealed, kind)
	}
	if lost := kind == EndSettled && g.Ends[0].Settled.HasBust; r.Lost != lost && (kind != EndSettled || g.Ends[0].Settled.publishes(FieldBustTile)) {
		t.Fatalf("lost %v, want %v", r.Lost, lost)
	}
	known := func(f Fields) bool { return len(g.Starts) > 0 && g.Starts[0].lacks(f) == 0 }
	if (r.MinesCount >= 0) != known(FieldMinesCount) || (r.StakeBand > -2) != known(FieldStake) {
		t.Fatalf("mines %d, band %d with %d starts", r.MinesCount, r.StakeBand, len(g.Starts))
	}
	if Unpack(r.Packed()) != r.Results {
		t.Fatalf("packed %x", r.Packed())
	}
}

// applies reports whether a check is of games that ended so.
func applies(c Check, kind EndKind) bool {
	switch c {
	case CheckLifecycle:
		return true
	case CheckTermsKept:
		return false
	case CheckRefund, CheckVoidRight:
		return kind == EndVoided
	default:
		return kind == EndSettled
	}
}

// optional reports whether a check that applies may have nothing to check.
func optional(c Check, g *Game) bool {
	switch c {
	case CheckBustIsMine, CheckBustNotRevealed:
		s := &g.Ends[0].Settled
		return !s.HasBust || !s.publishes(FieldBustTile)
	case CheckVoidRight:
		return len(g.Ends) > 0 && g.Ends[0].Kind == EndVoided
	case CheckLifecycle:
		return len(g.Ends) == 0
	default:
		return false
	}
}
