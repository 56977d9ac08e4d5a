package inspect

import (
	"testing"

	"minesaudit/internal/verify"
)

// The worst game counts, wherever it stands.
func TestVerdictOfSeveralGames(t *testing.T) {
	const pass, fail, open, pending = verify.VerdictPass, verify.VerdictFail, verify.VerdictInconclusive, verify.VerdictPending
	for _, test := range []struct {
		games []verify.Verdict
		want  verify.Verdict
	}{
		{nil, open},
		{[]verify.Verdict{pass, pass}, pass},
		{[]verify.Verdict{pass, pending}, open},
		{[]verify.Verdict{open, pass}, open},
		{[]verify.Verdict{fail, open}, fail},
		{[]verify.Verdict{pending, fail}, fail},
		{[]verify.Verdict{pass, fail, pass}, fail},
	} {
		var r Result
		for _, v := range test.games {
			r.Cases = append(r.Cases, Case{Report: verify.Report{Verdict: v}})
		}
		if got := r.Verdict(); got != test.want {
			t.Errorf("%v come to %v, want %v", test.games, got, test.want)
		}
	}
}
