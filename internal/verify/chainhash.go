package verify

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// A ChainHash is a hash as the off-chain games know it: the text of 64
// lower-case hex digits, which itself is what is hashed again.
type ChainHash [2 * sha256.Size]byte

// HashText is H: the SHA-256 of a text, as text.
func HashText(text string) ChainHash {
	sum := sha256.Sum256([]byte(text))
	return hexText(&sum)
}

// ParseChainHash reads 64 lower-case hex digits. Upper case is refused: it would
// hash to something else than what was published.
func ParseChainHash(s string) (ChainHash, error) {
	var h ChainHash
	if len(s) != len(h) {
		return h, fmt.Errorf("hash of %d characters: want %d hex digits", len(s), len(h))
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return ChainHash{}, fmt.Errorf("hash with %q at position %d: want hex digits in lower case", c, i)
		}
	}
	copy(h[:], s)
	return h, nil
}

func (h ChainHash) String() string { return string(h[:]) }

// Next is H of the hash. In a chain it is the hash of the round before.
func (h ChainHash) Next() ChainHash {
	walk := newChainWalk(h)
	walk.step()
	return walk.at()
}

// A chainWalk holds a hash as a padded message, and so takes a step without
// copying.
type chainWalk [2 * sha256.BlockSize]byte

func newChainWalk(from ChainHash) (w chainWalk) {
	copy(w[:], from[:])
	pad(w[:], len(from))
	return w
}

func (w *chainWalk) at() ChainHash { return ChainHash(w[:len(ChainHash{})]) }

func (w *chainWalk) step() {
	sum := sumPadded(w[:], len(ChainHash{}))
	writeHex((*ChainHash)(w[:len(ChainHash{})]), &sum)
}

func hexText(sum *[sha256.Size]byte) (h ChainHash) {
	writeHex(&h, sum)
	return h
}

// writeHex writes a digest four bytes at a time: with a digit at a time writing
// would take a third as long as hashing.
func writeHex(h *ChainHash, sum *[sha256.Size]byte) {
	for i := 0; i < len(sum); i += 4 {
		// One digit a byte, the first one highest.
		x := uint64(binary.BigEndian.Uint32(sum[i:]))
		x = (x<<16 | x) & 0x0000ffff0000ffff
		x = (x<<8 | x) & 0x00ff00ff00ff00ff
		x = (x<<4 | x) & 0x0f0f0f0f0f0f0f0f
		letters := (x + 0x0606060606060606) >> 4 & 0x0101010101010101 // 1 where the digit is above 9
		binary.BigEndian.PutUint64(h[2*i:], x+0x3030303030303030+letters*('a'-'0'-10))
	}
}
