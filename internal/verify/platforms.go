package verify

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
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
	seed := int64(number)
	word := firstInt31(seed)
	// Intn draws again above the last multiple of 25, once in 93 million seeds.
	if word > math.MaxInt32-(math.MaxInt32%Platforms+1) {
		return rand.New(rand.NewSource(seed)).Intn(Platforms) + 1, nil
	}
	return int(word%Platforms) + 1, nil
}

// firstInt31 is rand.New(rand.NewSource(seed)).Int31(), without the 1,841 steps
// of another generator by which math/rand fills its 607 words: the first draw
// needs two of the words alone, and each step multiplies by 48271 modulo
// 2^31 − 1, so that the way to either word is one multiplication.
func firstInt31(seed int64) uint32 {
	const modulus = math.MaxInt32
	x := seed % modulus
	if x < 0 {
		x += modulus
	}
	if x == 0 {
		x = 89482311 // as math/rand has it
	}
	word := func(first, with uint64) uint64 {
		a := uint64(x) * first % modulus
		b := a * 48271 % modulus
		c := b * 48271 % modulus
		return a<<40 ^ b<<20 ^ c ^ with
	}
	sum := word(to333, with333) + word(to606, with606)
	return uint32(sum << 1 >> 33)
}

const (
	// 48271^1020 and 48271^1839 modulo 2^31 − 1: the steps from the seed to the
	// first of the three numbers that make words 333 and 606.
	to333, to606 = 2082024995, 933195560
	// What math/rand combines these words with: two entries of a table of its
	// own, as its draws betray them.
	with333, with606 = 0xbfb2f4d968b759c3, 0x39a00a3a31c025c6
)

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
