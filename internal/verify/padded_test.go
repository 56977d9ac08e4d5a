package verify

import (
	"crypto/sha256"
	"testing"

	"pgregory.net/rapid"
)

func TestSumPadded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		message := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "message")
		blocks := make([]byte, (len(message)+8+sha256.BlockSize)/sha256.BlockSize*sha256.BlockSize)
		copy(blocks, message)
		pad(blocks, len(message))
		if got, want := sumPadded(blocks, len(message)), sha256.Sum256(message); got != want {
			t.Fatalf("%x: %x, want %x", message, got, want)
		}
	})
}

// The quick way is the one that is taken: the fallback is right as well, and
// would hide that this is lost.
func TestSumPaddedNeedsNoFallback(t *testing.T) {
	blocks := make([]byte, sha256.BlockSize)
	pad(blocks, 0)
	// With a length that is not the message's, the fallback gives another sum.
	if got, want := sumPadded(blocks, 1), sha256.Sum256(nil); got != want {
		t.Error("the state of crypto/sha256 has a layout that is not known here: chains and boards take longer")
	}
}

// Where blocks share their first half, that is hashed once, and nothing falls
// back to hashing it again.
func TestBlocksShareTheirFirstHalf(t *testing.T) {
	var several, one blockHasher
	several.init(&[32]byte{1}, &[32]byte{2}, &[32]byte{3}, 4, MaxMines)
	one.init(&[32]byte{1}, &[32]byte{2}, &[32]byte{3}, 4, 1)
	for k := range 5 {
		got, want := several.next(), sha256.Sum256(several.preimage[:preimageSize])
		if got != want || one.next() != want {
			t.Fatalf("block %d is %x, want %x", k, got, want)
		}
	}
	if !several.shared || one.shared {
		t.Error("the half is not kept where it is wanted, or kept where it is not")
	}
	several.half = hashState{}
	if got, want := several.next(), sha256.Sum256(several.preimage[:preimageSize]); got != want {
		t.Errorf("under another layout of the state a block is %x, want %x", got, want)
	}
}
