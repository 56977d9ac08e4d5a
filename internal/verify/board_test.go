package verify

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDeriveRange(t *testing.T) {
	for _, mines := range []int{math.MinInt, -1, 0, 25, 26, math.MaxInt} {
		if _, err := Derive([32]byte{}, [32]byte{}, [32]byte{}, 0, mines); err == nil || !strings.Contains(err.Error(), "1..24") {
			t.Errorf("%d mines: error %v", mines, err)
		}
	}
}

// script is a source of blocks of given words. It fails the test when they run
// out: the last block is filled with words that every zone rejects.
func script(t *testing.T, words ...uint32) func() [sha256.Size]byte {
	return func() (block [sha256.Size]byte) {
		if len(words) == 0 {
			t.Fatal("a word too many was drawn")
		}
		for i := range sha256.Size / wordSize {
			word := uint32(math.MaxUint32)
			if len(words) > 0 {
				word, words = words[0], words[1:]
			}
			binary.BigEndian.PutUint32(block[4*i:], word)
		}
		return block
	}
}

// zones holds the zone of each bound, worked out elsewhere from
// 4294967295 − 4294967295 mod b.
var zones = map[uint32]uint32{
	25: 4294967275, 24: 4294967280, 23: 4294967284, 22: 4294967292, 21: 4294967292, 20: 4294967280, 19: 4294967290, 18: 4294967292,
	17: 4294967295, 16: 4294967280, 15: 4294967295, 14: 4294967292, 13: 4294967287, 12: 4294967292, 11: 4294967292, 10: 4294967290,
	9: 4294967292, 8: 4294967288, 7: 4294967292, 6: 4294967292, 5: 4294967295, 4: 4294967292, 3: 4294967295, 2: 4294967294,
}

// At every step a word at the zone is rejected, as is the greatest word, and
// the word below it is taken.
func TestZoneOfEachBound(t *testing.T) {
	for bound := uint32(2); bound <= Tiles; bound++ {
		zone := zones[bound]
		step := int(Tiles - bound)
		words := make([]uint32, step) // zeros: each step takes the tile in its place
		board := shuffle(step+1, script(t, append(words, zone, math.MaxUint32, zone-1)...), nil)
		if want := []uint32{zone, math.MaxUint32}; !slices.Equal(board.Rejected, want) {
			t.Errorf("bound %d: rejected %v, want %v", bound, board.Rejected, want)
		}
		// zone is a multiple of bound, so the word below it is the last tile.
		if got := board.Order[step]; got != Tiles-1 || board.Words != step+3 {
			t.Errorf("bound %d: tile %d after %d words, want 24 after %d", bound, got, board.Words, step+3)
		}
	}
}

func TestShuffleMovesTiles(t *testing.T) {
	// Step 0 takes tile 24 and leaves tile 0 in its place; step 1 takes that.
	board := shuffle(3, script(t, 24, 23, 0), nil)
	if got, want := board.Order[:3], []uint8{24, 0, 2}; !slices.Equal(got, want) || board.Mask != 1<<24|1<<0|1<<2 {
		t.Errorf("order %v, mask %07x, want %v", got, board.Mask, want)
	}
}

func TestDeriveProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (h [32]byte) {
			copy(h[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, name))
			return h
		}
		seed, slothash, user := draw("seed"), draw("slothash"), draw("user")
		nonce, mines := rapid.Uint64().Draw(t, "nonce"), rapid.IntRange(1, MaxMines).Draw(t, "mines")
		board, err := Derive(seed, slothash, user, nonce, mines)
		if err != nil {
			t.Fatal(err)
		}
		if board.N != mines || bits.OnesCount32(board.Mask) != mines || board.Mask&^tilesMask != 0 {
			t.Fatalf("%d mines: %+v", mines, board)
		}
		var mask uint32
		for i, tile := range board.Order {
			if i < mines {
				mask |= 1 << tile
			} else if tile != 0 {
				t.Fatalf("order goes on after %d mines: %v", mines, board.Order)
			}
		}
		if mask != board.Mask {
			t.Fatalf("order %v is not mask %07x", board.Order, board.Mask)
		}
		if board.Words != mines+len(board.Rejected) || board.Blocks != (board.Words+7)/8 {
			t.Fatalf("%+v", board)
		}
		if mines < MaxMines {
			more, _ := Derive(seed, slothash, user, nonce, mines+1)
			if more.Mask&board.Mask != board.Mask || !slices.Equal(more.Order[:mines], board.Order[:mines]) {
				t.Fatalf("the mines of %d are not the first of %d", mines, mines+1)
			}
		}
	})
}

func TestDeriveAllocates(t *testing.T) {
	if instrumented {
		t.Skip("counts allocations")
	}
	seed := [32]byte{9}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := Derive(seed, Commitment(seed), seed, 1, MaxMines); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a board", n)
	}
}
