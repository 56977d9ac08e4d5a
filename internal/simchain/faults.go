package simchain

import (
	"math"
	"sync"
)

// Faults is what goes wrong with a node: on demand, or by a seed. All methods may
// be called at any time from any goroutine; nothing goes wrong until one is called.
type Faults struct {
	mu    sync.Mutex
	forks *forkPlan // of the chain
	plan  *plan     // nil: nothing but on demand

	withheld, doubled float64 // shares of transactions
	mute              bool
	delay, lag        int
	nulls             int
	asked, lacked     map[uint64]int // getTransaction calls by signature, where some are denied
	holes             int
	hidden            map[uint64]bool // signatures that lists leave out
	http              []HTTPFault     // of the next requests
	down              bool            // and all after them fail
	pages             int             // 0: as long as a node's are
	turn              bool            // the next of these pages is ordered otherwise
}

func newFaults(forks *forkPlan) *Faults {
	return &Faults{forks: forks, asked: map[uint64]int{}, lacked: map[uint64]int{}}
}

// Inject has faults of these kinds happen by themselves from now on, in place of
// those injected before. What happens to which transaction and in which slot
// follows from the seed. The error is ErrFinality.
func (f *Faults) Inject(seed int64, kinds ...Fault) error {
	p := newPlan(seed, kinds)
	if p.has(forks) {
		if err := f.forks.draw(p); err != nil {
			return err
		}
	}
	f.set(func() { f.plan = p })
	return nil
}

// Withhold keeps the notifications of a share (0 to 1) of transactions back. Which
// ones follows from their signatures.
func (f *Faults) Withhold(share float64) { f.set(func() { f.withheld = share }) }

// Duplicate sends the notifications of a share (0 to 1) of transactions twice.
func (f *Faults) Duplicate(share float64) { f.set(func() { f.doubled = share }) }

// Mute keeps all notifications back, slots too, while sockets stay open.
func (f *Faults) Mute(on bool) { f.set(func() { f.mute = on }) }

// Delay keeps all notifications back for some slots, as a node does whose
// websockets lag behind its ledger.
func (f *Faults) Delay(slots int) { f.set(func() { f.delay = slots }) }

// Lag has the node fall some blocks behind the chain in all that it says, or, with
// 0, catch up: a head that goes back is a node's fault and no fork.
func (f *Faults) Lag(blocks int) { f.set(func() { f.lag = blocks }) }

// Pages has signature lists come in pages of n at most, whatever was asked for, every
// other one ordered by signature within a slot, as two nodes behind one address may do.
func (f *Faults) Pages(n int) { f.set(func() { f.pages = n }) }

// NullFirst lets getTransaction answer null the first n times it is asked for a
// signature, as a node does that lags behind its own notifications.
func (f *Faults) NullFirst(n int) { f.set(func() { f.nulls = n; clear(f.asked) }) }

// Holes leaves the next n transactions of the program out of signature lists;
// getTransaction knows them all the same.
func (f *Faults) Holes(n int) { f.set(func() { f.holes = n }) }

// FillHoles lists them again.
func (f *Faults) FillHoles() { f.set(func() { f.holes, f.hidden = 0, nil }) }

// HTTP answers the next requests with these faults, one each in this order.
func (f *Faults) HTTP(next ...HTTPFault) { f.set(func() { f.http = append(f.http, next...) }) }

// Down answers every request with ServerError until Heal, but for those that HTTP has
// another answer for.
func (f *Faults) Down() { f.set(func() { f.down = true }) }

// Heal takes back what is still to come: HTTP faults, withheld, doubled and
// late notifications, lag, answers of null, and whatever a seed has in store.
// Lies stay told, and holes that were asked for stay until FillHoles.
func (f *Faults) Heal() {
	_ = f.forks.draw(nil) // only a plan with forks can fail
	f.set(func() {
		f.http, f.down, f.withheld, f.doubled, f.nulls, f.delay, f.lag, f.pages = nil, false, 0, 0, 0, 0, 0, 0
		f.plan = f.plan.lies()
	})
}

// DropStarts takes the next n starts back in a fork, after they were confirmed:
// those games never were.
func (f *Faults) DropStarts(n int) error { return f.forks.want(forkStart, n, 0) }

// DropEnds takes the next n ends back; the operator sends each again later, under
// another signature.
func (f *Faults) DropEnds(n int) error { return f.forks.want(forkEnd, n, 0) }

// RelandStarts moves the next n starts to a later slot after they were confirmed:
// same signature, another slot hash, another board.
func (f *Faults) RelandStarts(n int) error { return f.forks.want(forkStart, 0, n) }

// RelandEnds moves the next n ends to a later slot after they were confirmed.
func (f *Faults) RelandEnds(n int) error { return f.forks.want(forkEnd, 0, n) }

func (f *Faults) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

// muted tells whether all notifications are kept back.
func (f *Faults) muted() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mute
}

// delayed is for how many blocks notifications are kept back while the chain is at
// a slot: a node that lags has nothing to tell of either.
func (f *Faults) delayed(slot uint64) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return max(f.delay, f.plan.delay(slot), f.lag, f.plan.lag(slot))
}

// lagging is how many blocks the node is behind while the chain is at a slot.
func (f *Faults) lagging(slot uint64) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return max(f.lag, f.plan.lag(slot))
}

// copies is how often the notification of t is sent: 0, 1 or 2 times.
func (f *Faults) copies(t *tx) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := float64(t.salt>>32) / math.MaxUint32
	switch {
	case at < f.withheld:
		return 0
	case 1-at < f.doubled:
		return 2
	default:
		return f.plan.copies(t)
	}
}

// playsDead tells whether getTransaction is to deny t this time.
func (f *Faults) playsDead(t *tx) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	most := max(f.nulls, f.plan.nulls(t))
	if most == 0 {
		return false
	}
	f.asked[t.short()]++
	return f.asked[t.short()] <= most
}

// lacks tells whether getTransaction is to have no history of t this time.
func (f *Faults) lacks(t *tx) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	most := f.plan.lacks(t)
	if most > 0 {
		f.lacked[t.short()]++
	}
	return f.lacked[t.short()] <= most && most > 0
}

// dig hides a new transaction of the program from lists if holes are wanted.
func (f *Faults) dig(t *tx) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.holes == 0 || t.layout == foreignOnly {
		return
	}
	if f.hidden == nil {
		f.hidden = map[uint64]bool{}
	}
	f.holes--
	f.hidden[t.short()] = true
}

// hides tells whether lists leave t out while the newest final slot is at final.
func (f *Faults) hides(t *tx, final uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.hidden[t.short()] {
		return true
	}
	_, is := f.plan.marks(holes, t, 12)
	return is && final < t.slot+holeSlots
}

// page is how many entries the next page of a list may have, and whether the list
// is ordered by signature inside a slot.
func (f *Faults) page(asked int) (limit int, bySignature bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pages > 0 {
		f.turn = !f.turn
		return min(asked, f.pages), f.turn
	}
	if d, is := f.plan.next(shortPages, 1); is {
		return min(asked, d.between(5, 40)), d.oneIn(2)
	}
	return asked, false
}

// forgets tells whether the node is not to know the transaction that the next
// `before` or `until` names.
func (f *Faults) forgets(bound string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 6
	if bound == "until" {
		n = 2
	}
	_, is := f.plan.next(anchors, n)
	return is
}

// refuses tells whether the next subscription to logs is to be refused.
func (f *Faults) refuses() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, is := f.plan.next(refuseSubs, 3)
	return is
}

// logLimit is how many bytes the node keeps of a transaction's log.
func (f *Faults) logLimit(t *tx) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.plan.logLimit(t)
}
