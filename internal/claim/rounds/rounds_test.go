package rounds

import (
	"encoding/json"
	"errors"
	"maps"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

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

func TestShiftedAndReversedNumbers(t *testing.T) {
	list := hashes(30)
	for _, test := range []struct {
		name         string
		number       func(n int) int
		first, other string
	}{
		{"one too high", func(n int) int { return n + 1 }, "2 chain fail hash_of_another_round", "follows_a_false_hash"},
		{"one too low", func(n int) int { return n - 1 }, "1 chain fail not_on_the_chain", "follows_a_false_hash"},
		{"from the other end", func(n int) int { return 31 - n }, "1 chain fail not_on_the_chain", "numbered_backwards"},
	} {
		lines := honest(t, list, None)
		for _, l := range lines {
			l["round"] = test.number(l["round"].(int))
		}
		if test.name == "one too low" {
			lines = lines[1:]
		}
		r := auditText(t, Options{Chain: chainOf(list, None)}, asJSON(t, lines))
		got := found(r)
		if len(got) != r.Rounds || got[0] != test.first || !strings.HasSuffix(got[1], test.other) || !strings.HasSuffix(got[8], test.other) {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}

func TestGapsAreBridged(t *testing.T) {
	list := hashes(2000)
	lines := honest(t, list, Platforms)
	given := []int{7, 8, 300, 302, 1999}
	var some []line
	for _, n := range given {
		some = append(some, lines[n-1])
	}
	r := auditText(t, Options{Chain: chainOf(list, Platforms)}, asJSON(t, some))
	expectFindings(t, "gaps", r)
	want := []Gap{{9, 299}, {301, 301}, {303, 1998}}
	if r.Verdict() != verify.VerdictPass || r.Gaps != 3 || r.Missing != 291+1+1696 || !slices.Equal(r.GapList, want) {
		t.Errorf("%s: %d gaps of %d: %v", r.Verdict(), r.Gaps, r.Missing, r.GapList)
	}
	some[2]["hash"] = strings.Repeat("ab", 32)
	some[2]["platform"] = 1
	r = auditText(t, Options{Chain: chainOf(list, Platforms)}, asJSON(t, some))
	if r.Verdicts[verify.VerdictFail] != 1 || r.Findings[0].Round != 300 {
		t.Errorf("a false hash between gaps: %v", found(r))
	}
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

// The known answers, under both terminals that a chain can have.
func TestKnownChains(t *testing.T) {
	raw, err := os.ReadFile("../../verify/testdata/hashchain.json")
	if err != nil {
		t.Fatal(err)
	}
	var known struct {
		Cases []struct {
			Last      string
			Published string `json:"published_sha256_of_last"`
			Rounds    []struct {
				Round int
				Hash  string
			}
		}
	}
	if err := json.Unmarshal(raw, &known); err != nil {
		t.Fatal(err)
	}
	for i, c := range known.Cases {
		var lines []line
		for _, round := range c.Rounds {
			lines = append(lines, line{"round": round.Round, "hash": round.Hash})
		}
		for _, test := range []struct {
			terminal, form string
			want           verify.TerminalForm
			verdict        verify.Verdict
		}{
			{c.Published, "sha256", verify.FinalSHA256, verify.VerdictPass},
			{c.Published, "", verify.FinalSHA256, verify.VerdictPass},
			{c.Last, "final", verify.FinalHash, verify.VerdictPass},
			{c.Last, "", verify.FinalHash, verify.VerdictPass},
			{c.Last, "sha256", verify.FinalSHA256, verify.VerdictFail},
			{c.Published, "final", verify.FinalHash, verify.VerdictFail},
			{"crash", "", verify.FinalSHA256, verify.VerdictFail},
		} {
			if test.verdict == verify.VerdictFail && i > 45 {
				continue // false terminals of the long chains tell nothing more, and take long
			}
			chain, err := NewChain(test.terminal, test.form, "")
			if err != nil {
				t.Fatal(err)
			}
			r := auditText(t, Options{Chain: chain}, asJSON(t, lines))
			if r.Verdict() != test.verdict || r.Chain.Form != test.want || r.Rounds == 0 || r.Assumed != (test.form == "" && test.terminal != "crash") {
				t.Errorf("case %d, %s %q: %s, %s: %v", i, test.terminal, test.form, r.Verdict(), r.Chain.Form, found(r))
			}
		}
	}
	if len(known.Cases) < 3 {
		t.Errorf("%d cases", len(known.Cases))
	}
}

func TestFalseLowestRoundDoesNotDecideTheForm(t *testing.T) {
	list := hashes(20)
	lines := honest(t, list, None)
	lines[0]["hash"] = strings.Repeat("ab", 32)
	chain := chainOf(list, None)
	chain.Form = verify.EitherForm
	chain.Terminal = list[1] // from which round n is n − 1 steps away
	r := auditText(t, Options{Chain: chain}, asJSON(t, lines))
	if r.Chain.Form != verify.FinalHash {
		t.Fatalf("the form is %s", r.Chain.Form)
	}
	expectFindings(t, "a false lowest round", r, "1 chain fail not_on_the_chain")
}

// Whatever is given, a round's chain check is what comparing with the whole
// chain says.
func TestAgainstTheWholeChain(t *testing.T) {
	list := hashes(1200)
	rapid.Check(t, func(t *rapid.T) {
		form := rapid.SampledFrom([]verify.TerminalForm{verify.FinalSHA256, verify.FinalHash}).Draw(t, "form")
		truth := list
		if form == verify.FinalHash {
			truth = append([]verify.ChainHash{{}}, list...)
		}
		var b strings.Builder
		want := map[uint32]verify.Result{}
		for range rapid.IntRange(1, 60).Draw(t, "rounds") {
			n := rapid.IntRange(1, len(truth)-1).Draw(t, "round")
			if _, given := want[uint32(n)]; given {
				continue
			}
			shown := truth[n]
			want[uint32(n)] = verify.ResultPass
			switch rapid.IntRange(0, 5).Draw(t, "lie") {
			case 0:
				shown = verify.HashText(rapid.String().Draw(t, "hash"))
			case 1:
				shown = truth[rapid.IntRange(1, len(truth)-1).Draw(t, "other")]
			}
			if shown != truth[n] {
				want[uint32(n)] = verify.ResultFail
			}
			b.WriteString(`{"round":` + claimText(float64(n)) + `,"hash":"` + shown.String() + "\"}\n")
		}
		r, err := Audit(sourcesOf(b.String()), Options{Chain: Chain{Terminal: list[0], Form: form}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Rounds != len(want) {
			t.Fatalf("%d rounds of %d", r.Rounds, len(want))
		}
		for round := range r.All() {
			if round.Results[CheckChain] != want[round.Number] {
				t.Fatalf("round %d: %s, want %s\n%s", round.Number, round.Results[CheckChain], want[round.Number], b.String())
			}
		}
	})
}

// Beyond the bound what lies above false hashes is open, and no more is hashed.
func TestHashesPastFalseOnesAreBounded(t *testing.T) {
	list := hashes(100)
	lines := honest(t, list, None)
	for i := range 50 {
		lines[i]["hash"] = verify.HashText(lines[i]["hash"].(string) + "!").String()
	}
	o := Options{Chain: chainOf(list, None)}
	for _, test := range []struct {
		extra               uint64
		fail, inconclusives int
	}{{2000, 50, 0}, {100, 13, 87}, {0, 1, 99}} {
		r, err := run(sourcesOf(asJSON(t, lines)), o, test.extra)
		if err != nil {
			t.Fatal(err)
		}
		if fail, open := r.Verdicts[verify.VerdictFail], r.Verdicts[verify.VerdictInconclusive]; fail != test.fail || open != test.inconclusives || r.Verdict() != verify.VerdictFail {
			t.Errorf("with %d more hashes: %d fail, %d open", test.extra, fail, open)
		}
	}
}

func TestBadRecordsGoOn(t *testing.T) {
	list := hashes(10)
	lines := honest(t, list, Rocket)
	good := strings.SplitAfter(asJSON(t, lines), "\n")
	h := list[3].String()
	for bad, want := range map[string]string{
		`{"round":0,"hash":"` + h + `"}`:                                      "round: 0: want 1..10000000",
		`{"round":10000001,"hash":"` + h + `"}`:                               "round: 10000001: want 1..10000000",
		`{"round":3}`:                                                         "hash: not given",
		`{"hash":"` + h + `"}`:                                                "round: not given",
		`{"round":3,"hash":"` + strings.ToUpper(h) + `"}`:                     "hash with",
		`{"round":3,"hash":"` + h[1:] + `"}`:                                  "hash of 63 characters",
		`{"round":3,"hash":"` + h + `","multiplier":"-1"}`:                    "multiplier: \"-1\": want a decimal number",
		`{"round":3,"hash":"` + h + `","multiplier":"1e3"}`:                   "multiplier: \"1e3\"",
		`{"round":3,"hash":"` + h + `","platform":3}`:                         "platform: not a field of rocket: want outcome or multiplier",
		`{"round":3,"hash":"` + h + `","outcome":"1.00","multiplier":"1.00"}`: "outcome and multiplier: want one of them",
		`{"round":3,"hash":"` + h + `","chances":[100]}`:                      "chances: not a field of rocket",
		`{"round":3,"hash":"` + h + `","crashed_at":"1.00"}`:                  `unknown field "crashed_at"`,
	} {
		r := auditText(t, Options{Chain: chainOf(list, Rocket)}, strings.Join(good[:5], "")+bad+"\n"+strings.Join(good[5:], ""))
		if r.Bad.Count != 1 || r.Bad.List[0].At.Line != 6 || !strings.Contains(r.Bad.List[0].Err.Error(), want) || r.Rounds != 10 || r.Verdict() != verify.VerdictInconclusive {
			t.Errorf("%s: %s, %+v, want %q", bad, r.Verdict(), r.Bad, want)
		}
	}
	if r := auditText(t, Options{Chain: chainOf(list, Rocket)}, ""); r.Verdict() != verify.VerdictInconclusive {
		t.Errorf("of nothing: %s", r.Verdict())
	}
	_, err := Audit(sourcesOf(asJSON(t, lines)), Options{Chain: chainOf(list, None)})
	if !errors.Is(err, ErrNoGame) || !strings.Contains(err.Error(), "file0 line 1") {
		t.Errorf("outcomes of no game: %v", err)
	}
}

func TestNewChain(t *testing.T) {
	hex := strings.Repeat("ab", 32)
	for _, test := range []struct{ chain, form, game, want, err string }{
		{"crash", "", "", "crash rocket sha256_of_final_hash", ""},
		{"rocket", "sha256", "rocket", "crash rocket sha256_of_final_hash", ""},
		{"eeb4d340bfaed702601b9a08faba2f8088c4810c3e3a883293accaf25053b883", "", "", "platform platforms sha256_of_final_hash", ""},
		{hex, "", "", hex + "  either", ""},
		{hex, "final", "battle", hex + " battle final_hash", ""},
		{"crash", "", "battle", "", "the chain crash is that of rocket"},
		{"crash", "final", "", "", "is a SHA-256"},
		{hex, "x", "", "", "want sha256 or final"},
		{hex, "", "dice", "", "want rocket, platforms or battle"},
		{"dice", "", "", "", "want platform, crash, battle or 64 hex digits"},
	} {
		c, err := NewChain(test.chain, test.form, test.game)
		if err != nil {
			if test.err == "" || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%+v: %v", test, err)
			}
			continue
		}
		if got := c.String() + " " + string(c.Game) + " " + c.Form.String(); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

// FuzzAudit gives files of any bytes: whatever passes is the chain's.
func FuzzAudit(f *testing.F) {
	list := hashes(30)
	lines := honest(f, list, Battle)
	f.Add([]byte(asJSON(f, lines[:3])))
	f.Add([]byte(asCSV(lines[4:6])))
	f.Add([]byte("round,hash\n1," + list[1].String() + "\n3," + list[2].String()))
	f.Fuzz(func(t *testing.T, in []byte) {
		r, err := run(sourcesOf(string(in)), Options{Chain: chainOf(list, Battle)}, 1000)
		if err != nil {
			return
		}
		for round := range r.All() {
			right := int(round.Number) < len(list) && list[round.Number].String() == (&entry{hash: round.Hash}).chainHash().String()
			if right != (round.Results[CheckChain] == verify.ResultPass) {
				t.Fatalf("round %d of %x: %s", round.Number, round.Hash, round.Results[CheckChain])
			}
		}
		var b strings.Builder
		if err := r.WriteText(&b, 5); err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexFunc(b.String(), func(c rune) bool { return c != '\n' && (c < ' ' || c > '~') }); i >= 0 {
			t.Fatalf("text for people holds %q", b.String()[i:])
		}
	})
}
