package rounds

import (
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"minesaudit/internal/verify"
)

var games = []Game{Rocket, Platforms, Battle}

func TestHonestRoundsPass(t *testing.T) {
	list := hashes(700)
	for _, game := range append(games, None) {
		lines := honest(t, list, game)
		r := auditText(t, Options{Chain: chainOf(list, game)}, asJSON(t, lines))
		claims := len(lines)
		if game == None {
			claims = 0
		}
		if r.Verdict() != verify.VerdictPass || r.Rounds != 700 || r.Lowest != 1 || r.Highest != 700 || r.Claims != claims || r.Gaps+r.Repeated+r.Contradicting+r.Bad.Count != 0 {
			t.Errorf("%s: %s, %+v", game, r.Verdict(), found(r))
		}
		if r.Counts[CheckChain][verify.ResultPass] != 700 || r.Counts[CheckOutcome][verify.ResultPass] != claims || r.Counts[CheckUnique][verify.ResultPass] != 700 {
			t.Errorf("%s: %v", game, r.Counts)
		}
	}
}

// Order, files and form change nothing.
func TestFormAndOrderDoNotMatter(t *testing.T) {
	list := hashes(600)
	for _, game := range games {
		lines := honest(t, list, game)
		lines = append(lines[:100:100], lines[230:]...) // a gap
		lines[50]["hash"] = strings.Repeat("ab", 32)
		delete(lines[60], game.ownName())
		o := Options{Chain: chainOf(list, game)}
		want := wholly(auditText(t, o, asJSON(t, lines)))
		if got := wholly(auditText(t, o, asCSV(lines))); got != want {
			t.Errorf("%s: CSV gives\n%s\nJSON\n%s", game, got, want)
		}
		for seed := range int64(5) {
			shuffled := slices.Clone(lines)
			rand.New(rand.NewSource(seed)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			if got := wholly(auditText(t, o, asJSON(t, shuffled[:99]), asCSV(shuffled[99:]))); got != want {
				t.Errorf("%s: shuffled by %d\n%s\nin order\n%s", game, seed, got, want)
			}
		}
	}
}

// Each field that is changed fails what it must and nothing else.
func TestMutations(t *testing.T) {
	list := hashes(40)
	const at = 20 // index of round 21
	other := strings.Repeat("0123456789abcdef", 4)
	for _, test := range []struct {
		name   string
		game   Game
		mutate func(line)
		want   []string
	}{
		{"hash", Rocket, func(l line) { l["hash"] = other }, []string{"21 chain fail not_on_the_chain", "21 outcome fail mismatch"}},
		{"hash of the round above", None, func(l line) { l["hash"] = list[22].String() }, []string{"21 chain fail not_on_the_chain"}},
		{"hash of the round below", None, func(l line) { l["hash"] = list[20].String() }, []string{"21 chain fail hash_of_another_round"}},
		{"H of the round below", None, func(l line) { l["hash"] = list[19].String() }, []string{"21 chain fail numbered_backwards"}},
		{"multiplier", Rocket, func(l line) { l["multiplier"] = "1.99" }, []string{"21 outcome fail mismatch"}},
		{"multiplier by a hundredth of a hundredth", Rocket, func(l line) { l["multiplier"] = l["multiplier"].(string) + "01" }, []string{"21 outcome fail mismatch"}},
		{"platform", Platforms, func(l line) { l["platform"] = l["platform"].(int)%25 + 1 }, []string{"21 outcome fail mismatch"}},
		{"platform beyond all", Platforms, func(l line) { l["platform"] = 26 }, []string{"21 outcome fail mismatch"}},
		{"winner", Battle, func(l line) { l["winner"] = (l["winner"].(int) + 1) % 3 }, []string{"21 outcome fail mismatch"}},
		{"no winner", Battle, func(l line) { l["winner"] = -1 }, []string{"21 outcome fail mismatch"}},
		{"chances", Battle, func(l line) { l["chances"], l["winner"] = []int{100, 0, 0}, 1 }, []string{"21 outcome fail mismatch"}},
		{"chances refused", Battle, func(l line) { l["chances"] = []int{100, 1} }, []string{"21 outcome inconclusive chances_refused"}},
		{"no chances", Battle, func(l line) { delete(l, "chances") }, []string{"21 outcome inconclusive chances_not_given"}},
		{"no outcome", Rocket, func(l line) { delete(l, "multiplier") }, []string{"21 outcome inconclusive outcome_not_given"}},
		{"outcome by its other name", Rocket, func(l line) { l["outcome"] = l["multiplier"]; delete(l, "multiplier") }, nil},
	} {
		lines := honest(t, list, test.game)
		test.mutate(lines[at])
		r := auditText(t, Options{Chain: chainOf(list, test.game)}, asJSON(t, lines))
		expectFindings(t, test.name, r, test.want...)
		if failed := r.Verdicts[verify.VerdictFail] + r.Verdicts[verify.VerdictInconclusive]; failed != min(1, len(test.want)) {
			t.Errorf("%s: %d rounds do not pass", test.name, failed)
		}
		if len(r.Findings) > 0 && (r.Findings[0].At.Line != at+1 || r.Findings[0].At.In(r.Names) != "line 21 of file0") {
			t.Errorf("%s: found at %+v", test.name, r.Findings[0].At)
		}
	}

	// The number makes the hash another round's, and hides its own round.
	lines := honest(t, list, Rocket)
	lines[at]["round"] = 39
	expectFindings(t, "round", auditText(t, Options{Chain: chainOf(list, Rocket)}, asJSON(t, lines)), "39 chain fail not_on_the_chain", "39 unique fail claims_differ")
}

func TestBattleRoundWithoutWinner(t *testing.T) {
	list := hashes(3)
	l := line{"round": 1, "hash": list[1].String(), "chances": []float64{0, 0, 0, 99.995, 0}, "winner": 3}
	random, err := verify.BattleRandom(list[1].String())
	if err != nil || random > 0.9999 {
		t.Fatal(random, err)
	}
	o := Options{Chain: chainOf(list, Battle)}
	expectFindings(t, "a winner", auditText(t, o, asJSON(t, []line{l})))

	// A hash whose number is 1 wins nothing, and saying so is right.
	high := verify.ChainHash([]byte(strings.Repeat("f", 64)))
	chain := Chain{Terminal: verify.HashText(high.String()), Form: verify.FinalSHA256, Game: Battle}
	l = line{"round": 1, "hash": high.String(), "chances": "50 50", "winner": -1}
	expectFindings(t, "none", auditText(t, Options{Chain: chain}, asJSON(t, []line{l})))
	l["winner"] = 1
	expectFindings(t, "none, and one claimed", auditText(t, Options{Chain: chain}, asJSON(t, []line{l})), "1 outcome fail mismatch")
}

func TestRepeatedAndContradictingClaims(t *testing.T) {
	list := hashes(10)
	lines := honest(t, list, Rocket)
	o := Options{Chain: chainOf(list, Rocket)}
	once := wholly(auditText(t, o, asJSON(t, lines)))
	r := auditText(t, o, asJSON(t, lines), asCSV(lines))
	if wholly(r) != once || r.Repeated != 10 || r.Contradicting != 0 || r.Records != 20 {
		t.Errorf("everything twice: %d repeated\n%s\nonce\n%s", r.Repeated, wholly(r), once)
	}
	hashOnly := maps.Clone(lines[4])
	delete(hashOnly, "multiplier")
	for _, order := range [][]line{{hashOnly, lines[4]}, {lines[4], hashOnly}} {
		r := auditText(t, o, asJSON(t, order))
		if r.Verdict() != verify.VerdictPass || r.Repeated != 1 || r.Claims != 1 {
			t.Errorf("the outcome in one of two: %s, %v", r.Verdict(), found(r))
		}
	}
	wrong := maps.Clone(lines[4])
	wrong["multiplier"] = "77.77"
	expectFindings(t, "right, then wrong", auditText(t, o, asJSON(t, append(slices.Clone(lines), wrong))), "5 unique fail claims_differ")
	expectFindings(t, "wrong, then right", auditText(t, o, asJSON(t, append([]line{wrong}, lines...))), "5 outcome fail mismatch", "5 unique fail claims_differ")
	wrong = maps.Clone(lines[4])
	wrong["hash"] = list[6].String()
	r = auditText(t, o, asJSON(t, append(slices.Clone(lines), wrong)))
	expectFindings(t, "another hash", r, "5 unique fail claims_differ")
	if f := r.Findings[0]; f.At.Line != 11 || !strings.Contains(f.Expected, "line 5 of file0") || !strings.HasPrefix(f.Expected, list[5].String()) || f.Observed != list[6].String() {
		t.Errorf("%+v", f)
	}
}
