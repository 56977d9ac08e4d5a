package rounds

import (
	"errors"
	"strings"
	"testing"

	"minesaudit/internal/verify"
)

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
