package decode

import (
	"bytes"
	"encoding/hex"
	"math"
	"math/bits"

	"github.com/gagliardetto/solana-go/base58"

	"minesaudit/internal/idl"
)

// maxDecimals is the largest power of ten that fits 64 bits.
const maxDecimals = 19

// convert makes a scalar of a value that is there. What a game can be blamed for
// is kept as a value that no rule allows: a count or edge that does not fit is
// the largest that does, a tile beyond the mask its highest bit. What is no value
// of the role at all is a problem.
func (f form) convert(v *idl.Value, decimals int) (s scalar, problem string) {
	switch f {
	case formKey, formHash:
		var ok bool
		if s.bytes, ok = v.Bytes32(); !ok {
			return s, "want 32 bytes"
		}
	case formKeyText:
		text, _ := v.Bytes()
		if len(text) > maxIDLen || base58.Decode32(string(text), &s.bytes) != nil {
			return s, "no key in base58"
		}
	case formHashText:
		return hashOfText(v)
	case formKeyNumber:
		return keyOfNumber(v)
	case formAmount:
		return amount(v, decimals)
	case formFloat:
		return floatAmount(v, decimals)
	case formByte:
		s.number = capped(v, math.MaxUint8)
	case formEdge:
		s.number = capped(v, math.MaxUint32)
	case formSeconds:
		seconds, ok := v.Int64()
		if !ok {
			return s, "no number of seconds that fits 64 bits"
		}
		s.number = uint64(seconds)
	case formTile, formTileOrNone:
		s.number = tile(v, f == formTileOrNone)
	case formMask:
		s.number = uint64(maskOfBits(v.Raw))
	case formFlags:
		s.number = uint64(maskOfFlags(v))
	case formTiles:
		s.number = uint64(maskOfTiles(v))
	case formLost, formWon:
		if yes, _ := v.Bool(); yes == (f == formLost) {
			s.number = 1
		}
	case formPresence:
		s.number = 1
	}
	return s, ""
}

// absent is what a value that is not there means, for forms that decide by that.
func (f form) absent() (s scalar) {
	switch f {
	case formTile:
		s.number = noTile
	case formAbsence:
		s.number = 1
	}
	return s
}

// hashOfText reads 64 digits of hex in either case, perhaps after 0x.
func hashOfText(v *idl.Value) (s scalar, problem string) {
	text, _ := v.Bytes()
	text = bytes.TrimPrefix(text, []byte("0x"))
	if len(text) != hex.EncodedLen(len(s.bytes)) {
		return s, "want 64 digits of hex"
	}
	if _, err := hex.Decode(s.bytes[:], text); err != nil {
		return s, "want 64 digits of hex"
	}
	return s, ""
}

// keyOfNumber puts a number in the place of an address: big-endian, behind zeros.
func keyOfNumber(v *idl.Value) (s scalar, problem string) {
	if v.Kind >= idl.I8 && v.Kind <= idl.I256 && v.Raw[len(v.Raw)-1]>>7 == 1 {
		return s, "negative"
	}
	for i, b := range v.Raw {
		s.bytes[len(s.bytes)-1-i] = b
	}
	return s, ""
}

// amount is an integer × 10^decimals.
func amount(v *idl.Value, decimals int) (s scalar, problem string) {
	n, ok := v.Uint64()
	high, low := bits.Mul64(n, powerOfTen(decimals))
	if !ok || high != 0 {
		return s, "no amount from 0 to 2^64-1"
	}
	s.number = low
	return s, ""
}

func powerOfTen(n int) uint64 {
	power := uint64(1)
	for range n {
		power *= 10
	}
	return power
}

// capped is an integer, or the most where it is more, or below 0: both are out of
// the range of what it counts.
func capped(v *idl.Value, most uint64) uint64 {
	n, ok := v.Uint64()
	if !ok {
		return most
	}
	return min(n, most)
}

// tile reads a bust tile. Below 0 there is none; so is 255 or the largest number
// of the type where nothing else can say so. One that fits no byte is 254, which
// is no tile of a board either.
func tile(v *idl.Value, orNone bool) uint64 {
	n, ok := v.Uint64()
	switch {
	case !ok && v.Kind >= idl.I8 && v.Kind <= idl.I256 && v.Raw[len(v.Raw)-1]>>7 == 1:
		return noTile
	case orNone && (n == math.MaxUint8 || v.Kind <= idl.U256 && allOnes(v.Raw)):
		return noTile
	case !ok || n > math.MaxUint8:
		return math.MaxUint8 - 1
	}
	return n
}

func allOnes(raw []byte) bool {
	for _, b := range raw {
		if b != 0xff {
			return false
		}
	}
	return true
}
