package rounds

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

// hashes is a chain by the plain rule: hashes[n] is the hash of round n, and
// hashes[0] the terminal.
func hashes(rounds int) []verify.ChainHash {
	list := make([]verify.ChainHash, rounds+1)
	h := verify.HashText("secret")
	for i := range list {
		list[rounds-i] = h
		h = verify.HashText(h.String())
	}
	return list
}

// A line is a record of a round, by field.
type line map[string]any

func chainOf(list []verify.ChainHash, game Game) Chain {
	return Chain{Terminal: list[0], Form: verify.FinalSHA256, Game: game}
}

var testChances = []float64{20, 30, 50}

// honest is a record of each round, with its outcome.
func honest(t testing.TB, list []verify.ChainHash, game Game) []line {
	t.Helper()
	var lines []line
	for n := 1; n < len(list); n++ {
		l := line{"round": n, "hash": list[n].String()}
		var err error
		switch game {
		case Rocket:
			var rocket verify.Rocket
			rocket, err = verify.NewRocket(list[n].String())
			l["multiplier"] = fmt.Sprintf("%.2f", rocket.Multiplier)
		case Platforms:
			l["platform"], err = verify.LastPlatform(list[n].String())
		case Battle:
			l["chances"] = testChances
			l["winner"], err = verify.BattleWinner(list[n].String(), testChances)
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines
}

func asJSON(t testing.TB, lines []line) string {
	t.Helper()
	var b strings.Builder
	for _, l := range lines {
		raw, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(raw, '\n'))
	}
	return b.String()
}

func asCSV(lines []line) string {
	var b strings.Builder
	columns := []string{"hash", "chances", "winner", "round", "platform", "multiplier", "outcome"}
	b.WriteString(strings.Join(columns, ",") + "\n")
	for _, l := range lines {
		var fields []string
		for _, column := range columns {
			text := ""
			if v, ok := l[column]; ok {
				text = strings.Trim(fmt.Sprint(v), "[]")
			}
			fields = append(fields, text)
		}
		b.WriteString(strings.Join(fields, ",") + "\n")
	}
	return b.String()
}

func auditText(t testing.TB, o Options, texts ...string) *Result {
	t.Helper()
	r, err := Audit(sourcesOf(texts...), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func sourcesOf(texts ...string) (list []records.Source) {
	for i, text := range texts {
		list = append(list, records.Source{Name: fmt.Sprintf("file%d", i), Reader: strings.NewReader(text)})
	}
	return list
}

// found lists the findings as round, check, result and reason.
func found(r *Result) []string {
	list := []string{}
	for _, f := range r.Findings {
		list = append(list, fmt.Sprintf("%d %s %s %s", f.Round, f.Check, f.Result, f.Reason))
	}
	return list
}

// wholly is everything that a result says of its rounds.
func wholly(r *Result) string {
	var b strings.Builder
	for round := range r.All() {
		fmt.Fprintln(&b, round.Number, round.Hash, math.Float64bits(round.Claim), round.Results, round.Verdict)
	}
	fmt.Fprint(&b, found(r), r.Verdict(), r.Counts, r.Gaps, r.Missing, r.GapList, r.Claims)
	return b.String()
}

func expectFindings(t *testing.T, what string, r *Result, want ...string) {
	t.Helper()
	if got := found(r); !slices.Equal(got, append([]string{}, want...)) {
		t.Errorf("%s: found\n  %s\nwant\n  %s", what, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}
