package simchain

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
)

// bound is a transaction that a list begins below or ends above.
type bound struct {
	tx    *tx // nil: no bound
	place int32
}

// newestFirst goes through an account's transactions as this node shows and
// orders them, from below `before` down to above `until`. Other nodes may order
// what is in one slot otherwise. The caller holds the chain's mu.
func (n *Node) newestFirst(k Key, before, until bound, bySignature bool) iter.Seq[*tx] {
	return func(yield func(*tx) bool) {
		from := n.tipSlot(confirmed)
		if before.tx != nil {
			from = before.tx.slot
		}
		for slot := n.slotBelow(k, from); slot > 0; slot = n.slotBelow(k, slot-1) {
			if until.tx != nil && slot < until.tx.slot {
				return
			}
			for _, e := range n.inSlot(k, slot, bySignature) {
				if before.tx != nil && !older(e, before, bySignature) {
					continue
				}
				if until.tx != nil && !older(until, e, bySignature) {
					return
				}
				if !yield(e.tx) {
					return
				}
			}
		}
	}
}

// slotBelow is the newest slot at or below one in which an account has
// transactions, 0 if there is none.
func (n *Node) slotBelow(k Key, slot uint64) uint64 {
	l := n.chain.ledger
	places := l.lists[k]
	at, _ := slices.BinarySearchFunc(places, slot+1, func(place int32, slot uint64) int { return cmp.Compare(l.txs[place].slot, slot) })
	made := n.lies.slotBelow(l.program, k, slot)
	if at == 0 {
		return made
	}
	return max(l.txs[places[at-1]].slot, made)
}

// inSlot lists an account's transactions of one slot, newest first.
func (n *Node) inSlot(k Key, slot uint64, bySignature bool) []bound {
	l := n.chain.ledger
	places := l.lists[k]
	at, _ := slices.BinarySearchFunc(places, slot, func(place int32, slot uint64) int { return cmp.Compare(l.txs[place].slot, slot) })
	var list []bound
	for ; at < len(places) && l.txs[places[at]].slot == slot; at++ {
		if t := n.see(l.txs[places[at]]); t != nil {
			list = append(list, bound{t, places[at]})
		}
	}
	for _, made := range n.lies.in(slot) {
		if made.mentions(l.program, k) {
			list = append(list, bound{made, -1})
		}
	}
	slices.SortFunc(list, func(a, b bound) int {
		if older(a, b, bySignature) {
			return 1
		}
		return -1
	})
	return list
}

// older tells whether a comes after b in a list. What was made up is the oldest of
// its slot.
func older(a, b bound, bySignature bool) bool {
	switch {
	case a.tx.slot != b.tx.slot:
		return a.tx.slot < b.tx.slot
	case bySignature || a.place == b.place:
		return bytes.Compare(a.tx.signature[:], b.tx.signature[:]) < 0
	default:
		return a.place < b.place
	}
}
