package rounds

import (
	"fmt"

	"minesaudit/internal/verify"
)

// extraHashes bounds what is hashed to find out about rounds above false ones.
const extraHashes = 5 * verify.ChainLength

// A judgement goes up the chain round by round.
type judgement struct {
	*audit
	proved uint32 // the highest round whose hash is proved; 0: none yet
	taken  uint64 // hashes beyond one a step
}

// judgeAll gives each round its place in the chain, and says of rounds without
// a claim what that is worth.
func (a *audit) judgeAll() error {
	j := &judgement{audit: a}
	lower := uint32(0)
	for round, e := range a.table.all() {
		if err := j.judge(round, e, lower); err != nil {
			return err
		}
		a.result.gap(lower, round)
		lower = round
		if a.result.Claims > 0 && e.result(CheckOutcome) == verify.ResultNA {
			e.setResult(CheckOutcome, verify.ResultInconclusive)
			a.result.find(Finding{round, e.place(), CheckOutcome, verify.ResultInconclusive, reasonNotGiven, "", ""})
		}
		a.result.count(e)
	}
	a.result.sortFindings()
	return nil
}

func (j *judgement) judge(round uint32, e *entry, lower uint32) error {
	switch {
	case e.link == linkToFixed, e.link == linkToRound && j.proved == lower:
		j.pass(round, e)
		return nil
	case e.link == linkToRound && j.table.at(lower).result(CheckChain) == verify.ResultInconclusive:
		j.unknown(round, e)
		return nil
	case e.link == linkToRound:
		j.fail(round, e, reasonFollows, "a hash that leads to the terminal", fmt.Sprintf("it leads to the hash given for round %d, which does not", lower))
		return nil
	case e.link == brokenAtFixed, j.proved == lower:
		to, _, err := j.below(round, lower)
		if err != nil {
			return err
		}
		position, found := j.far.list[round]
		j.broken(round, e, lower, to, position, found)
		return nil
	default:
		return j.pastFalse(round, e, lower)
	}
}

// pastFalse holds a round whose lower neighbour is false against the nearest
// hash below that is proved.
func (j *judgement) pastFalse(round uint32, e *entry, lower uint32) error {
	to, err := j.fixedBelow(j.position(round))
	if err != nil {
		return err
	}
	if j.proved > 0 && j.position(j.proved) >= to.position {
		to = fixed{j.position(j.proved), j.table.at(j.proved).chainHash()}
	}
	gap := j.position(round) - to.position
	if j.taken+gap > j.extra {
		j.unknown(round, e)
		return nil
	}
	j.taken += gap
	steps, found := j.walk(e.chainHash(), to.hash, gap)
	if found && steps == gap {
		j.pass(round, e)
	} else {
		j.broken(round, e, lower, to, to.position+steps, found)
	}
	return nil
}

func (j *judgement) pass(round uint32, e *entry) {
	e.setResult(CheckChain, verify.ResultPass)
	j.proved = round
}

func (j *judgement) unknown(round uint32, e *entry) {
	e.setResult(CheckChain, verify.ResultInconclusive)
	j.result.find(Finding{
		round, e.place(), CheckChain, verify.ResultInconclusive, reasonNotChecked,
		"", fmt.Sprintf("false hashes lie below, and %d more hashes were taken to get past them", j.taken),
	})
}

// broken says in what way a hash fails that should have led to a fixed point or
// to a hash that is proved. If that was found too early, the hash has another
// position in the chain.
func (j *judgement) broken(round uint32, e *entry, lower uint32, to fixed, position uint64, found bool) {
	gap := j.position(round) - to.position
	expected := fmt.Sprintf("%s, after %d steps", to.hash, gap)
	switch own := position + uint64(round) - j.position(round); {
	case found && own == 0:
		j.fail(round, e, reasonOtherRound, expected, "this is the terminal itself")
	case found:
		j.fail(round, e, reasonOtherRound, expected, fmt.Sprintf("it comes after %d steps: this is the hash of round %d", position-to.position, own))
	case lower == round-1 && lower > 0 && j.table.at(lower).chainHash().Next() == e.chainHash():
		j.fail(round, e, reasonBackwards, expected, fmt.Sprintf("this is H of the hash of round %d: higher rounds must lead to lower ones", lower))
	case gap == 1:
		j.fail(round, e, reasonOffChain, expected, e.chainHash().Next().String())
	default:
		j.fail(round, e, reasonOffChain, expected, "another hash")
	}
}

func (j *judgement) fail(round uint32, e *entry, reason, expected, observed string) {
	e.setResult(CheckChain, verify.ResultFail)
	j.result.find(Finding{round, e.place(), CheckChain, verify.ResultFail, reason, expected, observed})
}
