package simchain

import "slices"

// plan is what goes wrong with a node by itself. What happens is drawn from the
// seed and from what it happens to: a transaction, a slot, or the n-th request of
// its kind; never from a clock. The same seed does the same to the same
// transactions and slots at any speed; which request is the n-th is the client's
// doing.
//
// A plan is guarded by its Faults. A nil plan lets nothing go wrong.
type plan struct {
	seed   int64
	kinds  []Fault
	counts map[Fault]uint64
}

func newPlan(seed int64, kinds []Fault) *plan {
	return &plan{seed: seed, kinds: slices.Clone(kinds), counts: map[Fault]uint64{}}
}

func (p *plan) has(k Fault) bool { return p != nil && slices.Contains(p.kinds, k) }

// next draws for the next event of a kind, true for one in n. The dice are for
// more draws about the same event.
func (p *plan) next(k Fault, n int) (dice, bool) {
	if !p.has(k) {
		return dice{}, false
	}
	p.counts[k]++
	d := newDice(p.seed, string(k), p.counts[k])
	return d, d.oneIn(n)
}

// marks draws for a transaction, true for one in n and always the same.
func (p *plan) marks(k Fault, t *tx, n int) (dice, bool) {
	if !p.has(k) {
		return dice{}, false
	}
	d := newDice(p.seed, string(k), t.short())
	return d, d.oneIn(n)
}

// during draws for the span of slots that a slot is in, true for one span in n.
func (p *plan) during(k Fault, slot uint64, span uint64, n int) (dice, bool) {
	if !p.has(k) {
		return dice{}, false
	}
	d := newDice(p.seed, string(k), slot/span)
	return d, d.oneIn(n)
}

// How long the faults that come in spans last, in slots.
const (
	delaySpan = 8
	lagSpan   = 12
	cutSpan   = 10
)

// holeSlots is how long after its finality a transaction may be missing from
// lists: a reader that reads some way over what it has read finds it later.
const holeSlots = 3

func (p *plan) delay(slot uint64) int {
	d, is := p.during(delayNotes, slot, delaySpan, 3)
	if !is {
		return 0
	}
	return d.between(1, 24)
}

func (p *plan) lag(slot uint64) int {
	d, is := p.during(lag, slot, lagSpan, 3)
	if !is {
		return 0
	}
	return d.between(5, 30)
}

// cuts tells what is done to all sockets in the first block of a span.
func (p *plan) cuts(parent, slot uint64) (cut, deafen bool) {
	if parent/cutSpan == slot/cutSpan {
		return false, false
	}
	_, cut = p.during(cutSockets, slot, cutSpan, 3)
	_, deafen = p.during(halfOpen, slot, cutSpan, 5)
	return cut, deafen
}

// copies is how often a transaction is notified.
func (p *plan) copies(t *tx) int {
	if _, is := p.marks(dropNotes, t, 5); is {
		return 0
	}
	if _, is := p.marks(doubleNotes, t, 5); is {
		return 2
	}
	return 1
}

// nulls is how often getTransaction denies a transaction at first.
func (p *plan) nulls(t *tx) int {
	d, is := p.marks(nullFirst, t, 4)
	if !is {
		return 0
	}
	return d.between(1, 3)
}

// lacks is how often getTransaction has no history of a transaction at first.
func (p *plan) lacks(t *tx) int {
	d, is := p.marks(noHistory, t, 8)
	if !is {
		return 0
	}
	return d.between(1, 3)
}

// logLimit is how many bytes the node keeps of a transaction's log.
func (p *plan) logLimit(t *tx) int {
	d, is := p.marks(shortLogs, t, 8)
	if !is {
		return logLimit
	}
	return d.between(150, 1_200)
}

// http draws what goes wrong with the next request, if anything does.
func (p *plan) http() (HTTPFault, bool) {
	if d, is := p.next(rateLimit, 12); is {
		return [...]HTTPFault{TooManyRequests, TooManyBare, RPCTooMany}[d.IntN(3)], true
	}
	if d, is := p.next(serverError, 12); is {
		return [...]HTTPFault{ServerError, BadGateway, InternalError}[d.IntN(3)], true
	}
	for _, of := range []struct {
		kind  Fault
		n     int
		fault HTTPFault
	}{{htmlPage, 12, HTMLPage}, {cutJSON, 12, CutJSON}, {hang, 60, Hang}} {
		if _, is := p.next(of.kind, of.n); is {
			return of.fault, true
		}
	}
	return 0, false
}

// lies is what is left of a plan when everything but lies has ended.
func (p *plan) lies() *plan {
	if p == nil {
		return nil
	}
	left := *p
	left.kinds = slices.DeleteFunc(slices.Clone(p.kinds), func(k Fault) bool { return k != hide && k != alter && k != invent })
	return &left
}
