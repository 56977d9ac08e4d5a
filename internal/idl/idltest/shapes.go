package idltest

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"strconv"

	"github.com/gagliardetto/solana-go/base58"
	"pgregory.net/rapid"
)

// any draws a type that holds others at most depth deep.
func (f *file) any(t *rapid.T, depth int) shape {
	kinds := []func(*rapid.T, int) shape{f.leaf, f.leaf, f.leaf, f.option, f.sequence, f.array, f.tuple, f.structure, f.enum, f.alias, f.generic}
	if depth == 0 {
		kinds = kinds[:1]
	}
	return rapid.SampledFrom(kinds).Draw(t, "kind")(t, depth-1)
}

func (f *file) leaf(t *rapid.T, _ int) shape {
	name := rapid.SampledFrom([]string{
		"bool", "u8", "u16", "u32", "u64", "u128", "u256", "i8", "i16", "i32", "i64", "i128", "i256",
		"f32", "f64", "string", "bytes", "pubkey",
	}).Draw(t, "leaf")
	s := shape{idl: name, isByte: name == "u8", value: func(t *rapid.T) ([]byte, any) { return leafValue(t, name) }}
	if name == "pubkey" && f.legacy {
		s.idl = "publicKey"
	}
	return s
}

func leafValue(t *rapid.T, name string) ([]byte, any) {
	switch name {
	case "bool":
		b := rapid.Bool().Draw(t, name)
		if b {
			return []byte{1}, true
		}
		return []byte{0}, false
	case "string":
		text := rapid.String().Draw(t, name)
		return prefixed([]byte(text)), text
	case "bytes":
		raw := rapid.SliceOf(rapid.Byte()).Draw(t, name)
		return prefixed(raw), hex.EncodeToString(raw)
	case "pubkey":
		raw := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, name)
		return raw, base58.Encode(raw)
	case "f32":
		f := rapid.Float32().Draw(t, name)
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(f)), float(float64(f))
	case "f64":
		f := rapid.Float64().Draw(t, name)
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)), float(f)
	}
	return integerValue(t, name)
}

func float(f float64) any {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return f
}

func integerValue(t *rapid.T, name string) ([]byte, any) {
	bits, err := strconv.Atoi(name[1:])
	if err != nil {
		panic("idltest: a leaf that is no integer")
	}
	raw := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 0, 1, 2, 0x7f, 0x80, 0xff, 0xff}), bits/8, bits/8).Draw(t, name)
	number := new(big.Int)
	for i := len(raw) - 1; i >= 0; i-- {
		number.Lsh(number, 8).Or(number, big.NewInt(int64(raw[i])))
	}
	if name[0] == 'i' && number.Bit(bits-1) == 1 {
		number.Sub(number, new(big.Int).Lsh(big.NewInt(1), uint(bits)))
	}
	if bits <= 32 {
		return raw, float64(number.Int64())
	}
	return raw, number.String()
}

func prefixed(raw []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(raw))), raw...)
}

func (f *file) option(t *rapid.T, depth int) shape {
	inner := f.any(t, depth)
	key, size := "option", 1
	if rapid.Bool().Draw(t, "coption") {
		key, size = "coption", 4
	}
	return shape{idl: object{key: inner.idl}, value: func(t *rapid.T) ([]byte, any) {
		tag := make([]byte, size)
		if !rapid.Bool().Draw(t, key) {
			return tag, nil
		}
		tag[0] = 1
		raw, want := inner.value(t)
		return append(tag, raw...), want
	}}
}

func (f *file) sequence(t *rapid.T, depth int) shape {
	inner := f.any(t, depth)
	return shape{idl: object{"vec": inner.idl}, value: func(t *rapid.T) ([]byte, any) {
		n := rapid.IntRange(0, 4).Draw(t, "count")
		raw, want := inner.repeat(t, n)
		return append(binary.LittleEndian.AppendUint32(nil, uint32(n)), raw...), want
	}}
}

func (f *file) array(t *rapid.T, depth int) shape {
	inner := f.any(t, depth)
	n := rapid.IntRange(0, 4).Draw(t, "length")
	return shape{idl: object{"array": []any{inner.idl, n}}, value: func(t *rapid.T) ([]byte, any) { return inner.repeat(t, n) }}
}

// repeat draws n values; of bytes the JSON is hex.
func (s shape) repeat(t *rapid.T, n int) ([]byte, any) {
	all, list := []byte{}, []any{}
	for range n {
		raw, want := s.value(t)
		all, list = append(all, raw...), append(list, want)
	}
	if s.isByte {
		return all, hex.EncodeToString(all)
	}
	return all, list
}
