package inspect

import (
	"strings"
	"testing"

	"minesaudit/internal/verify"
)

// Each convention of a profile shows the steps that it has.
func TestExplainedPay(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*verify.Rules)
		want   []string
	}{
		"default": {func(*verify.Rules) {}, []string{
			"multiplier = 9700/10000 x 25/20 x 24/19 x 23/18 x 22/17\n", "= 24541/9690 = 2.5326109391...\n", "floor of it x 10000: 25326\n",
			"payout     = floor(123456789 x 24541/9690) = 312668014\n", "cap on the payout: 18446744073709551615\n", "owed:      multiplier 25326, payout 312668014\n",
			"published: multiplier 25326, payout 312668014\n",
		}},
		"floor each": {func(r *verify.Rules) { r.Rounding, r.Scale = verify.FloorEach, 100 }, []string{
			"floor after each step, in units of 1/100: 97, 121, 152, 194, 251\n", "owed:      multiplier 251, payout 312668014\n",
		}},
		"nearest": {func(r *verify.Rules) { r.Rounding, r.Scale = verify.Nearest, 1 }, []string{"x 1, to the nearest integer: 3\n"}},
		"rounded": {func(r *verify.Rules) { r.PayoutFrom, r.Scale = verify.FromRounded, 10 }, []string{"payout     = floor(123456789 x 5/2) = 308641972\n"}},
		"cap on the multiplier": {func(r *verify.Rules) { r.Cap = verify.CapMultiplier }, []string{
			"cap on the multiplier: 18446744073709551615 / 10000\n", "payout     = floor(123456789 x 24541/9690)",
		}},
	} {
		a := audit(minesProgram)
		test.change(&a.Rules)
		r, err := InspectFiles(captured(t, "none-won-start", "none-won"), a)
		if err != nil {
			t.Fatal(err)
		}
		got := text(t, r, TextOptions{Explain: true})
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", name, want, got[strings.Index(got, "\nPay\n"):])
			}
		}
	}
}

// A rejected word is rare beyond any sample, so the page is given one.
func TestRejectedWordsAreShown(t *testing.T) {
	c := Case{Trace: &verify.Trace{Draws: []verify.Draw{{Bound: 25, Zone: 4294967275, Rejected: []uint32{4294967275}, Word: 26, At: 0, With: 1, Mine: 1}}}}
	var p page
	p.derivation(&c)
	const want = "  draw  0: ffffffeb = 4294967275 is not below the zone 4294967275: rejected\n" +
		"  draw  0: 0000001a = 26 < 4294967275, mod 25 = 1: swap places 0 and 1, mine at tile 1\n"
	if !strings.HasSuffix(p.String(), want) {
		t.Errorf("the page is\n%s", p.String())
	}
}
