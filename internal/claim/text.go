package claim

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/gagliardetto/solana-go/base58"
)

// clipped shows a stranger's text in an error: quoted, and cut where it is long.
func clipped(s string) string {
	const most = 80
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "..."
	}
	return strconv.QuoteToASCII(s)
}

// bytes32 reads 32 bytes in hex.
func bytes32(field string, text *string) (b [32]byte, err error) {
	if text == nil {
		return b, notGiven(field)
	}
	if len(*text) != 2*len(b) {
		return b, fmt.Errorf("%s: %s: %d characters: want 64 hex digits", field, clipped(*text), len(*text))
	}
	if _, err := hex.Decode(b[:], []byte(*text)); err != nil {
		return b, fmt.Errorf("%s: %s: want 64 hex digits", field, clipped(*text))
	}
	return b, nil
}

// key32 reads 32 bytes in hex or base58; their lengths tell which.
func key32(field string, text *string) (b [32]byte, err error) {
	if text == nil || len(*text) == 2*len(b) {
		return bytes32(field, text)
	}
	// Decoding a longer text costs its length squared, so it is not tried.
	if len(*text) < 32 || len(*text) > 44 || base58.Decode32(*text, &b) != nil {
		return b, fmt.Errorf("%s: %s: want 32 bytes in base58 or 64 hex digits", field, clipped(*text))
	}
	return b, nil
}
