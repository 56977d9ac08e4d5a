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
