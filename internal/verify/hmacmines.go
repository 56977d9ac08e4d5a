package verify

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
)

// A Pick is one step of placing the mines of a game seed.
type Pick struct {
	Message string            // mine-0, mine-1, …
	MAC     [sha256.Size]byte // HMAC-SHA256 of Message under the text of the seed
	Word    uint32            // the first four bytes of MAC
	Tile    int               // 1 + Word mod 25
	Taken   bool              // an earlier pick has the tile, so this one places nothing
}

// HMACMines places mines by a game seed and gives their tiles, 1 to 25, in
// order. The seed is a key: any text, whose case counts. As in the texts' code
// all 25 tiles may be mines, and 0 or less place none; more are an error.
func HMACMines(gameSeed string, mines int) ([]int, error) {
	var tiles []int
	err := pickMines(gameSeed, mines, func(p Pick) {
		if !p.Taken {
			tiles = append(tiles, p.Tile)
		}
	})
	return tiles, err
}

// ExplainHMACMines is [HMACMines] with every step.
func ExplainHMACMines(gameSeed string, mines int) ([]Pick, error) {
	var picks []Pick
	err := pickMines(gameSeed, mines, func(p Pick) { picks = append(picks, p) })
	return picks, err
}

// pickMines tells picked of each step. It ends: a MAC is as good as random, and
// 25 mines take 95 steps on average.
func pickMines(gameSeed string, mines int, picked func(Pick)) error {
	if mines > Tiles {
		return &RangeError{Name: "mines", Value: int64(mines), Max: Tiles}
	}
	mac := newShortMAC(gameSeed)
	var taken uint32
	for i, placed := 0, 0; placed < mines; i++ {
		p := Pick{Message: "mine-" + strconv.Itoa(i)}
		p.MAC = mac.sum(p.Message)
		p.Word = binary.BigEndian.Uint32(p.MAC[:])
		p.Tile = int(p.Word%Tiles) + 1
		p.Taken = taken>>p.Tile&1 == 1
		if !p.Taken {
			taken |= 1 << p.Tile
			placed++
		}
		picked(p)
	}
	return nil
}
