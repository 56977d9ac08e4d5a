package simchain

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
)

// The program's events as Anchor writes them: eight bytes of the SHA-256 of
// "event:" and the name, then the fields in Borsh (little-endian, no padding,
// an optional byte is preceded by 0 or 1).

// started is MinesGameStarted: the commitment and the terms of a game.
type started struct {
	game, user       Key
	nonce            uint64
	mines            uint8
	stake            uint64 // lamports
	commit, slothash Key
	edgeBPS          uint16
	maxPayout        uint64 // lamports
	refundTimeout    int64  // seconds
	startedAt        int64  // unix seconds
}

// settled is MinesGameSettled: the seed, the board and the outcome.
type settled struct {
	game, user           Key
	nonce                uint64
	serverSeed, slothash Key
	mines, revealed      uint32
	bust                 int // noBust, else the tile that was hit
	multiplier           uint64
	payout               uint64 // lamports
}

// noBust is the bust tile of a game that was not lost.
const noBust = -1

// voided is MinesGameVoided: a stake that went back.
type voided struct {
	game, user Key
	nonce      uint64
	refund     uint64 // lamports
	authority  Key    // who asked for it
}

// The sizes of the two events that have one; a settlement's depends on its bust
// tile.
const (
	startedSize = 179
	voidedSize  = 120
)

func (e started) bytes() []byte {
	b := newEvent("MinesGameStarted", startedSize)
	b.Write(e.game[:])
	b.Write(e.user[:])
	b.u64(e.nonce)
	b.WriteByte(e.mines)
	b.u64(e.stake)
	b.Write(e.commit[:])
	b.Write(e.slothash[:])
	b.u16(e.edgeBPS)
	b.u64(e.maxPayout)
	b.u64(uint64(e.refundTimeout))
	b.u64(uint64(e.startedAt))
	return b.Bytes()
}

func (e settled) bytes() []byte {
	b := newEvent("MinesGameSettled", 170)
	b.Write(e.game[:])
	b.Write(e.user[:])
	b.u64(e.nonce)
	b.Write(e.serverSeed[:])
	b.Write(e.slothash[:])
	b.u32(e.mines)
	b.u32(e.revealed)
	if e.bust == noBust {
		b.WriteByte(0)
	} else {
		b.WriteByte(1)
		b.WriteByte(uint8(e.bust))
	}
	b.u64(e.multiplier)
	b.u64(e.payout)
	return b.Bytes()
}

func (e voided) bytes() []byte {
	b := newEvent("MinesGameVoided", voidedSize)
	b.Write(e.game[:])
	b.Write(e.user[:])
	b.u64(e.nonce)
	b.u64(e.refund)
	b.Write(e.authority[:])
	return b.Bytes()
}

// eventBuffer is a bytes.Buffer that knows Borsh's integers.
type eventBuffer struct{ bytes.Buffer }

func newEvent(name string, size int) *eventBuffer {
	b := &eventBuffer{}
	b.Grow(size)
	b.Write(discriminator("event:" + name))
	return b
}

// discriminator is how Anchor marks an event, an instruction or an account.
func discriminator(name string) []byte {
	sum := sha256.Sum256([]byte(name))
	return sum[:8]
}

func (b *eventBuffer) u16(v uint16) { b.Write(binary.LittleEndian.AppendUint16(nil, v)) }
func (b *eventBuffer) u32(v uint32) { b.Write(binary.LittleEndian.AppendUint32(nil, v)) }
func (b *eventBuffer) u64(v uint64) { b.Write(binary.LittleEndian.AppendUint64(nil, v)) }
