package idl

import (
	"math/rand/v2"
	"testing"

	"github.com/gagliardetto/solana-go"
)

func TestCurvePoints(t *testing.T) {
	keys := [][32]byte{{}, {1}, {2}, {0: 1, 31: 0x80}, {0: 0xed, 31: 0x7f}, {0: 0xec, 31: 0x7f}, {0: 0xee, 31: 0xff}}
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var key [32]byte
		for i := range key {
			key[i] = byte(r.Uint32())
		}
		keys = append(keys, key)
	}
	for _, key := range keys {
		if got, want := onCurve(key), solana.IsOnCurve(key[:]); got != want {
			t.Errorf("%x: %v, want %v", key, got, want)
		}
	}
}
