package verify

import "testing"

// What a settlement says of its outcome is held against its bust tile, and
// stands for it where there is none.
func TestSays(t *testing.T) {
	won, lost := sampleGame(t), lostGame(t)
	paidLoss, unpaidWin := lostGame(t), sampleGame(t)
	paidLoss.Ends[0].Settled.Payout = 5
	unpaidWin.Ends[0].Settled.Multiplier, unpaidWin.Ends[0].Settled.Payout = 0, 0
	for _, test := range []struct {
		name               string
		game               Game
		says               Outcome
		hide               Fields
		outcome            Result
		isLost             bool
		expected, observed string // of a fail
	}{
		{"won, says won", won, OutcomeWon, 0, ResultPass, false, "", ""},
		{"won, says lost", won, OutcomeLost, 0, ResultFail, false, "won, no bust tile", "said to be lost"},
		{"lost, says lost", lost, OutcomeLost, 0, ResultPass, true, "", ""},
		{"lost, says won", lost, OutcomeWon, 0, ResultFail, true, "lost, by bust tile 0", "said to be won"},
		{"no bust tile, says won", won, OutcomeWon, FieldBustTile, ResultPass, false, "", ""},
		{"no bust tile, says lost", lost, OutcomeLost, FieldBustTile, ResultPass, true, "", ""},
		{"no bust tile, paid, says lost", won, OutcomeLost, FieldBustTile, ResultFail, true, "lost, as it says", "multiplier 25326, payout 2532610"},
		{"no bust tile, paid a little, says lost", paidLoss, OutcomeLost, FieldBustTile | FieldMultiplier, ResultFail, true, "lost, as it says", "multiplier not published, payout 5"},
		{"no bust tile, paid nothing, says won", unpaidWin, OutcomeWon, FieldBustTile, ResultFail, false, "won, as it says", "multiplier 0, payout 0"},
		{"no bust tile, unsaid, paid", won, OutcomeUnsaid, FieldBustTile, ResultInconclusive, false, "", ""},
		{"no bust tile, unsaid, paid nothing", lost, OutcomeUnsaid, FieldBustTile, ResultInconclusive, true, "", ""},
		{"no bust tile, unsaid, a zero alone", lost, OutcomeUnsaid, FieldBustTile | FieldMultiplier, ResultInconclusive, false, "", ""},
	} {
		g := test.game
		g.Ends = []End{g.Ends[0]}
		s := &g.Ends[0].Settled
		s.Says = test.says
		if s.HasBust {
			s.BustTile = 0 // so that it has one text; bust_is_mine is not asked
		}
		g = hidden{end: test.hide}.from(g, Game{})
		rules := DefaultRules()
		r := Judge(&g, &rules)
		if r.Results[CheckOutcome] != test.outcome || r.Lost != test.isLost {
			t.Errorf("%s: outcome %v, lost %v, want %v, %v", test.name, r.Results[CheckOutcome], r.Lost, test.outcome, test.isLost)
		}
		for _, f := range r.Findings {
			if f.Check == CheckOutcome && f.Result == ResultFail && (f.Expected != test.expected || f.Observed != test.observed) {
				t.Errorf("%s: %q, %q, want %q, %q", test.name, f.Expected, f.Observed, test.expected, test.observed)
			}
		}
	}
}

// Where nothing tells the outcome, what was paid is not taken for a loss's: an
// unpaid win looks the same.
func TestAnUnpaidWinIsNotPassedAsALoss(t *testing.T) {
	rules := DefaultRules()
	g := sampleGame(t)
	g.Ends[0].Settled.Multiplier, g.Ends[0].Settled.Payout = 0, 0
	g = hidden{end: FieldBustTile}.from(g, Game{})
	r := Judge(&g, &rules)
	for _, c := range []Check{CheckOutcome, CheckMultiplier, CheckPayout} {
		if !isOpen(&r, c) {
			t.Errorf("%v is %v", c, r.Results[c])
		}
	}
}

func TestOutcomeNames(t *testing.T) {
	for o, want := range map[Outcome]string{OutcomeUnsaid: "unsaid", OutcomeWon: "won", OutcomeLost: "lost", 3: "outcome(3)"} {
		if got := o.String(); got != want {
			t.Errorf("%d: %s, want %s", uint8(o), got, want)
		}
	}
}

// What passed without a field does not show its zero.
func TestDetailsOfWhatIsNotPublished(t *testing.T) {
	rules := rulesWithOperator()
	void := hidden{end: FieldAuthority}.from(voidedGame(t, End{BlockTime: 1_003_600, HasBlockTime: true}), Game{})
	won := hidden{end: FieldMultiplier | FieldMinesMask}.from(sampleGame(t), Game{})
	for _, test := range []struct {
		game     Game
		check    Check
		observed string
	}{
		{void, CheckVoidRight, "not published"},
		{won, CheckOutcome, "multiplier not published, payout 2532610"},
	} {
		r := Judge(&test.game, &rules)
		if f := r.Details(&test.game)[test.check]; f.Result != ResultPass || f.Observed != test.observed {
			t.Errorf("%v: %+v, want %q", test.check, f, test.observed)
		}
	}
	won.Ends[0].Settled.RevealedMask |= 1 << 30
	r := Judge(&won, &rules)
	for _, f := range r.Findings {
		if f.Check == CheckMaskRange && (f.Result != ResultFail || f.Observed[:31] != "mines not published, revealed 0") {
			t.Errorf("%+v", f)
		}
	}
}

// An authority that is not published is no operator's key, not even that of zeros.
func TestNoAuthorityIsNoOperator(t *testing.T) {
	rules := DefaultRules()
	rules.Operators = [][32]byte{{}}
	g := hidden{end: FieldAuthority}.from(voidedGame(t, End{BlockTime: 1_000_001, HasBlockTime: true}), Game{})
	if r := Judge(&g, &rules); !isOpen(&r, CheckVoidRight) {
		t.Errorf("void_right is %v", r.Results[CheckVoidRight])
	}
}
