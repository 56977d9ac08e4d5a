package simchain

import (
	"cmp"
	"slices"
)

// ledger is what a node has stored: blocks, and the ways to find a transaction.
// Its owner, Chain, guards it.
type ledger struct {
	program  Key
	finality uint64

	blocks []*block
	txs    []*tx            // in chain order, also those that a fork dropped
	places map[uint64]int32 // in txs, by tx.short
	lists  map[Key][]int32  // of places, ascending, by account (not those of foreign programs)

	final int // index in blocks of the newest finalized one
}

func newLedger(program Key, finality int) *ledger {
	return &ledger{program: program, finality: uint64(finality), places: map[uint64]int32{}, lists: map[Key][]int32{}}
}

// add appends a block. It gives the blocks that have become final by that.
func (l *ledger) add(b *block) []*block {
	for _, t := range b.gone {
		l.remove(t)
	}
	for _, t := range b.txs {
		place := int32(len(l.txs))
		l.txs = append(l.txs, t)
		l.places[t.short()] = place
		for _, k := range l.listed(t) {
			l.lists[k] = append(l.lists[k], place)
		}
	}
	l.blocks = append(l.blocks, b)
	from := l.final
	for l.final+1 < len(l.blocks) && l.blocks[l.final+1].slot+l.finality <= b.slot {
		l.final++
	}
	return l.blocks[from+1 : l.final+1]
}

// listed names the accounts in whose lists a transaction stands.
func (l *ledger) listed(t *tx) []Key {
	keys := []Key{t.signer}
	if t.layout != foreignOnly {
		keys = append(keys, l.program)
	}
	if t.event != nil {
		keys = append(keys, t.game(), t.user())
	}
	return keys
}

// remove forgets a transaction that a fork dropped; it was never final.
func (l *ledger) remove(t *tx) {
	place, known := l.places[t.short()]
	if !known || l.txs[place] != t {
		return
	}
	delete(l.places, t.short())
	for _, k := range l.listed(t) {
		if at, found := slices.BinarySearch(l.lists[k], place); found {
			l.lists[k] = slices.Delete(l.lists[k], at, at+1)
		}
	}
	if b := l.block(t.slot); b != nil {
		b.txs = slices.DeleteFunc(slices.Clone(b.txs), func(other *tx) bool { return other == t })
	}
}

// find gives the transaction with a signature and its place, nil if there is none
// that stands.
func (l *ledger) find(signature [64]byte) (*tx, int32) {
	probe := tx{signature: signature}
	place, known := l.places[probe.short()]
	if !known || l.txs[place].signature != signature {
		return nil, -1
	}
	return l.txs[place], place
}

// block gives the block of a slot, nil if it was skipped or is not there.
func (l *ledger) block(slot uint64) *block {
	i, found := l.indexOf(slot)
	if !found {
		return nil
	}
	return l.blocks[i]
}

func (l *ledger) indexOf(slot uint64) (int, bool) {
	return slices.BinarySearchFunc(l.blocks, slot, func(b *block, slot uint64) int { return cmp.Compare(b.slot, slot) })
}

// tip is the index of the newest block at a commitment.
func (l *ledger) tip(c commitment) int {
	if c == finalized {
		return l.final
	}
	return len(l.blocks) - 1
}

func (l *ledger) tipSlot(c commitment) uint64 { return l.blocks[l.tip(c)].slot }
