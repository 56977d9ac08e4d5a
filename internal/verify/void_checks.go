package verify

import "fmt"

// voided makes the checks of a void.
func (j *judgement) voided(end *End) {
	when := j.voidWhen(end)
	j.report.VoidWhen = when
	j.refund(&end.Voided)
	j.voidRight(end, when)
}

func (j *judgement) refund(v *Voided) {
	lacks := v.Missing&FieldRefund | j.start.lacks(FieldStake)
	if j.start == nil {
		j.amount(CheckRefund, 0, because(ReasonStartNotSeen), v.Refund, lacks)
		return
	}
	j.amount(CheckRefund, j.start.Stake, gap{}, v.Refund, lacks)
}

func (j *judgement) voidWhen(end *End) VoidWhen {
	switch {
	case j.start == nil || j.start.lacks(FieldStartedAt|FieldRefundTimeout) != 0 || !end.HasBlockTime:
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
	unnamed := end.Voided.Missing & FieldAuthority
	lacks := unnamed | j.start.lacks(FieldStartedAt|FieldRefundTimeout)
	switch {
	case len(j.rules.Operators) == 0: // n/a
	case unnamed == 0 && j.rules.isOperator(end.Voided.Authority), when == AfterTimeout:
		j.pass(CheckVoidRight)
	case when == BeforeTimeout && unnamed == 0:
		j.fail(CheckVoidRight, ReasonEarlyVoid, "an operator's key before the timeout",
			fmt.Sprintf("%s at %d, started %d, timeout %d", authority(), end.BlockTime, j.start.StartedAt, j.start.RefundTimeout))
	case j.start == nil && unnamed == 0:
		j.open(CheckVoidRight, ReasonStartNotSeen, authority())
	case lacks != 0:
		j.unknown(CheckVoidRight, unpublished(lacks), "")
	default:
		j.open(CheckVoidRight, ReasonNoBlockTime, authority())
	}
}
