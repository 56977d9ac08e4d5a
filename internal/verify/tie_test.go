package verify

import (
	"slices"
	"testing"
)

// voidedTwice is a game that an operator and a stranger voided before its
// timeout, in one slot: only the stranger may not.
func voidedTwice(strangerFirst bool) (*Game, *Rules) {
	operator, stranger := [32]byte{1}, [32]byte{2}
	rules := DefaultRules()
	rules.Operators = [][32]byte{operator}
	g := &Game{
		Starts: []Start{{MinesCount: 3, Stake: 100, RefundTimeout: 3600, StartedAt: 1000, Slot: 5}},
		Ends: []End{
			{Kind: EndVoided, Slot: 9, BlockTime: 1010, HasBlockTime: true, Voided: Voided{Refund: 100, Authority: operator}},
			{Kind: EndVoided, Slot: 9, BlockTime: 1010, HasBlockTime: true, Voided: Voided{Refund: 100, Authority: stranger}},
		},
		TiedEnds: 2, Complete: true,
	}
	if strangerFirst {
		slices.Reverse(g.Ends)
	}
	return g, &rules
}

func TestWhatAnUnknownOrderBearsOnIsOpen(t *testing.T) {
	for _, strangerFirst := range []bool{false, true} {
		g, rules := voidedTwice(strangerFirst)
		r := Judge(g, rules)
		if r.Verdict != VerdictFail || r.Results[CheckLifecycle] != ResultFail {
			t.Errorf("two voids: verdict %s, lifecycle %s; want both to fail", r.Verdict, r.Results[CheckLifecycle])
		}
		if got := r.Results[CheckVoidRight]; got != ResultInconclusive {
			t.Errorf("void_right is %s although nobody knows who voided first (stranger listed first: %v)", got, strangerFirst)
		}
		if got := r.Results[CheckRefund]; got != ResultPass {
			t.Errorf("refund is %s, want pass: both gave the whole stake back", got)
		}
		if !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Check == CheckVoidRight && f.Reason == ReasonOrderUnknown }) {
			t.Errorf("findings %v do not say that the order is unknown", r.Findings)
		}
	}
}

func TestAKnownOrderIsUsed(t *testing.T) {
	g, rules := voidedTwice(true)
	g.TiedEnds = 1
	g.Ends[1].Slot = 10
	if got := Judge(g, rules).Results[CheckVoidRight]; got != ResultFail {
		t.Errorf("void_right is %s, want fail: the stranger came first", got)
	}
}

func TestCountlessTiesStayBounded(t *testing.T) {
	g, rules := voidedTwice(false)
	for range 10_000 {
		g.Ends = append(g.Ends, g.Ends[1])
	}
	g.TiedEnds = len(g.Ends)
	r := Judge(g, rules)
	for c, result := range r.Results {
		switch {
		case Check(c) == CheckLifecycle && result != ResultFail:
			t.Errorf("lifecycle is %s, want fail", result)
		case Check(c) != CheckLifecycle && result == ResultPass, Check(c) != CheckLifecycle && result == ResultFail:
			t.Errorf("%s is %s with an order that nobody knows", Check(c), result)
		}
	}
}
