package decode

import (
	"math"

	"minesaudit/internal/idl"
)

// beyond is the bit of a mask for tiles that it has no bit for: no board has tile
// 31, so that such a mask is found to be out of range.
const beyond = 1 << 31

func tileBit(t uint64) uint32 {
	if t > 31 {
		return beyond
	}
	return 1 << t
}

// maskOfBits reads a little-endian integer of any width.
func maskOfBits(raw []byte) uint32 {
	mask := uint32(0)
	for i, b := range raw {
		if i < 4 {
			mask |= uint32(b) << (8 * i)
		} else if b != 0 {
			mask |= beyond
		}
	}
	return mask
}

// maskOfFlags reads a list whose element t is of tile t: a bool, or a number that
// is not 0.
func maskOfFlags(v *idl.Value) uint32 {
	mask := uint32(0)
	if raw, ok := v.Bytes(); ok {
		for t, b := range raw {
			if b != 0 {
				mask |= tileBit(uint64(t))
			}
		}
		return mask
	}
	for t, flag := range v.Elems {
		if !allZeros(flag.Raw) {
			mask |= tileBit(uint64(t))
		}
	}
	return mask
}

// maskOfTiles reads a list of tiles in any order.
func maskOfTiles(v *idl.Value) uint32 {
	mask := uint32(0)
	if raw, ok := v.Bytes(); ok {
		for _, t := range raw {
			mask |= tileBit(uint64(t))
		}
		return mask
	}
	for _, elem := range v.Elems {
		t, ok := elem.Uint64()
		if !ok {
			t = math.MaxUint64
		}
		mask |= tileBit(t)
	}
	return mask
}

func allZeros(raw []byte) bool {
	for _, b := range raw {
		if b != 0 {
			return false
		}
	}
	return true
}
