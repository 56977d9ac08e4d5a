package simchain

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/gagliardetto/solana-go/base58"
)

// Key is an address, a hash or a server seed: 32 bytes, written in base58.
type Key [32]byte

func (k Key) String() string { return base58.Encode32((*[32]byte)(&k)) }

// parseKey reads a base58 address of exactly 32 bytes.
func parseKey(text string) (Key, error) {
	var k Key
	if err := base58.Decode32(text, (*[32]byte)(&k)); err != nil {
		return Key{}, fmt.Errorf("address %q: %w", text, err)
	}
	return k, nil
}

// wellKnown reads an address that this package spells out itself.
func wellKnown(text string) Key {
	k, err := parseKey(text)
	if err != nil {
		panic(err)
	}
	return k
}

// derive gives the chain's n-th key of the purpose that label names: everything
// that looks random on this chain comes from its seed by way of derive,
// signature or newDice.
func derive(seed int64, label string, n uint64) Key {
	return sha256.Sum256(preimage(seed, label, n))
}

// signature gives the signature of the n-th transaction: 64 bytes that look
// random. Nobody signed anything.
func signature(seed int64, n uint64) [64]byte {
	return sha512.Sum512(preimage(seed, "signature", n))
}

func preimage(seed int64, label string, n uint64) []byte {
	b := make([]byte, 0, 64)
	b = append(b, "simchain "...)
	b = binary.LittleEndian.AppendUint64(b, uint64(seed))
	b = append(b, label...)
	return binary.LittleEndian.AppendUint64(b, n)
}

// dice is a seeded source of choices. Each game, slot and transaction throws its
// own, so that one more throw in one place changes nothing elsewhere.
type dice struct{ *rand.Rand }

func newDice(seed int64, label string, n uint64) dice {
	k := derive(seed, label, n)
	return dice{rand.New(rand.NewPCG(binary.LittleEndian.Uint64(k[:8]), binary.LittleEndian.Uint64(k[8:16])))}
}

// oneIn is true once in n throws on average.
func (d dice) oneIn(n int) bool { return d.IntN(n) == 0 }

// between gives a number from low to high, both included.
func (d dice) between(low, high int) int { return low + d.IntN(high-low+1) }
