package verify

import (
	"math/bits"
	"strconv"
)

// Details gives every check of the game that r reports on, by number: the
// findings, and what was compared where a check passed. A check that had
// nothing to check says so by its result alone.
func (r *Report) Details(g *Game) []Finding {
	details := make([]Finding, NumChecks)
	for i, result := range r.Results {
		details[i] = Finding{Check: Check(i), Result: result}
		if result == ResultPass {
			details[i].Expected, details[i].Observed = g.compared(Check(i))
		}
	}
	for _, f := range r.Findings {
		details[f.Check] = f
	}
	return details
}

// compared gives the texts of a check that passed, in the form that a finding
// of it has. Where a check asks for equality, passing it means that what was
// observed is what was expected.
func (g *Game) compared(c Check) (expected, observed string) {
	switch c {
	case CheckLifecycle:
		return same("1 start, 1 end")
	case CheckRefund:
		return same(decimal(g.Ends[0].Voided.Refund))
	case CheckVoidRight:
		if g.Ends[0].Voided.Missing.Has(FieldAuthority) {
			return "an operator's key, or after the timeout", notPublished
		}
		return "an operator's key, or after the timeout", hashText(g.Ends[0].Voided.Authority)
	default:
		return g.Ends[0].Settled.compared(c)
	}
}

func (s *Settled) compared(c Check) (expected, observed string) {
	switch c {
	case CheckCommit:
		return same(commitText(s.ServerSeed))
	case CheckSlothashKept:
		return same(hashText(s.Slothash))
	case CheckBoard:
		return same(maskText(s.MinesMask))
	case CheckMineCount:
		return same(strconv.Itoa(bits.OnesCount32(s.MinesMask)) + " mines")
	case CheckMaskRange:
		return "no tile above 24", s.masksText()
	case CheckRevealsSafe:
		return "no mine among " + maskText(s.RevealedMask), maskText(0)
	case CheckBustIsMine:
		return "a mine", "tile " + strconv.Itoa(int(s.BustTile))
	case CheckBustNotRevealed:
		return "tile " + strconv.Itoa(int(s.BustTile)) + " not revealed", maskText(s.RevealedMask)
	case CheckOutcome:
		return s.outcomeText(), s.paidText()
	case CheckMultiplier:
		return same(decimal(s.Multiplier))
	case CheckPayout:
		return same(decimal(s.Payout))
	default: // terms_kept never passes
		return "", ""
	}
}

func same(text string) (expected, observed string) { return text, text }
