package rounds

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"minesaudit/internal/verify"
)

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
