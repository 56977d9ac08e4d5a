package simchain

import (
	"cmp"
	"slices"
)

// lies are the transactions that a node made up. They are told of, listed and
// given like any other. The chain's mu guards them.
type lies struct {
	made   []*tx // by slot, ascending
	byName map[[64]byte]*tx
}

func newLies() *lies { return &lies{byName: map[[64]byte]*tx{}} }

// in gives what was made up in a slot.
func (l *lies) in(slot uint64) []*tx {
	from, _ := slices.BinarySearchFunc(l.made, slot, func(t *tx, slot uint64) int { return cmp.Compare(t.slot, slot) })
	to := from
	for to < len(l.made) && l.made[to].slot == slot {
		to++
	}
	return l.made[from:to]
}

// slotBelow is the newest slot at or below one in which something was made up for
// an account; 0 if there is none.
func (l *lies) slotBelow(program, k Key, slot uint64) uint64 {
	for _, t := range slices.Backward(l.made) {
		if t.slot <= slot && t.mentions(program, k) {
			return t.slot
		}
	}
	return 0
}

// invent makes up what this node adds to a new block: a second end of a game, or
// the start of one that is not played, as an event of the block that is changed.
// The caller holds the chain's mu.
func (n *Node) invent(b *block) {
	for _, t := range b.txs {
		if t.event == nil || t.err != "" {
			continue
		}
		d, is := n.Faults.invents(t)
		if !is {
			continue
		}
		made := &tx{
			signature: signature(int64(d.Uint64()), t.salt), slot: b.slot, event: forge(t.event, d), signer: t.signer,
			layout: gamePlain, version: legacy, salt: d.Uint64(),
		}
		if n.lies.byName[made.signature] != nil { // t has landed again after a fork; one story is enough
			continue
		}
		n.lies.made = append(n.lies.made, made)
		n.lies.byName[made.signature] = made
	}
}

// see gives a transaction as this node shows it, nil if it hides it. The caller
// holds the chain's mu.
func (n *Node) see(t *tx) *tx {
	honest, rigged := n.chain.world.honest[t.short()]
	d, hidden, altered := n.Faults.bends(t)
	switch {
	case hidden, altered && rigged && honest == nil:
		return nil
	case altered && rigged:
		shown := *t
		shown.event = honest
		return &shown
	case altered && t.event != nil && d.oneIn(10):
		shown := *t
		shown.event = slices.Clone(t.event)
		shown.event[len(t.event)-8] ^= 1 + byte(d.IntN(255))
		return &shown
	}
	return t
}

// known finds the transaction that this node shows by a signature, and its place
// in the ledger (-1 if it was made up); nil if it shows none. The caller holds the
// chain's mu.
func (n *Node) known(signature [64]byte) (*tx, int32) {
	if made := n.lies.byName[signature]; made != nil {
		return made, -1
	}
	t, place := n.chain.ledger.find(signature)
	if t != nil {
		t = n.see(t)
	}
	return t, place
}

// shown lists the transactions of a block as this node shows them.
func (n *Node) shown(b *block) []*tx {
	n.chain.mu.RLock()
	defer n.chain.mu.RUnlock()
	if !n.Faults.dishonest() {
		return b.txs
	}
	var list []*tx
	for _, t := range b.txs {
		if t = n.see(t); t != nil {
			list = append(list, t)
		}
	}
	return append(list, n.lies.in(b.slot)...)
}

// bends draws what a dishonest node does to a transaction. An altered one is
// another one only if the dice or the operator's own deeds give a reason.
func (f *Faults) bends(t *tx) (d dice, hidden, altered bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, hidden = f.plan.marks(hide, t, 12)
	d, altered = f.plan.marks(alter, t, 1)
	return d, hidden, altered
}

func (f *Faults) invents(t *tx) (dice, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.plan.marks(invent, t, 15)
}

// dishonest tells whether the node lies at all.
func (f *Faults) dishonest() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.plan.has(hide) || f.plan.has(alter) || f.plan.has(invent)
}
