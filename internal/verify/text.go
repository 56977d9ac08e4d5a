package verify

import (
	"encoding/hex"
	"fmt"
	"math/bits"
	"strings"
)

// hashText gives a hash, or a key, in hex.
func hashText(hash [32]byte) string { return hex.EncodeToString(hash[:]) }

// commitText is the commitment of a seed.
func commitText(seed [32]byte) string { return hashText(Commitment(seed)) }

// maskText gives a mask and its tiles, as 0x0000421 {0 5 10}.
func maskText(mask uint32) string {
	var b strings.Builder
	fmt.Fprintf(&b, "0x%07x {", mask)
	for rest := mask; rest != 0; rest &= rest - 1 {
		if rest != mask {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%d", bits.TrailingZeros32(rest))
	}
	b.WriteByte('}')
	return b.String()
}
