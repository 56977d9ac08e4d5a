package simchain

import (
	"encoding/binary"
	"time"
)

// firstSlot is the slot of a chain's first block, which is empty and final.
const firstSlot = 250_000_000

// block is a slot that was not skipped.
type block struct {
	slot, parent uint64
	time         int64 // unix seconds
	txs          []*tx
	gone         []*tx // of earlier blocks: lost in a fork that ends here
}

// world plays the games: it decides who does what in which slot. It is the
// producer's alone.
type world struct {
	Config
	*cast
	plan    cheatPlan
	forks   *forkPlan
	table   payTable
	nonces  []uint64 // by player
	pending map[uint64][]deed
	records []*record
	honest  map[uint64][]byte // what the end of a rigged game, by tx.short(), would have been; nil: nothing at all
	truths  truthLog

	slot    uint64 // the slot that is being made, or was made last
	opened  int    // games dealt so far
	running int    // dealt and not yet over
	made    uint64 // transactions made so far
}

// deed is something that is due in a slot (or, if that is skipped, the next).
type deed struct {
	what deedKind
	game *game
	tx   *tx
}

type deedKind uint8

const (
	endGame   deedKind = iota
	endAgain           // the second end of a game that has two
	vanish             // a fork drops a confirmed transaction
	startAnew          // a start that was dropped lands again
	landAnew           // any other one does
)

func newWorld(c Config, who *cast, forks *forkPlan) *world {
	return &world{
		Config: c, cast: who, plan: newCheatPlan(c.Seed, c.Games, c.Cheats), forks: forks,
		table: payTable{}, nonces: make([]uint64, len(who.users)), pending: map[uint64][]deed{}, honest: map[uint64][]byte{},
		truths: truthLog{out: c.Truth, seed: c.Seed, cpi: c.CPI}, slot: firstSlot,
	}
}

// first is the block that a chain begins with.
func (w *world) first() *block {
	return &block{slot: firstSlot, parent: firstSlot - 1, time: w.timeOf(firstSlot)}
}

// upcoming is the slot of the next block: about one in forty is skipped.
func (w *world) upcoming() uint64 {
	slot := w.slot + 1
	for newDice(w.Seed, "skip", slot).oneIn(40) {
		slot++
	}
	return slot
}

// next makes the next block.
func (w *world) next() *block {
	parent := w.slot
	w.slot = w.upcoming()
	b := &block{slot: w.slot, parent: parent, time: w.timeOf(w.slot)}
	for slot := parent + 1; slot <= w.slot; slot++ {
		for _, due := range w.pending[slot] {
			w.perform(b, due)
		}
		delete(w.pending, slot)
	}
	for range w.share(parent) {
		w.open(b)
	}
	d := newDice(w.Seed, "slot", w.slot)
	w.addNoise(b, d)
	if w.Hostile {
		w.addAttacks(b)
	}
	d.Shuffle(len(b.txs), func(i, j int) { b.txs[i], b.txs[j] = b.txs[j], b.txs[i] })
	return b
}

// over tells whether every game has been played.
func (w *world) over() bool { return w.Games > 0 && w.opened == w.Games && w.running == 0 }

// share is how many games start in this slot (and in the skipped ones before it).
func (w *world) share(parent uint64) int {
	share := w.GamesPerSlot
	if w.Rate > 0 {
		perSlot := w.Rate * w.SlotTime.Seconds()
		share = int(perSlot*float64(w.slot-firstSlot)) - int(perSlot*float64(parent-firstSlot))
	}
	if w.Games > 0 {
		share = min(share, w.Games-w.opened)
	}
	return share
}

func (w *world) timeOf(slot uint64) int64 {
	return w.StartTime + int64(time.Duration(slot-firstSlot)*w.SlotTime/time.Second)
}

// slothash is what SlotHashes holds for a slot: the bank's hash, which is another
// one than the blockhash.
func (w *world) slothash(slot uint64) Key { return derive(w.Seed, "bank hash", slot) }

func (w *world) later(slots int, d deed) {
	at := w.slot + uint64(slots)
	w.pending[at] = append(w.pending[at], d)
}

func (w *world) perform(b *block, d deed) {
	switch d.what {
	case endGame:
		w.end(b, d.game)
	case endAgain:
		w.endTwice(b, d.game)
	case vanish:
		b.gone = append(b.gone, d.tx)
	case startAnew:
		w.land(b, d.game, d.tx)
	case landAnew:
		again := *d.tx
		again.slot = w.slot
		b.txs = append(b.txs, &again)
		w.ended(d.game, &again)
	}
}

// newTx makes a transaction in the block and gives it the next signature.
func (w *world) newTx(b *block, l layout, signer Key, event []byte) *tx {
	t := &tx{
		signature: signature(w.Seed, w.made), slot: b.slot, event: event, signer: signer, layout: l, version: legacy,
	}
	w.made++
	t.salt = binary.LittleEndian.Uint64(t.signature[32:40])
	if t.salt%20 == 0 {
		t.version = v0
	}
	b.txs = append(b.txs, t)
	return t
}

// gameLayout varies how the program comes to be called; mostly it is plain.
func (w *world) gameLayout() layout {
	d := newDice(w.Seed, "layout", w.made)
	if w.Hostile && d.oneIn(3) {
		return [...]layout{gameCrowded, gameSpoofed}[d.IntN(2)]
	}
	if d.oneIn(3) {
		return layout(d.IntN(int(gameLayouts)))
	}
	return gamePlain
}
