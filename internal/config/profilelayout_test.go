package config

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"minesaudit/internal/decode"
)

const tilesProfile = "../decode/testdata/hidden_tiles.yaml"

// tilesDir gives a folder with the other program's IDL, for profiles beside it.
func tilesDir(t testing.TB) string {
	t.Helper()
	raw, err := os.ReadFile("../decode/testdata/hidden_tiles.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hidden_tiles.json"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func loadIn(t testing.TB, dir, text string) (Profile, error) {
	t.Helper()
	path := filepath.Join(dir, "profile.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return LoadProfile(path)
}

func tilesText(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(tilesProfile)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestMappedProfile(t *testing.T) {
	p, err := LoadProfile(tilesProfile)
	if err != nil {
		t.Fatal(err)
	}
	if p.Layout.IsBuiltin() || p.EventsIn != decode.InCPI || p.LogMessages || len(p.IDLs) != 1 || p.IDLs[0].File != "hidden_tiles.json" {
		t.Errorf("profile %+v", p)
	}
	if rules := p.Rules(); rules.EdgeScale != 1_000_000_000 || rules.Validate() != nil {
		t.Errorf("rules %+v", rules)
	}
	if got := len(p.Layout.Bounds()); got != 4 {
		t.Errorf("%d events", got)
	}
	if _, err := decode.NewReader(p.Program, p.Layout, p.EventsIn, p.LogMessages); err != nil {
		t.Error(err)
	}
}

// Where nothing is said, an IDL whose instructions take an event authority may
// emit by both ways.
func TestMappedProfileDefaults(t *testing.T) {
	text := strings.Replace(tilesText(t), "events_in: cpi\n", "payout: {balance: token}\n", 1)
	p, err := loadIn(t, tilesDir(t), strings.Replace(text, "key: [game, user, nonce]\n", "", 1))
	if err != nil {
		t.Fatal(err)
	}
	if p.EventsIn != decode.InBoth || p.PayoutFromBalance != decode.BalanceToken {
		t.Errorf("profile %+v", p)
	}
}

// The hash of a profile that maps stands in databases, too: it must not change
// while the profile means the same.
func TestMappedHash(t *testing.T) {
	base, err := LoadProfile(tilesProfile)
	if err != nil {
		t.Fatal(err)
	}
	const want = "6c00d1cb43b14555fd1f7f49284a8d7f040a079bf8cfac7a1dade63e7c2ecba8"
	if got := base.Hash(); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	dir := tilesDir(t)
	file := filepath.Join(dir, "hidden_tiles.json")
	idl, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, old, new string // in the profile, or else in the IDL
		same           bool
	}{
		{"program", "program: 8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe", "", true},
		{"order of the key", "[game, user, nonce]", "[nonce, user, game]", true},
		{"long form", "game: round\n", "game: {path: round}\n", true},
		{"an event of no use", `"name": "TilePicked"`, `"name": "TileChosen"`, true},
		{"a name of the IDL", `"name": "hidden_tiles"`, `"name": "hiddener_tiles"`, true},
		{"where", "events_in: cpi", "events_in: both", false},
		{"key", "[game, user, nonce]", "[game]", false},
		{"path", "max_payout: terms.win_limit", "max_payout: terms.wager", false},
		{"field taken out", "    max_payout: terms.win_limit\n", "", false},
		{"unit", "unit: ppb", "unit: bps", false},
		{"constant", "payout: {value: 0}", "payout: {value: 1}", false},
		{"lost", "    lost: true\n", "", false},
		{"when", "when: reason.Cancelled", "when: reason.Swept", false},
		{"balance", "key: [", "payout: {balance: lamports}\nkey: [", false},
		{"messages", "events_in: cpi", "events_in: both\nlog_messages: true", false},
		{"width", `"name": "wager",`, `"name": "wager", "docs": [],`, true},
	} {
		changed := strings.Replace(tilesText(t), test.old, test.new, 1)
		if err := os.WriteFile(file, []byte(strings.Replace(string(idl), test.old, test.new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := loadIn(t, dir, changed)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if (p.Hash() == base.Hash()) != test.same {
			t.Errorf("%s: same is %v", test.name, !test.same)
		}
	}
	counter := regexp.MustCompile(`("name": "counter",\s+"type": )"u64"`)
	wider := counter.ReplaceAllString(string(idl), `$1"u32"`)
	if wider == string(idl) {
		t.Fatal("the IDL is written otherwise")
	}
	if err := os.WriteFile(file, []byte(wider), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := loadIn(t, dir, tilesText(t)); err != nil || p.Hash() == base.Hash() {
		t.Errorf("another width leaves the hash: %v", err)
	}
}

func TestMappedProfileErrors(t *testing.T) {
	dir := tilesDir(t)
	for _, test := range []struct {
		name, old, new string
		want           []string
	}{
		{"no such file", "idl: hidden_tiles.json", "idl: other.json", []string{"line 4: idl[0]: ", "no such file"}},
		{"no IDL", "idl: hidden_tiles.json", "idl: profile.yaml", []string{"line 4: idl[0]: profile.yaml: idl: not an Anchor IDL"}},
		{"without a file", "idl: hidden_tiles.json", "idl: {from_slot: 3}", []string{"names no file"}},
		{"none from the first slot", "idl: hidden_tiles.json", "idl: {file: hidden_tiles.json, from_slot: 3}", []string{"no IDL holds from slot 0"}},
		{"two from one slot", "idl: hidden_tiles.json", "idl: [hidden_tiles.json, hidden_tiles.json]", []string{"two IDLs hold from slot 0"}},
		{"key of idl", "idl: hidden_tiles.json", "idl: {fiel: hidden_tiles.json}", []string{`unknown key "idl[0].fiel": did you mean "file"?`}},
		{"layout", "key: [", "layout: builtin:mines\nkey: [", []string{"line 6: layout: the layout follows from the IDL"}},
		{"events_in", "events_in: cpi", "events_in: log", []string{`line 5: events_in: "log": want one of`}},
		{"messages by CPI", "events_in: cpi", "events_in: cpi\nlog_messages: true", []string{"line 6: log_messages: events are looked for by CPI alone"}},
		{"balance", "key: [", "payout: {balance: sol}\nkey: [", []string{`payout.balance: balance "sol"`}},
		{"part of a key", "[game, user, nonce]", "[game, stake]", []string{`line 6: key: "stake" is no part of a key`}},
		{"empty key", "[game, user, nonce]", "[]", []string{"line 6: key: is empty"}},
		{"part twice", "[game, user, nonce]", "[game, game]", []string{"line 6: key: game stands twice"}},
		{"key not mapped", "    nonce: player.counter\n", "", []string{"line 8: started[0]: nonce is part of the key: map it"}},
		{"event", "event: RoundOpened", "event: roundOpend", []string{`line 8: started[0].event: the IDL has no event "roundOpend": did you mean "RoundOpened"?`}},
		{"no event", "  event: RoundOpened\n", "", []string{"started[0]: names no event"}},
		{"role", "    stake: ", "    stakes: ", []string{`started[0].fields.stakes: no field of a game that is started: did you mean "stake"?`}},
		{"role of another kind", "    stake: ", "    refund: ", []string{"fields.refund: no field of a game that is started: known are game, user"}},
		{"path", "stake: terms.wager", "stake: terms.wagr", []string{`line 14: started[0].fields.stake: event "RoundOpened": path "terms.wagr": no such field: "wagr" in Terms`, `"wager"`}},
		{"type", "stake: terms.wager", "stake: terms.seed_hash", []string{`path "terms.seed_hash" is [u8; 32]: want an integer or a float`}},
		{"unit", "unit: ppb", "unit: percent", []string{`started[0].fields.house_edge:`, `unit "percent" does not go with it`}},
		{"decimals of a hash", "commit_hash: terms.seed_hash", "commit_hash: {path: terms.seed_hash, decimals: 2}", []string{`unit "tokens" does not go with it`}},
		{"too many decimals", "stake: terms.wager", "stake: {path: terms.wager, decimals: 20}", []string{"20 decimals: want 0 to 19"}},
		{"path and value", "{value: 0}", "{value: 0, path: tile}", []string{"one of the two"}},
		{"neither", "{value: 0}", "{unit: tokens, decimals: 1}", []string{"one of the two"}},
		{"value", "{value: 0}", "{value: x}", []string{"settled[1].fields.multiplier: want an amount"}},
		{"constant key", "game: round", "game: {value: 3}", []string{"game is part of the key, and a constant"}},
		{"when", "when: reason.Cancelled", "when: round", []string{`line 49: voided[0].when:`, "it is always there"}},
		{"when nowhere", "when: reason.Cancelled", "when: reason.Canceled", []string{`voided[0].when: event "RoundClosed": path "reason.Canceled": no such field`}},
		{"lost of a start", "  event: RoundOpened", "  lost: true\n  event: RoundOpened", []string{"started[0]: only a settlement is lost or won"}},
		{"lost in words", "lost: true", "lost: yes please", []string{"settled[1].lost: want true or false"}},
		{"mapped twice", "event: RoundBusted", "event: RoundCashedOut", []string{"settled[1]"}},
		{"key of a field", "unit: ppb", "unti: ppb", []string{`did you mean "unit"?`}},
		{"fields no mapping", "  fields:\n    game: round\n    user: player.account\n    nonce: player.counter\n    mines_count", "  fields: x\n  other:\n    mines_count", []string{"started[0].fields: want lines of the form key: value"}},
		{"a field twice", "    stake: terms.wager", "    stake: terms.wager\n    stake: terms.wager", []string{"started[0].fields.stake"}},
	} {
		text := strings.Replace(tilesText(t), test.old, test.new, 1)
		if text == tilesText(t) {
			t.Fatalf("%s: nothing is changed", test.name)
		}
		_, err := loadIn(t, dir, text)
		if !errors.Is(err, ErrUsage) {
			t.Errorf("%s: error %v does not match ErrUsage", test.name, err)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: no %q in:\n%v", test.name, want, err)
			}
		}
	}
}

func TestMappingNeedsAnIDL(t *testing.T) {
	_, err := loadIn(t, t.TempDir(), "key: [game]\nsettled: {event: X}\n")
	if err == nil || !strings.Contains(err.Error(), "line 1: key: says what the fields") || !strings.Contains(err.Error(), "line 2: settled: ") {
		t.Error(err)
	}
}
