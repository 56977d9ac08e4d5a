package decode

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// maxInstructionText is the length of the longest data of an instruction, 10,240
// bytes, in base58.
const maxInstructionText = 13_985

// digitsAtOnce is how many digits of base 58 a word holds: 58^10 < 2^64.
const digitsAtOnce = 10

// decodeBase58 appends the bytes that text stands for to dst. It works on whole
// words, because the time is quadratic and the text a stranger's: the longest
// takes a millisecond. ok is false for anything but base58 within that length.
func decodeBase58(dst []byte, text string) (out []byte, ok bool) {
	if len(text) > maxInstructionText {
		return dst, false
	}
	zeros := 0
	for zeros < len(text) && text[zeros] == '1' {
		zeros++
	}
	var buf [32]uint64
	number := buf[:0] // little-endian words
	for rest := text[zeros:]; rest != ""; {
		n := min(len(rest), digitsAtOnce)
		chunk, scale := uint64(0), uint64(1)
		for i := range n {
			digit := base58Value(rest[i])
			if digit&noBase58 != 0 {
				return dst, false
			}
			chunk = chunk*58 + uint64(digit)
			scale *= 58
		}
		rest = rest[n:]
		for i, word := range number {
			high, low := bits.Mul64(word, scale)
			low, carry := bits.Add64(low, chunk, 0)
			number[i], chunk = low, high+carry
		}
		if chunk > 0 {
			number = append(number, chunk)
		}
	}
	dst = slices.Grow(dst, zeros+8*len(number))
	for range zeros {
		dst = append(dst, 0)
	}
	for i := len(number) - 1; i >= 0; i-- {
		start := len(dst)
		dst = binary.BigEndian.AppendUint64(dst, number[i])
		if i == len(number)-1 { // without leading zeros
			dst = append(dst[:start], dst[start+bits.LeadingZeros64(number[i])/8:]...)
		}
	}
	return dst, true
}
