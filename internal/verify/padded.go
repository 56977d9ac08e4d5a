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

// sumPadded is the SHA-256 of a message of n bytes that stands in whole blocks,
// padded. It takes the state after them for the sum: copying and padding a
// short message again at each call would cost as much as hashing it. Under
// another layout of the state it falls back to that.
func sumPadded(blocks []byte, n int) (sum [sha256.Size]byte) {
	h := sha256.New()
	h.Write(blocks)
	if marshaller, ok := h.(encoding.BinaryAppender); ok {
		var buffer [stateSize]byte
		state, err := marshaller.AppendBinary(buffer[:0])
		if err == nil && len(state) == stateSize && string(state[:len(stateMagic)]) == stateMagic {
			copy(sum[:], state[len(stateMagic):])
			return sum
		}
	}
	return sha256.Sum256(blocks[:n])
}
