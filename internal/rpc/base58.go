package rpc

import (
	"fmt"

	"github.com/gagliardetto/solana-go/base58"
)

// ParseKey reads the base58 form of a 32-byte key or hash.
func ParseKey(text string) ([32]byte, error) {
	var key [32]byte
	if err := base58.Decode32(text, &key); err != nil {
		return key, fmt.Errorf("%q is not the base58 form of 32 bytes", short(text))
	}
	return key, nil
}

// ParseSignature reads the base58 form of a 64-byte transaction signature.
func ParseSignature(text string) ([64]byte, error) {
	var sig [64]byte
	if err := base58.Decode64(text, &sig); err != nil {
		return sig, fmt.Errorf("%q is not the base58 form of 64 bytes", short(text))
	}
	return sig, nil
}

// KeyString is the inverse of ParseKey.
func KeyString(key [32]byte) string { return base58.Encode32(&key) }

// SignatureString is the inverse of ParseSignature.
func SignatureString(sig [64]byte) string { return base58.Encode64(&sig) }

func short(text string) string {
	const most = 100
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}
