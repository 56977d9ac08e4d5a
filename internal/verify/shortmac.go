package verify

import "crypto/sha256"

// A shortMAC is HMAC-SHA256 under one key for messages so short that each of
// its two hashes is of two blocks, the first of which depends on the key alone.
type shortMAC struct {
	inner, outer [2 * sha256.BlockSize]byte
}

// maxShortMessage is the most that fits behind the key's block with the padding.
const maxShortMessage = sha256.BlockSize - 9

func newShortMAC(key string) (m shortMAC) {
	if len(key) > sha256.BlockSize {
		sum := sha256.Sum256([]byte(key))
		key = string(sum[:])
	}
	for i := range sha256.BlockSize {
		var k byte
		if i < len(key) {
			k = key[i]
		}
		m.inner[i], m.outer[i] = k^0x36, k^0x5c
	}
	pad(m.outer[:], sha256.BlockSize+sha256.Size)
	return m
}

// sum is the MAC of a message of at most maxShortMessage bytes.
func (m *shortMAC) sum(message string) [sha256.Size]byte {
	n := sha256.BlockSize + len(message)
	clear(m.inner[sha256.BlockSize:])
	copy(m.inner[sha256.BlockSize:], message)
	pad(m.inner[:], n)
	inner := sumPadded(m.inner[:], n)
	copy(m.outer[sha256.BlockSize:], inner[:])
	return sumPadded(m.outer[:], sha256.BlockSize+sha256.Size)
}
