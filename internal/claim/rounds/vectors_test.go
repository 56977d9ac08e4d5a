package rounds

import (
	"encoding/json"
	"os"
	"testing"

	"minesaudit/internal/verify"
)

// known are the known answers of a game.
func known(t *testing.T, file string, into any) {
	t.Helper()
	raw, err := os.ReadFile("../../verify/testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

// alone audits a claim as the one round of a chain of one.
func alone(t *testing.T, game Game, hash string, l line) *Result {
	t.Helper()
	l["round"], l["hash"] = 1, hash
	chain := Chain{Terminal: verify.HashText(hash), Form: verify.FinalSHA256, Game: game}
	return auditText(t, Options{Chain: chain}, asJSON(t, []line{l}))
}

// Each known answer passes as a claim, where its hash is one of a chain.
func TestKnownOutcomes(t *testing.T) {
	var rocket struct {
		Cases []struct {
			Hash, Result string
			Error        *string
		}
	}
	var platforms struct {
		Cases []struct {
			Hash     string
			Platform int
			Error    *string
		}
	}
	var battle struct {
		Cases []struct {
			Kind, Hash string
			Chances    []float64
			Winner     int
			Error      *string
		}
	}
	known(t, "rocket.json", &rocket)
	known(t, "platforms.json", &platforms)
	known(t, "battle.json", &battle)
	tried := map[Game]int{}
	try := func(game Game, hash string, l line, want verify.Result) {
		if _, err := verify.ParseChainHash(hash); err != nil {
			return // an answer about another form of hash
		}
		tried[game]++
		r := alone(t, game, hash, l)
		if r.Bad.Count > 0 || r.Counts[CheckOutcome][want] != 1 || r.Counts[CheckChain][verify.ResultPass] != 1 {
			t.Errorf("%s %s %v: %q %+v, want %s", game, hash, l, found(r), r.Bad, want)
		}
	}
	for _, c := range rocket.Cases {
		if c.Error == nil {
			try(Rocket, c.Hash, line{"multiplier": c.Result}, verify.ResultPass)
			try(Rocket, c.Hash, line{"multiplier": "1" + c.Result}, verify.ResultFail)
		}
	}
	for _, c := range platforms.Cases {
		if c.Error == nil {
			try(Platforms, c.Hash, line{"platform": c.Platform}, verify.ResultPass)
			try(Platforms, c.Hash, line{"platform": c.Platform + 1}, verify.ResultFail)
		}
	}
	for _, c := range battle.Cases {
		if c.Error == nil {
			try(Battle, c.Hash, line{"winner": c.Winner, "chances": c.Chances}, verify.ResultPass)
			try(Battle, c.Hash, line{"winner": c.Winner - 1, "chances": c.Chances}, verify.ResultFail)
		}
	}
	for _, game := range games {
		if tried[game] < 50 {
			t.Errorf("%d known answers of %s", tried[game], game)
		}
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
