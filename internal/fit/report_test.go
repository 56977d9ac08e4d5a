package fit

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"minesaudit/internal/config"
)

func tilesReport(t *testing.T, change ...string) Report {
	t.Helper()
	text, err := os.ReadFile(tiles + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer(append(change, "idl: hidden_tiles.json", "idl: "+absolute(t, tiles+".json"))...).Replace(string(text))
	p, err := load(t, changed)
	if err != nil {
		t.Fatal(err)
	}
	return Check(&p)
}

func open(r Report, outcome string) map[string]string {
	checks := map[string]string{}
	for _, e := range r.Ends {
		if e.Outcome == outcome {
			for _, o := range e.Open {
				checks[o.Check] = o.Needs
			}
		}
	}
	return checks
}

func TestCheckTiles(t *testing.T) {
	r := tilesReport(t)
	if !r.Checkable || len(r.Events) != 4 || len(r.Ends) != 3 {
		t.Errorf("report %+v", r)
	}
	for _, e := range r.Ends {
		if len(e.Open) > 0 || e.Start != "RoundOpened" {
			t.Errorf("%+v", e)
		}
	}
	if got := strings.Join(r.Warnings, "\n"); got != "names no operators: void_right is not checked" {
		t.Errorf("warnings:\n%s", got)
	}
}

// Each field that is taken out opens the checks that need it, and no others.
func TestCheckCosts(t *testing.T) {
	for _, test := range []struct {
		field, line, outcome string
		want                 []string
	}{
		{"commit_hash", "    commit_hash: terms.seed_hash\n", "won", []string{"commit"}},
		{"mines_count", "    mines_count: terms.mines\n", "voided", nil},
		{"stake", "    stake: terms.wager\n", "voided", []string{"refund"}},
		{"refund", "    refund: reason.Cancelled.returned\n", "voided", []string{"refund"}},
		{"payout", "      payout: win\n", "won", []string{"payout"}},
	} {
		r := tilesReport(t, test.line, "")
		got := open(r, test.outcome)
		for _, check := range test.want {
			if !strings.Contains(got[check], test.field) {
				t.Errorf("without %s: %s is %q", test.field, check, got[check])
			}
		}
		if len(got) != len(test.want) {
			t.Errorf("without %s: %v", test.field, got)
		}
		if !slices.ContainsFunc(r.Events, func(e Event) bool { return slices.Contains(e.Missing, test.field) }) {
			t.Errorf("%s is not said to be missing", test.field)
		}
	}
}

// A payout that balances tell can be checked.
func TestCheckBalance(t *testing.T) {
	r := tilesReport(t, "      payout: win\n", "", "key: [", "payout: {balance: token}\nkey: [")
	if got := open(r, "won"); len(got) > 0 || r.Balance != "token" || !strings.Contains(r.Text(), "account gains: token") {
		t.Errorf("open %v in\n%s", got, r.Text())
	}
	if !slices.Contains(r.Events[1].Missing, "payout") {
		t.Error("payout is not said to be missing")
	}
}

func TestCheckWarnings(t *testing.T) {
	operators := []string{"key: [", "operators: [8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe]\nkey: ["}
	for _, test := range []struct {
		name   string
		change []string
		want   string
	}{
		{"no program", []string{"program: 8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe\n", ""}, "names no program"},
		{"another program", []string{"program: 8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe", "program: 6m2CDdhRgxpH4WjvdzxAYbGxwdGUz5MziiL5jek2kBma"}, "hidden_tiles.json is of program 8SFq"},
		{"logs only", []string{"events_in: cpi", "events_in: logs"}, "looks for events in logs only"},
		{"no board", []string{"      server_seed: reveal.seed\n", "", "      mines_mask: reveal.mines\n", ""}, "no board of a game that ends by RoundCashedOut can be checked"},
	} {
		r := tilesReport(t, append(test.change, operators...)...)
		if got := strings.Join(r.Warnings, "\n"); !strings.Contains(got, test.want) || strings.Contains(got, "operators") {
			t.Errorf("%s: %s", test.name, got)
		}
	}
}

// An end that nobody mapped leaves games open for ever: it is named.
func TestCheckOverlooked(t *testing.T) {
	text := `
program: 8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe
idl: ` + absolute(t, tiles+".json") + `
key: [game]
settled: {event: RoundCashedOut, lost: false, fields: {game: round}}
`
	p, err := load(t, text)
	if err != nil {
		t.Fatal(err)
	}
	r := Check(&p)
	got := strings.Join(r.Warnings, "\n")
	for _, want := range []string{
		"nothing can be checked", "event RoundBusted looks like a game that is settled", "event RoundClosed looks like a game that is voided",
		"no event is started", "no event is voided",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if r.Checkable || strings.Contains(got, "TilePicked") {
		t.Errorf("checkable is %v, warnings:\n%s", r.Checkable, got)
	}
}

func TestCheckBuiltin(t *testing.T) {
	p := config.Builtin()
	r := Check(&p)
	if !r.Checkable || len(r.Ends) != 3 || len(r.Events) != 0 {
		t.Errorf("report %+v", r)
	}
	for _, e := range r.Ends {
		if len(e.Open) > 0 {
			t.Errorf("%+v", e)
		}
	}
}

func TestReportText(t *testing.T) {
	r := tilesReport(t, "      payout: win\n", "")
	text := r.Text()
	for _, want := range []string{
		"settled by RoundBusted: lost", "voided by RoundClosed when reason.Cancelled", "terms.edge_ppb: u32",
		"by this profile, not published", "payout is inconclusive", "not published: payout",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	raw, err := json.Marshal(r)
	if err != nil || strings.Contains(string(raw), "null") {
		t.Errorf("%v: %s", err, raw)
	}
}
