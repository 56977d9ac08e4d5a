package verify

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand"
)

// Platforms is the number of platforms; they are numbered from 1.
const Platforms = 25

// LastPlatform is the platform that falls at the end of a round: the first
// Intn(25) + 1 of Go's math/rand, version 1, seeded with the first eight bytes
// of the hash. The hash is an even number of hex digits of either case.
func LastPlatform(hash string) (int, error) {
	number, err := leadingUint64(hash)
	if err != nil {
		return 0, err
	}
	return rand.New(rand.NewSource(int64(number))).Intn(Platforms) + 1, nil
}

// leadingUint64 is the first eight bytes of a hash in hex, all of which must be
// hex.
func leadingUint64(hash string) (uint64, error) {
	raw, err := hex.DecodeString(hash)
	if err != nil {
		return 0, fmt.Errorf("hash %s: want hex digits, two a byte: %w", quoted(hash), err)
	}
	if len(raw) < 8 {
		return 0, fmt.Errorf("hash %s: %d bytes: want 8 or more", quoted(hash), len(raw))
	}
	return binary.BigEndian.Uint64(raw), nil
}
