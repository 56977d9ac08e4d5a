package verify

import (
	"testing"
)

// The texts of passed checks are in the form that findings have: where a check
// asks for equality, breaking the game keeps the expected text.
func TestDetailsOfAPass(t *testing.T) {
	g := sampleGame(t)
	rules := DefaultRules()
	report := Judge(&g, &rules)
	details := report.Details(&g)
	if len(details) != NumChecks {
		t.Fatalf("%d checks", len(details))
	}
	s := g.Ends[0].Settled
	mines := maskText(s.MinesMask)
	want := map[Check][2]string{
		CheckCommit:       {hashText(g.Starts[0].CommitHash), hashText(g.Starts[0].CommitHash)},
		CheckSlothashKept: {hashText(s.Slothash), hashText(s.Slothash)},
		CheckBoard:        {mines, mines},
		CheckMineCount:    {"5 mines", "5 mines"},
		CheckMaskRange:    {"no tile above 24", "mines " + mines + ", revealed " + maskText(s.RevealedMask)},
		CheckRevealsSafe:  {"no mine among " + maskText(s.RevealedMask), "0x0000000 {}"},
		CheckOutcome:      {"won, no bust tile", "multiplier " + decimal(s.Multiplier) + ", payout " + decimal(s.Payout)},
		CheckMultiplier:   {decimal(s.Multiplier), decimal(s.Multiplier)},
		CheckPayout:       {decimal(s.Payout), decimal(s.Payout)},
		CheckLifecycle:    {"1 start, 1 end", "1 start, 1 end"},
	}
	for i, d := range details {
		if d.Check != Check(i) || d.Result != report.Results[i] || d.Reason != "" {
			t.Errorf("detail %d is %+v, the result %v", i, d, report.Results[i])
		}
		if w := want[d.Check]; d.Expected != w[0] || d.Observed != w[1] {
			t.Errorf("%v: expected %q, observed %q; want %q", d.Check, d.Expected, d.Observed, w)
		}
	}
}

func TestDetailsOfALoss(t *testing.T) {
	g := sampleGame(t)
	s := &g.Ends[0].Settled
	s.HasBust, s.Multiplier, s.Payout = true, 0, 0
	for s.MinesMask>>s.BustTile&1 == 0 {
		s.BustTile++
	}
	rules := DefaultRules()
	report := Judge(&g, &rules)
	if report.Verdict != VerdictPass {
		t.Fatalf("%v: %+v", report.Verdict, report.Findings)
	}
	tile := "tile " + decimal(uint64(s.BustTile))
	for c, want := range map[Check][2]string{
		CheckBustIsMine:      {"a mine", tile},
		CheckBustNotRevealed: {tile + " not revealed", maskText(s.RevealedMask)},
		CheckOutcome:         {"lost, by bust " + tile, "multiplier 0, payout 0"},
	} {
		if d := report.Details(&g)[c]; d.Expected != want[0] || d.Observed != want[1] {
			t.Errorf("%v: expected %q, observed %q; want %q", c, d.Expected, d.Observed, want)
		}
	}
}

func TestDetailsOfAVoid(t *testing.T) {
	g := voidedGame(t, End{Voided: Voided{Authority: operator()}})
	rules := rulesWithOperator()
	report := Judge(&g, &rules)
	details := report.Details(&g)
	if d := details[CheckRefund]; d.Result != ResultPass || d.Observed != "1000000" {
		t.Errorf("refund: %+v", d)
	}
	if d := details[CheckVoidRight]; d.Result != ResultPass || d.Observed != hashText(operator()) {
		t.Errorf("void_right: %+v", d)
	}
	if d := details[CheckBoard]; d != (Finding{Check: CheckBoard}) {
		t.Errorf("board of a void: %+v", d)
	}
}

// What did not pass is told as the finding has it, and no game panics.
func TestDetailsKeepFindings(t *testing.T) {
	broken := sampleGame(t)
	broken.Ends[0].Settled.MinesMask = 1 << 31
	broken.Ends = append(broken.Ends, End{Kind: EndVoided})
	orphan := sampleGame(t)
	orphan.Starts = nil
	running := sampleGame(t)
	running.Ends = nil
	rules := rulesWithOperator()
	for name, g := range map[string]Game{"broken": broken, "orphan": orphan, "running": running, "empty": {}} {
		report := Judge(&g, &rules)
		details := report.Details(&g)
		for _, f := range report.Findings {
			if details[f.Check] != f {
				t.Errorf("%s: %+v, the finding is %+v", name, details[f.Check], f)
			}
		}
	}
}
