package config

import (
	"fmt"

	"github.com/gagliardetto/solana-go/base58"
)

// ParseKey reads a Solana address: base58 of 32 bytes, 32 to 44 letters.
func ParseKey(s string) (key [32]byte, err error) {
	// Decoding a longer text costs its length squared, so it is not tried.
	if len(s) < 32 || len(s) > 44 {
		return key, fmt.Errorf("%q has %d letters, an address in base58 has 32 to 44", clip(s), len(s))
	}
	if err := base58.Decode32(s, &key); err != nil {
		return key, fmt.Errorf("%q is not base58 of 32 bytes", s)
	}
	return key, nil
}
