package verify

import (
	"fmt"
	"strconv"
)

// outcome asks whether the settlement shows a loss exactly if it names a bust
// tile. A loss shows as a payout of 0 and, by default, a multiplier of 0.
func (j *judgement) outcome(s *Settled, owed due) {
	shows := func(multiplier, payout uint64) bool {
		return payout == 0 && (multiplier == 0 || j.rules.LostMultiplier == LostAtBust)
	}
	paid := func() string { return fmt.Sprintf("multiplier %d, payout %d", s.Multiplier, s.Payout) }
	loss := shows(s.Multiplier, s.Payout)
	switch {
	case loss == s.HasBust:
		j.pass(CheckOutcome)
	case s.HasBust:
		j.fail(CheckOutcome, ReasonMismatch, fmt.Sprintf("lost, by bust tile %d", s.BustTile), paid())

	// A won game that pays nothing is right only if nothing is what it owes.
	case owed.multiplierReason != "":
		j.open(CheckOutcome, owed.multiplierReason, paid())
	case owed.payoutReason != "":
		j.open(CheckOutcome, owed.payoutReason, paid())
	case shows(owed.multiplier, owed.payout):
		j.pass(CheckOutcome)
	default:
		j.fail(CheckOutcome, ReasonMismatch, "won, no bust tile", paid())
	}
}

// amount compares the multiplier or the payout with what is owed.
func (j *judgement) amount(c Check, want uint64, unknown Reason, got uint64) {
	switch {
	case unknown != "":
		j.open(c, unknown, decimal(got))
	case want == got:
		j.pass(c)
	default:
		j.fail(c, ReasonMismatch, decimal(want), decimal(got))
	}
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
