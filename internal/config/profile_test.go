package config

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// noFiles is for profiles that name no IDL.
func noFiles(string) ([]byte, error) { return nil, errors.New("no such file") }

const wholeProfile = `
program: ` + keyA + `
layout: builtin:mines
payout:
  scale: 1000000
  rounding: floor_each
  cap: multiplier
  payout_from: rounded
  lost_multiplier: at_bust
operators: [` + keyB + `, ` + keyA + `, ` + keyB + `]
void_rate_ceiling: 0.125
`

func TestLoadProfileWhole(t *testing.T) {
	path := write(t, wholeProfile)
	p, err := LoadProfile(path)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := ParseKey(keyA)
	b, _ := ParseKey(keyB)
	rules := p.Rules()
	if rules.Scale != 1000000 || rules.Rounding != verify.FloorEach || rules.Cap != verify.CapMultiplier ||
		rules.PayoutFrom != verify.FromRounded || rules.LostMultiplier != verify.LostAtBust {
		t.Errorf("rules %+v", rules)
	}
	if len(rules.Operators) != 2 || rules.Operators[0] != a || rules.Operators[1] != b {
		t.Errorf("operators %x", rules.Operators)
	}
	if p.Name != path || p.Program != keyA || !p.Layout.IsBuiltin() || p.VoidRateCeiling != 0.125 {
		t.Errorf("profile %+v", p)
	}
	if err := rules.Validate(); err != nil {
		t.Error(err)
	}
}

func TestBuiltinIsTheDefaultRules(t *testing.T) {
	p, err := LoadProfile(BuiltinMines)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(p.Rules()), fmt.Sprint(verify.DefaultRules()); got != want {
		t.Errorf("rules %v, want %v", got, want)
	}
	for _, text := range []string{"", "---\n", "# nothing\n", "{}\n", "payout:\n", "payout: {}\noperators: []\n", "layout: builtin:mines\n"} {
		same, bad := parseProfile([]byte(text), noFiles)
		if len(bad) > 0 || same.Hash() != p.Hash() || same.VoidRateCeiling != p.VoidRateCeiling {
			t.Errorf("%q is %+v, %v", text, same, bad)
		}
	}
}

func TestRulesDoNotShareOperators(t *testing.T) {
	p, _ := parseProfile([]byte("operators: ["+keyA+"]"), noFiles)
	p.Rules().Operators[0][0]++
	if a, _ := ParseKey(keyA); p.Operators[0] != a {
		t.Error("a caller changed the profile")
	}
}

// The hash of the builtin profile stands in databases: it must never change.
func TestHashIsStable(t *testing.T) {
	p := Builtin()
	if got, want := p.Hash(), "7fc3b4402bfb0321547b99c26fdf59a356fef0fef225d35c77b5e165617946af"; got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

func TestHashIsOfWhatVerdictsDependOn(t *testing.T) {
	base, _ := parseProfile([]byte(wholeProfile), noFiles)
	for _, change := range []struct{ old, new string }{
		{"program: " + keyA, "program: " + keyB},
		{"void_rate_ceiling: 0.125", "void_rate_ceiling: 1"},
		{"[" + keyB + ", " + keyA + ", " + keyB + "]", "[" + keyA + ", " + keyB + "]"},
		{"scale: 1000000", "# a comment\n  scale: 0xF4240"},
	} {
		if p, bad := parseProfile([]byte(strings.Replace(wholeProfile, change.old, change.new, 1)), noFiles); len(bad) > 0 || p.Hash() != base.Hash() {
			t.Errorf("%q changes the hash; %v", change.new, bad)
		}
	}
	seen := map[string]string{base.Hash(): "base"}
	for _, change := range []struct{ old, new string }{
		{"scale: 1000000", "scale: 100000"},
		{"floor_each", "floor_once"},
		{"floor_each", "nearest"},
		{"cap: multiplier", "cap: none"},
		{"cap: multiplier", "cap: payout"},
		{"rounded", "exact"},
		{"at_bust", "zero"},
		{"[" + keyB + ", ", "["},
		{keyA + ", " + keyB + "]", keyB + "]"},
	} {
		p, bad := parseProfile([]byte(strings.Replace(wholeProfile, change.old, change.new, 1)), noFiles)
		// Taking away one of two equal operators changes nothing.
		if change.new == "[" {
			if p.Hash() != base.Hash() {
				t.Errorf("%q changes the hash", change.new)
			}
			continue
		}
		if other, same := seen[p.Hash()]; same || len(bad) > 0 {
			t.Errorf("%q has the hash of %s; %v", change.new, other, bad)
		}
		seen[p.Hash()] = change.new
	}
}

func TestLoadProfileErrors(t *testing.T) {
	cases := []struct {
		name, text string
		want       []string
	}{
		{"unknown key", "void_rate_cieling: 0.1\n", []string{`line 1: unknown key "void_rate_cieling": did you mean "void_rate_ceiling"?`}},
		{"unknown inner key", "payout:\n  rouding: nearest\n", []string{`line 2: unknown key "payout.rouding": did you mean "rounding"?`}},
		{"flag's spelling", "void-rate-ceiling: 0.1\n", []string{`did you mean "void_rate_ceiling"?`}},
		{"unlike any", "zzzzzz: x\n", []string{`line 1: unknown key "zzzzzz": known are events_in, idl, key, layout, log_messages, operators, payout, program, settled, started, void_rate_ceiling, voided`}},
		{"all at once", "payout: {scale: 0, rounding: floor, cap: 1, payout_from: x, lost_multiplier: y}\nlayout: other\nprogram: x\noperators: [a, b]\nvoid_rate_ceiling: 1.5\n", []string{
			"10 problems", "payout.scale: 0 is not from 1", `payout.rounding: rounding "floor"`, "payout.cap", "payout.payout_from",
			"payout.lost_multiplier", "line 2: layout", "line 3: program", "line 4: operators: key 1", "line 4: operators: key 2",
		}},
		{"ceiling", "void_rate_ceiling: -0.1", []string{"-0.1 is not a share from 0 to 1"}},
		{"ceiling NaN", "void_rate_ceiling: .nan", []string{"NaN is not a share"}},
		{"ceiling in words", "void_rate_ceiling: low", []string{"line 1: void_rate_ceiling: want a number"}},
		{"scale too large", "payout: {scale: 1000000000001}", []string{"payout.scale"}},
		{"scale beyond 64 bits", "payout: {scale: 18446744073709551616}", []string{"payout.scale: want a whole number"}},
		{"negative scale", "payout: {scale: -1}", []string{"payout.scale: want a whole number"}},
		{"fractional scale", "payout: {scale: 1.5}", []string{"payout.scale: want a whole number"}},
		{"payout no mapping", "payout: 3", []string{"line 1: payout: want lines of the form key: value"}},
		{"operators no list", "operators: " + keyA, []string{"operators: want a list"}},
		{"root no mapping", "- a\n", []string{"line 1: want lines of the form key: value"}},
		{"twice", "payout: {scale: 1, scale: 2}", []string{`key "payout.scale" stands twice`}},
		{"twice, first null", "layout: ~\nlayout: builtin:mines", []string{`line 2: key "layout" stands twice`}},
		{"two documents", "layout: builtin:mines\n---\nlayout: builtin:mines\n", []string{"more than one YAML document"}},
		{"alias", "operators: &a [x]\nprogram: *a\n", []string{"line 1: anchors and aliases", "line 2: anchors and aliases"}},
		{"merge", "<<: {scale: 1}\n", []string{"unknown key"}},
		{"syntax", "payout: {", []string{"line 1"}},
		{"key no text", "? [a]\n: b\n", []string{"line 1: unknown key"}},
		{"too many operators", "operators: [" + strings.Repeat("a, ", 1001) + "]", []string{"1001 keys are more than 1000"}},
		{"too large", "# " + strings.Repeat("x", maxFile), []string{"larger than 65536 bytes"}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			path := write(t, tc.text)
			_, err := LoadProfile(path)
			if !errors.Is(err, ErrUsage) {
				t.Fatalf("error %v does not match ErrUsage", err)
			}
			for _, want := range tc.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("no %q in:\n%v", want, err)
				}
			}
		})
	}
}

func TestNearest(t *testing.T) {
	known := []string{"database_url", "listen", "log_level", "program", "rpc_url"}
	for word, want := range map[string]string{
		"rpcurl": "rpc_url", "RPC-URL": "rpc_url", "programme": "program", "loglevel": "log_level",
		"lisetn": "listen", "database": "", "zzz": "", "": "", strings.Repeat("listen", 1000): "",
	} {
		if got := nearest(word, known); got != want {
			t.Errorf("%q is near %q, want %q", word, got, want)
		}
	}
}

func FuzzProfile(f *testing.F) {
	file, err := os.ReadFile("../decode/testdata/hidden_tiles.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(wholeProfile), []byte{})
	f.Add([]byte("payout: {scale: 1e3}\n"), []byte{})
	f.Add([]byte("operators: &a [*a]\n"), []byte{})
	f.Add([]byte("void_rate_ceiling: !!float 1\n"), []byte{})
	f.Add([]byte("program: !!binary AAAA\n"), []byte{})
	f.Add([]byte("\xff\xfe\x00"), []byte{})
	f.Add([]byte(tilesText(f)), file)
	f.Add([]byte("idl: [{file: a}, {file: b, from_slot: 5}]\nkey: [game]\nsettled: {event: RoundClosed, when: reason.Swept, fields: {game: round, user: ~, payout: {value: 1.5, decimals: 2}}}\n"), file)
	f.Add([]byte("idl: a\nkey: [nonce]\nvoided: [{event: E, lost: true, fields: {nonce: {path: id, unit: bps}}}]\n"), []byte(`{"instructions":[],"events":[{"name":"E","fields":[{"name":"id","type":"u8"}]}]}`))
	f.Fuzz(func(t *testing.T, data, file []byte) {
		read := func(string) ([]byte, error) { return file, nil }
		p, bad := parseProfile(data, read)
		if len(bad) > 0 {
			if err := bad.err(); !errors.Is(err, ErrUsage) || err.Error() == "" {
				t.Errorf("problems %v make error %v", bad, err)
			}
			return
		}
		rules := p.Rules()
		if err := rules.Validate(); err != nil {
			t.Error(err)
		}
		if !(p.VoidRateCeiling >= 0 && p.VoidRateCeiling <= 1) {
			t.Errorf("ceiling %v", p.VoidRateCeiling)
		}
		if again, _ := parseProfile(data, read); again.Hash() != p.Hash() {
			t.Error("the same file has two hashes")
		}
		if _, err := decode.NewReader(keyA, p.Layout, p.EventsIn, p.LogMessages); err != nil {
			t.Error(err)
		}
		for _, b := range p.Layout.Bounds() {
			e := p.Layout.Parse(b.FromSlot, file)
			if e.Kind == 0 {
				t.Errorf("%+v", e)
			}
		}
	})
}
