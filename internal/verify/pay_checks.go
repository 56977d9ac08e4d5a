package verify

import "strconv"

// outcome asks whether the settlement pays what a loss pays exactly if it tells
// of one, by its bust tile or, where that is not published, in other ways. What
// only seems lost by its pay cannot be held against its pay.
func (j *judgement) outcome(s *Settled, owed *due) {
	fate, tells := s.tells()
	lost := fate == fateLost
	loss, lacks := j.rules.showsLoss(s)
	switch {
	case s.contradicts():
		j.fail(CheckOutcome, ReasonMismatch, s.outcomeText(), "said to be "+s.Says.String())
	case !tells:
		j.unknown(CheckOutcome, unpublished(FieldBustTile), "")
	case lacks != 0:
		j.unknown(CheckOutcome, unpublished(lacks), "")
	case loss == lost:
		j.pass(CheckOutcome)
	case lost:
		j.fail(CheckOutcome, ReasonMismatch, s.outcomeText(), s.paidText())

	// A won game that pays nothing is right only if nothing is what it owes.
	case owed.multiplierGap.reason != "":
		j.unknown(CheckOutcome, owed.multiplierGap, s.paidText())
	case owed.payoutGap.reason != "":
		j.unknown(CheckOutcome, owed.payoutGap, s.paidText())
	case owed.payout == 0 && (owed.multiplier == 0 || j.rules.LostMultiplier == LostAtBust):
		j.pass(CheckOutcome)
	default:
		j.fail(CheckOutcome, ReasonMismatch, s.outcomeText(), s.paidText())
	}
}

// amount compares the multiplier, the payout or the refund with what is owed.
// lacks is its field where that is not published.
func (j *judgement) amount(c Check, want uint64, unknown gap, got uint64, lacks Fields) {
	switch {
	case lacks != 0:
		j.unknown(c, unpublished(lacks), "")
	case unknown.reason != "":
		j.unknown(c, unknown, decimal(got))
	case want == got:
		j.pass(c)
	default:
		j.fail(c, ReasonMismatch, decimal(want), decimal(got))
	}
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
