package verify

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"
)

// pad completes the last block of a message of n bytes for SHA-256: a bit, zeros,
// and the length in bits. The rest of blocks must be zero.
func pad(blocks []byte, n int) {
	blocks[n] = 0x80
	binary.BigEndian.PutUint64(blocks[len(blocks)-8:], uint64(n)*8)
}

// A marshalled SHA-256 begins with stateMagic, which stands for its layout, and
// holds what was hashed so far behind it.
const (
	stateMagic = "sha\x03"
	stateSize  = len(stateMagic) + sha256.Size + sha256.BlockSize + 8
)

// hashState is a marshalled SHA-256.
type hashState [stateSize]byte

// take reports whether what was marshalled into s has the layout known here.
func (s *hashState) take(state []byte, err error) bool {
	return err == nil && len(state) == stateSize && string(s[:len(stateMagic)]) == stateMagic
}

// sum is what was hashed so far as a digest, where that was whole blocks.
func (s *hashState) sum() [sha256.Size]byte { return [sha256.Size]byte(s[len(stateMagic):]) }

// sumPadded is the SHA-256 of a message of n bytes that stands in whole blocks,
// padded. It takes the state after them for the sum: copying and padding a
// short message again at each call would cost as much as hashing it. Under
// another layout of the state it falls back to that.
func sumPadded(blocks []byte, n int) [sha256.Size]byte {
	h := sha256.New()
	h.Write(blocks)
	var state hashState
	if m, ok := h.(encoding.BinaryAppender); ok && state.take(m.AppendBinary(state[:0])) {
		return state.sum()
	}
	return sha256.Sum256(blocks[:n])
}
