package rpc

import "hash/maphash"

// toldMost bounds how many notifications are remembered: between toldMost and twice
// as many, some minutes of a busy program. What comes back later is taken for new,
// which does no harm: storing is idempotent.
const toldMost = 1 << 14

// told remembers what was notified lately, in two generations, of which the older is
// dropped when the younger is full. It is its owner's to lock.
type told struct {
	seed     maphash.Seed
	now, old map[toldKey]uint64 // a hash of outcome and log
}

// toldKey holds the slot too: a fork can bring a transaction again in another one.
type toldKey struct {
	signature [64]byte
	slot      uint64
}

// toldHow says what was known of a notification.
type toldHow uint8

const (
	notTold toldHow = iota
	toldAlike
	toldOtherwise
)

func newTold() *told {
	return &told{seed: maphash.MakeSeed(), now: map[toldKey]uint64{}}
}

func (t *told) look(tx *Tx) toldHow {
	key := toldKey{tx.Signature, tx.Slot}
	sum, known := t.now[key]
	if !known {
		sum, known = t.old[key]
	}
	switch {
	case !known:
		return notTold
	case sum == t.sum(tx):
		return toldAlike
	}
	return toldOtherwise
}

func (t *told) keep(tx *Tx) {
	if len(t.now) >= toldMost {
		t.now, t.old = make(map[toldKey]uint64, toldMost), t.now
	}
	t.now[toldKey{tx.Signature, tx.Slot}] = t.sum(tx)
}

// sum is over everything of a notification but its name and slot.
func (t *told) sum(tx *Tx) uint64 {
	var h maphash.Hash
	h.SetSeed(t.seed)
	_, _ = h.Write(tx.Err) // never fails
	if tx.LogsMissing {
		_ = h.WriteByte(1)
	}
	for _, line := range tx.Logs {
		_ = h.WriteByte(0) // a line holds no end of itself; 0xff is in no UTF-8
		_ = h.WriteByte(0xff)
		_, _ = h.WriteString(line)
	}
	return h.Sum64()
}
