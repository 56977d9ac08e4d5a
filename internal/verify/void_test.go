package verify

import (
	"math"
	"slices"
	"testing"
)

func voidedGame(t testing.TB, end End) Game {
	g := sampleGame(t)
	end.Kind, end.Slot = EndVoided, 71
	end.Voided.Refund = g.Starts[0].Stake
	g.Ends = []End{end}
	return g
}

func operator() [32]byte { return [32]byte{9} }

func rulesWithOperator() Rules {
	r := DefaultRules()
	r.Operators = [][32]byte{{8}, operator()}
	return r
}

func TestJudgeVoids(t *testing.T) {
	stranger := [32]byte{7}
	at := func(when int64, who [32]byte) End {
		return End{BlockTime: when, HasBlockTime: true, Voided: Voided{Authority: who}}
	}
	const deadline = 1_003_600
	tests := []struct {
		name  string
		game  Game
		right Result
		when  VoidWhen
	}{
		{"operator early", voidedGame(t, at(1_000_001, operator())), ResultPass, BeforeTimeout},
		{"operator late", voidedGame(t, at(deadline, operator())), ResultPass, AfterTimeout},
		{"operator, no block time", voidedGame(t, End{Voided: Voided{Authority: operator()}}), ResultPass, VoidWhenUnknown},
		{"stranger a second early", voidedGame(t, at(deadline-1, stranger)), ResultFail, BeforeTimeout},
		{"stranger in the second", voidedGame(t, at(deadline, stranger)), ResultPass, AfterTimeout},
		{"stranger late", voidedGame(t, at(math.MaxInt64, stranger)), ResultPass, AfterTimeout},
		{"stranger, no block time", voidedGame(t, End{BlockTime: deadline, Voided: Voided{Authority: stranger}}), ResultInconclusive, VoidWhenUnknown},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rules := rulesWithOperator()
			r := Judge(&test.game, &rules)
			want := map[Result]Verdict{ResultPass: VerdictPass, ResultFail: VerdictFail, ResultInconclusive: VerdictInconclusive}[test.right]
			if r.Results[CheckVoidRight] != test.right || r.VoidWhen != test.when || r.Verdict != want || r.Kind != EndVoided || r.Revealed != -1 {
				t.Errorf("%+v", r)
			}
			for _, f := range r.Findings {
				if test.right == ResultInconclusive && f.Reason != ReasonNoBlockTime || test.right == ResultFail && f.Reason != ReasonEarlyVoid {
					t.Errorf("finding %+v", f)
				}
			}
			unknown := DefaultRules()
			if r := Judge(&test.game, &unknown); r.Results[CheckVoidRight] != ResultNA || r.Verdict != VerdictPass || r.VoidWhen != test.when {
				t.Errorf("without operators: %+v", r)
			}
		})
	}
}

func TestJudgeVoidWithoutStart(t *testing.T) {
	g := voidedGame(t, End{BlockTime: math.MaxInt64, HasBlockTime: true, Voided: Voided{Authority: [32]byte{7}}})
	g.Starts, g.Complete = nil, true
	rules := rulesWithOperator()
	r := Judge(&g, &rules)
	if r.Verdict != VerdictInconclusive || r.VoidWhen != VoidWhenUnknown || len(r.Findings) != 3 {
		t.Errorf("%+v", r)
	}
	for _, f := range r.Findings {
		if f.Reason != ReasonStartNotSeen {
			t.Errorf("%+v", f)
		}
	}
}

func TestJudgeRefund(t *testing.T) {
	rules := DefaultRules()
	for _, refund := range []uint64{0, 999_999, 1_000_001, math.MaxUint64} {
		g := voidedGame(t, End{})
		g.Ends[0].Voided.Refund = refund
		if r := Judge(&g, &rules); !slices.Equal(failed(&r), []Check{CheckRefund}) || r.Findings[0].Expected != "1000000" || r.Findings[0].Observed != decimal(refund) {
			t.Errorf("refund of %d: %+v", refund, r.Findings)
		}
	}
}

func TestTimeoutReached(t *testing.T) {
	const lowest, highest = math.MinInt64, math.MaxInt64
	tests := []struct {
		now, started, timeout int64
		want                  bool
	}{
		{9, 5, 5, false},
		{10, 5, 5, true},
		{5, 5, 0, true},
		{4, 5, -1, true},
		{3, 5, -1, false},
		{highest, highest, 0, true},
		{highest, highest, 1, false}, // after every time
		{highest, 1, highest, false},
		{highest, 0, highest, true},
		{lowest, lowest, 0, true},
		{lowest, lowest, -1, true}, // before every time
		{lowest, lowest, lowest, true},
		{-2, highest, lowest, false}, // the sum is −1
		{-1, highest, lowest, true},
	}
	for _, test := range tests {
		if got := timeoutReached(test.now, test.started, test.timeout); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
