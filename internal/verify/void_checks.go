package verify

import "fmt"

// voided makes the checks of a void.
func (j *judgement) voided(end *End) {
	when := j.voidWhen(end)
	j.report.VoidWhen = when
	if j.start == nil {
		j.open(CheckRefund, ReasonStartNotSeen, decimal(end.Voided.Refund))
	} else {
		j.amount(CheckRefund, j.start.Stake, "", end.Voided.Refund)
	}
	j.voidRight(end, when)
}

func (j *judgement) voidWhen(end *End) VoidWhen {
	switch {
	case j.start == nil || !end.HasBlockTime:
		return VoidWhenUnknown
	case timeoutReached(end.BlockTime, j.start.StartedAt, j.start.RefundTimeout):
		return AfterTimeout
	default:
		return BeforeTimeout
	}
}

// timeoutReached is now >= started + timeout, where the sum may pass 64 bits:
// then it lies after every time there is, or before.
func timeoutReached(now, started, timeout int64) bool {
	deadline := started + timeout
	switch {
	case timeout > 0 && deadline < started:
		return false
	case timeout < 0 && deadline > started:
		return true
	default:
		return now >= deadline
	}
}

// voidRight lets an operator void whenever it likes, and anyone after the
// timeout.
func (j *judgement) voidRight(end *End, when VoidWhen) {
	authority := func() string { return hashText(end.Voided.Authority) }
	switch {
	case len(j.rules.Operators) == 0: // n/a
	case j.rules.isOperator(end.Voided.Authority), when == AfterTimeout:
		j.pass(CheckVoidRight)
	case when == BeforeTimeout:
		j.fail(CheckVoidRight, ReasonEarlyVoid, "an operator's key before the timeout",
			fmt.Sprintf("%s at %d, started %d, timeout %d", authority(), end.BlockTime, j.start.StartedAt, j.start.RefundTimeout))
	case j.start == nil:
		j.open(CheckVoidRight, ReasonStartNotSeen, authority())
	default:
		j.open(CheckVoidRight, ReasonNoBlockTime, authority())
	}
}
