package idl

import (
	"encoding/binary"
	"math"
)

// A Value is one value of a payload, read in place: it holds as long as the
// payload's bytes do. The zero Value is one that is not there: within an option
// that is empty, or a variant that is not the one at hand.
type Value struct {
	Kind Kind   // Absent if it is not there; never Option or COption
	Raw  []byte // its bytes in Borsh, with length prefix and tag

	of   *Type
	full bool // see cursor
	tag  int  // of an enum
}

// Present reports whether there is a value.
func (v Value) Present() bool { return v.Kind != Absent }

// Bool is the value of a bool.
func (v Value) Bool() (value, ok bool) {
	if v.Kind != Bool {
		return false, false
	}
	return v.Raw[0] == 1, true
}

// Uint64 is the value of an integer of any width that is not negative and fits.
func (v Value) Uint64() (uint64, bool) {
	hi, lo, ok := v.Uint128()
	return lo, ok && hi == 0
}

// Uint128 is the value of an integer of any width that is not negative and fits,
// in two halves.
func (v Value) Uint128() (hi, lo uint64, ok bool) {
	limbs, negative, ok := v.integer()
	if !ok || negative || limbs[2]|limbs[3] != 0 {
		return 0, 0, false
	}
	return limbs[1], limbs[0], true
}

// Int64 is the value of an integer of any width that fits.
func (v Value) Int64() (int64, bool) {
	limbs, negative, ok := v.integer()
	sign := uint64(0)
	if negative {
		sign = math.MaxUint64
	}
	if !ok || limbs[0]>>63 != sign&1 || limbs[1] != sign || limbs[2] != sign || limbs[3] != sign {
		return 0, false
	}
	return int64(limbs[0]), true
}

// integer is the value in 256 bits, two's complement, least significant limb
// first.
func (v Value) integer() (limbs [4]uint64, negative, ok bool) {
	signed := false
	switch v.Kind {
	case U8, U16, U32, U64, U128, U256:
	case I8, I16, I32, I64, I128, I256:
		signed = true
	default:
		return limbs, false, false
	}
	var wide [32]byte
	copy(wide[:], v.Raw)
	if negative = signed && v.Raw[len(v.Raw)-1]>>7 == 1; negative {
		for i := len(v.Raw); i < len(wide); i++ {
			wide[i] = 0xff
		}
	}
	for i := range limbs {
		limbs[i] = binary.LittleEndian.Uint64(wide[8*i:])
	}
	return limbs, negative, true
}

// Bytes is what a string, bytes, [u8; N], vec<u8> or pubkey holds, without the
// length prefix.
func (v Value) Bytes() ([]byte, bool) {
	switch {
	case v.Kind == Pubkey:
		return v.Raw, true
	case v.Kind == String || v.Kind == Bytes || v.Kind == Vec && v.of.isBytes():
		return v.Raw[4:], true
	case v.Kind == Array && v.of.isBytes():
		return v.Raw, true
	}
	return nil, false
}

// Bytes32 is what [Value.Bytes] gives if it is 32 bytes: a key or a hash.
func (v Value) Bytes32() (out [32]byte, ok bool) {
	raw, ok := v.Bytes()
	if !ok || len(raw) != len(out) {
		return out, false
	}
	return [32]byte(raw), true
}

// Variant is the name of an enum's variant.
func (v Value) Variant() (string, bool) {
	if v.Kind != Enum {
		return "", false
	}
	return v.of.Variants[v.tag].Name, true
}

// Len is the number of values in a vec or array.
func (v Value) Len() (int, bool) {
	switch v.Kind {
	case Vec:
		return int(binary.LittleEndian.Uint32(v.Raw)), true
	case Array:
		return v.of.Len, true
	}
	return 0, false
}

// Elems yields the values of a vec or array in order, none of another kind.
func (v Value) Elems(yield func(int, Value) bool) {
	n, ok := v.Len()
	if !ok {
		return
	}
	c := cursor{data: v.Raw, full: v.full}
	if v.Kind == Vec {
		c.at = 4
	}
	for i := range n {
		var elem Value
		if c.read(v.of.Elem, &elem, 0) != nil || !yield(i, elem) { // it was read before: no error
			return
		}
	}
}

// AppendJSON writes the value as [Event.AppendJSON] would; one that is not there
// as null.
func (v Value) AppendJSON(dst []byte) []byte {
	if v.Kind == Absent {
		return append(dst, "null"...)
	}
	w := writer{cursor: cursor{data: v.Raw, full: v.full}, out: dst}
	if w.value(v.of, 0) != nil { // it was read before: no error
		return dst
	}
	return w.out
}

// read reads a value into dst, without the options around it.
func (c *cursor) read(t *Type, dst *Value, depth int) *DecodeError {
	for t.Kind == Option || t.Kind == COption {
		there, err := c.option(t)
		if err != nil || !there {
			return err
		}
		if err := c.enter(t, depth); err != nil {
			return err
		}
		t = t.Elem
		depth++
	}
	start := c.at
	if err := c.skip(t, depth); err != nil {
		return err
	}
	*dst = Value{Kind: t.Kind, Raw: c.data[start:c.at:c.at], of: t, full: c.full}
	if t.Kind == Enum {
		dst.tag = int(dst.Raw[0])
	}
	return nil
}
