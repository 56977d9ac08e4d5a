package simchain

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
)

// tiles is the size of a board; tile t is bit t of a mask.
const tiles = 25

// board is what a game's inputs fix: which tiles are mines.
type board struct {
	mask   uint32
	order  []int    // the mines in the order in which they were drawn
	thrown []uint32 // words that the draw rejected
	blocks int      // hash blocks read
}

// deriveBoard follows the published derivation to the letter.
func deriveBoard(serverSeed, slothash, user Key, nonce uint64, mines int) board {
	var b board
	var unread []byte
	nextWord := func() uint32 {
		if len(unread) == 0 {
			digest := sha256.Sum256(blockInput(serverSeed, slothash, user, nonce, uint64(b.blocks)))
			unread = digest[:]
			b.blocks++
		}
		word := binary.BigEndian.Uint32(unread[:4])
		unread = unread[4:]
		return word
	}
	draw := func(bound uint32) uint32 {
		zone := 4294967295 - (4294967295 % bound)
		for {
			v := nextWord()
			if v < zone {
				return v % bound
			}
			b.thrown = append(b.thrown, v)
		}
	}

	deck := make([]int, tiles)
	for i := range deck {
		deck[i] = i
	}
	for i := range mines {
		j := i + int(draw(uint32(tiles-i)))
		deck[i], deck[j] = deck[j], deck[i]
		b.mask |= 1 << deck[i]
	}
	b.order = deck[:mines]
	return b
}

// blockInput is what hash block k of a board is the SHA-256 of: 117 bytes.
func blockInput(serverSeed, slothash, user Key, nonce, k uint64) []byte {
	var in bytes.Buffer
	in.Write(serverSeed[:])
	in.Write(slothash[:])
	in.Write(user[:])
	in.Write(binary.LittleEndian.AppendUint64(nil, nonce))
	in.WriteString("mines")
	in.Write(binary.LittleEndian.AppendUint64(nil, k))
	return in.Bytes()
}

// isMine tells whether tile t is a mine.
func (b board) isMine(t int) bool { return b.mask>>t&1 == 1 }

// safe lists the tiles that are no mines, ascending.
func (b board) safe() []int {
	var list []int
	for t := range tiles {
		if !b.isMine(t) {
			list = append(list, t)
		}
	}
	return list
}
