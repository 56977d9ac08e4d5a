package bets

import (
	"errors"
	"strings"
	"testing"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

func TestBadRecordsGoOn(t *testing.T) {
	for _, test := range []struct {
		field string
		value any
		want  string
	}{
		{"game", "rocket", "game: \"rocket\": want dice or hmac-mines"},
		{"game", nil, "game: not given"},
		{"server_seed", nil, "server_seed: not given"},
		{"client_seed", nil, "client_seed: not given"},
		{"nonce", nil, "nonce: not given"},
		{"nonce", 1 << 60, "above 2^53"},
		{"nonce", "1e3", "nonce: \"1e3\""},
		{"server_seed_hash", "abc", "server_seed_hash: \"abc\": want 64 hex digits"},
		{"selected", []string{"x"}, "selected:"},
		{"face", "x", "face: \"x\""},
		{"win", 1, "win: \"1\": want true or false"},
		{"tiles", []int{1}, "tiles: not a field of dice"},
		{"seed", "x", `unknown field "seed"`},
	} {
		l := rolled()
		l[test.field] = test.value
		r := auditText(t, Options{}, asJSON(t, rolled(), l, placed()))
		if r.Bad.Count != 1 || r.Bad.List[0].At.Line != 2 || !strings.Contains(r.Bad.List[0].Err.Error(), test.want) || r.Bets != 2 || r.Verdict() != verify.VerdictInconclusive {
			t.Errorf("%s %v: %+v, want %q", test.field, test.value, r.Bad, test.want)
		}
	}
	l := rolled()
	delete(l, "game")
	if r := auditText(t, Options{Game: "dice"}, asJSON(t, l)); r.Verdict() != verify.VerdictPass {
		t.Errorf("a game for all: %v %+v", found(r), r.Bad)
	}
	full := errors.New("full")
	_, err := Audit([]records.Source{{Name: "f", Reader: strings.NewReader(asJSON(t, rolled()))}}, Options{Each: func(*Bet) error { return full }})
	if !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
}

// FuzzAudit gives files of any bytes, and holds what passes to the rules.
func FuzzAudit(f *testing.F) {
	f.Add([]byte(asJSON(f, rolled(), placed())))
	f.Add([]byte(asCSV(rolled(), placed())))
	f.Fuzz(func(t *testing.T, in []byte) {
		o := Options{Each: func(b *Bet) error {
			if b.Results[CheckSeedHash] == verify.ResultPass && !b.ofBytes && !strings.EqualFold(b.ServerSeedHash, hashOf(b.ServerSeed)) {
				t.Fatalf("%+v", b)
			}
			if b.Verdict == verify.VerdictPass && (b.Claimed == "" && b.Outcome != "" || b.GameSeed != verify.GameSeed(b.ServerSeed, b.ClientSeed, b.Nonce)) {
				t.Fatalf("%+v", b)
			}
			return nil
		}}
		r, err := Audit([]records.Source{{Name: "fuzz", Reader: strings.NewReader(string(in))}}, o)
		if err != nil {
			return
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
