package idl

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// appendFloat writes a number that JSON has, else its name as a string. A
// float of 32 bits is written as the one of 64 bits with its exact value.
func appendFloat(out []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		out = append(out, '"')
		if math.IsInf(f, -1) {
			out = append(out, '-')
		}
		if math.IsNaN(f) {
			out = append(out, "NaN"...)
		} else {
			out = append(out, "Infinity"...)
		}
		return append(out, '"')
	}
	form := byte('f')
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		form = 'e'
	}
	return strconv.AppendFloat(out, f, form, -1, 64)
}

// appendWide writes a little-endian integer of 16 or 32 bytes in decimal.
func appendWide(out, raw []byte, signed bool) []byte {
	var number [4]uint64
	limbs := number[:len(raw)/8] // least significant first
	for i := range limbs {
		limbs[i] = binary.LittleEndian.Uint64(raw[8*i:])
	}
	if signed && limbs[len(limbs)-1]>>63 == 1 {
		out = append(out, '-')
		negate(limbs)
	}
	const (
		chunk  = 1e19 // the largest power of ten in 64 bits
		digits = 19
	)
	var chunks [5]uint64 // least significant first; 1e19^5 > 2^256
	n := 0
	for {
		chunks[n] = divide(limbs, chunk)
		n++
		if isZero(limbs) {
			break
		}
	}
	out = strconv.AppendUint(out, chunks[n-1], 10)
	for i := n - 2; i >= 0; i-- {
		start := len(out)
		out = append(out, "0000000000000000000"...)
		var text [digits + 1]byte
		tail := strconv.AppendUint(text[:0], chunks[i], 10)
		copy(out[start+digits-len(tail):], tail)
	}
	return out
}

// negate makes limbs their two's complement.
func negate(limbs []uint64) {
	carry := uint64(1)
	for i := range limbs {
		limbs[i], carry = bits.Add64(^limbs[i], 0, carry)
	}
}

// divide makes limbs their quotient by d and returns the remainder.
func divide(limbs []uint64, d uint64) uint64 {
	var remainder uint64
	for i := len(limbs) - 1; i >= 0; i-- {
		limbs[i], remainder = bits.Div64(remainder, limbs[i], d)
	}
	return remainder
}

func isZero(limbs []uint64) bool {
	for _, limb := range limbs {
		if limb != 0 {
			return false
		}
	}
	return true
}
