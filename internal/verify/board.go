package verify

import (
	"crypto/sha256"
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

// Derive places the mines of a game. mines outside 1..24 is an error.
func Derive(seed, slothash, user [32]byte, nonce uint64, mines int) (Board, error) {
	if mines < 1 || mines > MaxMines {
		return Board{}, fmt.Errorf("derive board: %w", minesRange(mines))
	}
	stream := newWordStream(seed, slothash, user, nonce)
	board := shuffle(mines, stream.next, nil)
	board.Blocks = int(stream.blocks)
	return board, nil
}

// shuffle draws the mines from a source of words and tells drawn, unless that is
// nil, of each. It keeps neither, so a caller's source stays off the heap.
func shuffle(mines int, next func() uint32, drawn func(Draw)) Board {
	var tiles [Tiles]uint8
	for i := range tiles {
		tiles[i] = uint8(i)
	}
	board := Board{N: mines}
	for i := range mines {
		bound := uint32(Tiles - i)
		// Not the textbook's zone: for a power of two this one rejects too.
		zone := math.MaxUint32 - math.MaxUint32%bound
		word, before := next(), len(board.Rejected)
		for board.Words++; word >= zone; board.Words++ {
			board.Rejected = append(board.Rejected, word)
			word = next()
		}
		j := i + int(word%bound)
		tiles[i], tiles[j] = tiles[j], tiles[i]
		board.Order[i] = tiles[i]
		board.Mask |= 1 << tiles[i]
		if drawn != nil {
			drawn(Draw{Bound: bound, Zone: zone, Rejected: board.Rejected[before:], Word: word, At: i, With: j, Mine: tiles[i]})
		}
	}
	return board
}

// A wordStream hands out the words of block(0), block(1), … in order.
type wordStream struct {
	preimage [preimageSize]byte
	block    [sha256.Size]byte
	at       int    // offset of the next unread word; sha256.Size when none is left
	blocks   uint64 // blocks hashed, and so the number of the next
}

// preimageSize is the length of what is hashed for a block, blockOffset where
// le64(k) stands in it, its last field.
const (
	preimageSize = 117
	blockOffset  = 109
)

func newWordStream(seed, slothash, user [32]byte, nonce uint64) wordStream {
	s := wordStream{at: sha256.Size}
	copy(s.preimage[0:], seed[:])
	copy(s.preimage[32:], slothash[:])
	copy(s.preimage[64:], user[:])
	binary.LittleEndian.PutUint64(s.preimage[96:], nonce)
	copy(s.preimage[104:], "mines")
	return s
}

func (s *wordStream) next() uint32 {
	if s.at == sha256.Size {
		binary.LittleEndian.PutUint64(s.preimage[blockOffset:], s.blocks)
		s.block = sha256.Sum256(s.preimage[:])
		s.blocks++
		s.at = 0
	}
	word := binary.BigEndian.Uint32(s.block[s.at:])
	s.at += 4
	return word
}
