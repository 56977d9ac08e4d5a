//go:build e2e

package e2e

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// The events of testdata/minefield.json. A game is a hand at a table there, both of its ends are one
// event, boards are lists, the edge is in parts of a billion, and a void has a discriminator of three
// bytes. Structs are in the order of the wire.

// minefieldScale is what its multipliers are times, ppbPerBPS what its edges are to those of Terms.
const (
	minefieldScale = 1_000_000
	ppbPerBPS      = 100_000
)

// eventTag begins the data of a call by which a program emits an event.
const eventTag = "\xe4\x45\xa5\x2e\x51\xcb\x9a\x1d"

func tagged(event []byte) []byte { return append([]byte(eventTag), event...) }

// dealt is a start whose edge is finer than basis points.
type dealt struct {
	Started
	EdgePPB uint32
}

func dealtOf(s Started) dealt { return dealt{s, uint32(s.EdgeBPS) * ppbPerBPS} }

// odds is a part of the event HandDealt.
type odds struct {
	Mines   uint16
	EdgePPB uint32
	Ceiling uint64
}

// handDealt is the event of a start.
func handDealt(d dealt) []byte {
	return little(discriminator("HandDealt"), d.GameKey, d.Commit, d.SlotHash,
		d.Stake, odds{uint16(d.Mines), d.EdgePPB, d.MaxPayout}, uint32(d.RefundTimeout), d.StartedAt)
}

// Variants of Result.
const (
	cashedOut = 0
	burst     = 1
)

// handFinished is the event of a settlement.
func handFinished(s Settled) []byte {
	out := little(discriminator("HandFinished"), s.GameKey, s.Seed, s.SlotHash, flags(s.Mask), tiles(s.Revealed), int8(s.BustTile))
	if s.burst() {
		return append(out, burst)
	}
	const high = uint64(0) // half of the multiplier's 128 bits
	return append(out, little(uint8(cashedOut), s.Multiplier, high, s.Payout)...)
}

// burst tells how a settlement goes over the wire: what was lost without pay burst, all else was
// cashed out.
func (s Settled) burst() bool { return s.BustTile != NoBust && s.settledTail == (settledTail{}) }

// handGivenBack is the event of a void.
func handGivenBack(v Voided) []byte { return little([]byte{82, 7, 33}, v) }

// tableOpened is an event that tells of no game.
func tableOpened(table solana.PublicKey, name string) []byte {
	return little(discriminator("TableOpened"), table, uint32(len(name)), []byte(name))
}

// flags lists for each tile whether its bit is set: for 25 of them, or as many as it takes.
func flags(mask uint32) []byte {
	list := make([]byte, 25)
	for i := range 32 {
		if i == len(list) && mask>>i != 0 {
			list = append(list, 0)
		}
		if mask>>i&1 == 1 {
			list[i] = 1
		}
	}
	return counted(list)
}

// tiles lists those whose bits are set, the highest first: no order is promised.
func tiles(mask uint32) []byte {
	var list []byte
	for i := 31; i >= 0; i-- {
		if mask>>i&1 == 1 {
			list = append(list, byte(i))
		}
	}
	return counted(list)
}

// counted puts the length of a list in front, uncounted takes it off.
func counted(list []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(list))), list...)
}

func uncounted(list []byte) []byte { return list[4:] }
