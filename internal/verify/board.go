package verify

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"fmt"
	"math"
)

// Tiles is the number of tiles on a board, MaxMines the most mines that leave a
// safe one.
const (
	Tiles    = 25
	MaxMines = Tiles - 1
)

// tilesMask has the bit of every tile.
const tilesMask uint32 = 1<<Tiles - 1

// A Board is where the mines are, and what it took to place them.
type Board struct {
	Mask     uint32
	Order    [MaxMines]uint8 // the mines in the order drawn, N of them
	N        int
	Blocks   int      // SHA-256 blocks hashed
	Words    int      // words drawn, rejected ones included
	Rejected []uint32 // the words at or above their zone, in order; almost always none
}

// Commitment is what a start event must hold for a seed: its SHA-256.
func Commitment(seed [32]byte) [sha256.Size]byte {
	var block [sha256.BlockSize]byte
	copy(block[:], seed[:])
	pad(block[:], len(seed))
	return sumPadded(block[:], len(seed))
}

// Derive places the mines of a game. mines outside 1..24 is an error.
func Derive(seed, slothash, user [32]byte, nonce uint64, mines int) (Board, error) {
	if mines < 1 || mines > MaxMines {
		return Board{}, fmt.Errorf("derive board: %w", minesRange(mines))
	}
	var hasher blockHasher
	hasher.init(&seed, &slothash, &user, nonce, mines)
	return shuffle(mines, hasher.next, nil), nil
}

// shuffle draws the mines from a source of blocks and tells drawn, unless that
// is nil, of each. It keeps neither, so a caller's source stays off the heap.
func shuffle(mines int, nextBlock func() [sha256.Size]byte, drawn func(Draw)) Board {
	tiles := [Tiles]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24}
	var (
		mask             uint32
		rejected         []uint32
		i, blocks, taken int // taken of rejected by draws that are done
	)
	for i < mines {
		block := nextBlock()
		blocks++
		for at := 0; at < len(block) && i < mines; at += wordSize {
			word, bound := binary.BigEndian.Uint32(block[at:]), uint32(Tiles-i)
			if word >= leastZone && word >= zone(bound) {
				rejected = append(rejected, word)
				continue
			}
			j := i + int(word%bound)
			mine := tiles[j]
			tiles[i], tiles[j] = mine, tiles[i]
			mask |= 1 << mine
			if drawn != nil {
				drawn(Draw{Bound: bound, Zone: zone(bound), Rejected: rejected[taken:], Word: word, At: i, With: j, Mine: mine})
				taken = len(rejected)
			}
			i++
		}
	}
	board := Board{Mask: mask, N: mines, Blocks: blocks, Words: mines + len(rejected), Rejected: rejected}
	copy(board.Order[:mines], tiles[:])
	return board
}

// wordSize is the length in bytes of the words into which blocks are cut.
const wordSize = 4

// zone is where the words begin that draw(bound) rejects. It is not the
// textbook's: for a power of two this one rejects too.
func zone(bound uint32) uint32 { return math.MaxUint32 - math.MaxUint32%bound }

// leastZone is the least of all zones. A word below it is taken at once, without
// a division to find the zone.
const leastZone = math.MaxUint32 - math.MaxUint32%Tiles

// A blockHasher makes block(0), block(1), … of a game.
type blockHasher struct {
	preimage [2 * sha256.BlockSize]byte // of the next block, padded
	k        uint64                     // the next block's number
	shared   bool                       // there are several blocks: the first half of their preimages is hashed once
	half     hashState                  // after that half, once block(0) is made
}

// preimageSize is the length of what is hashed for a block, blockOffset where
// le64(k) stands in it, its last field.
const (
	preimageSize = 117
	blockOffset  = 109
)

func (h *blockHasher) init(seed, slothash, user *[32]byte, nonce uint64, mines int) {
	copy(h.preimage[0:], seed[:])
	copy(h.preimage[32:], slothash[:])
	copy(h.preimage[64:], user[:])
	binary.LittleEndian.PutUint64(h.preimage[96:], nonce)
	copy(h.preimage[104:], "mines")
	pad(h.preimage[:], preimageSize)
	h.shared = mines > sha256.Size/wordSize
}

func (h *blockHasher) next() [sha256.Size]byte {
	binary.LittleEndian.PutUint64(h.preimage[blockOffset:], h.k)
	h.k++
	switch {
	case !h.shared:
		return sumPadded(h.preimage[:], preimageSize)
	case h.k == 1:
		return h.begin()
	default:
		return h.goOn()
	}
}

// begin hashes the first preimage and keeps the state at its half.
func (h *blockHasher) begin() [sha256.Size]byte {
	d := sha256.New()
	d.Write(h.preimage[:sha256.BlockSize])
	if m, ok := d.(encoding.BinaryAppender); ok && h.half.take(m.AppendBinary(h.half[:0])) {
		d.Write(h.preimage[sha256.BlockSize:])
		var state hashState
		if state.take(m.AppendBinary(state[:0])) {
			return state.sum()
		}
	}
	h.shared = false
	return sha256.Sum256(h.preimage[:preimageSize])
}

// goOn hashes the second half of a preimage.
func (h *blockHasher) goOn() [sha256.Size]byte {
	d := sha256.New()
	if u, ok := d.(encoding.BinaryUnmarshaler); ok && u.UnmarshalBinary(h.half[:]) == nil {
		d.Write(h.preimage[sha256.BlockSize:])
		var state hashState
		if m, ok := d.(encoding.BinaryAppender); ok && state.take(m.AppendBinary(state[:0])) {
			return state.sum()
		}
	}
	return sha256.Sum256(h.preimage[:preimageSize])
}
