package idltest

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/gagliardetto/solana-go/base58"

	"minesaudit/internal/idl"
)

var errValue = errors.New("idltest: a value that does not fit its type")

// Encode writes the payload of an event from a value as [idl.Event.AppendJSON]
// and then encoding/json give it. Integers may also be of any Go kind, options
// absent from an object.
func Encode(e *idl.Event, value any) ([]byte, error) {
	if e.Broken != nil {
		return nil, e.Broken
	}
	return encode(nil, e.Type, value)
}

func encode(out []byte, t *idl.Type, value any) ([]byte, error) {
	switch t.Kind {
	case idl.Bool:
		b, ok := value.(bool)
		if !ok {
			return nil, fmt.Errorf("%w: %v as %s", errValue, value, t)
		}
		if b {
			return append(out, 1), nil
		}
		return append(out, 0), nil
	case idl.F32, idl.F64:
		return encodeFloat(out, t, value)
	case idl.String, idl.Bytes, idl.Pubkey:
		return encodeText(out, t, value)
	case idl.Option, idl.COption:
		tag := make([]byte, map[idl.Kind]int{idl.Option: 1, idl.COption: 4}[t.Kind])
		if value == nil {
			return append(out, tag...), nil
		}
		tag[0] = 1
		return encode(append(out, tag...), t.Elem, value)
	case idl.Vec, idl.Array:
		return encodeList(out, t, value)
	case idl.Struct, idl.Tuple:
		return encodeFields(out, t, value)
	case idl.Enum:
		return encodeEnum(out, t, value)
	}
	return encodeInteger(out, t, value)
}

func encodeFloat(out []byte, t *idl.Type, value any) ([]byte, error) {
	f, err := strconv.ParseFloat(fmt.Sprint(value), 64)
	if err != nil {
		return nil, fmt.Errorf("%w: %v as %s", errValue, value, t)
	}
	if t.Kind == idl.F32 {
		return binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(f))), nil
	}
	return binary.LittleEndian.AppendUint64(out, math.Float64bits(f)), nil
}

func encodeText(out []byte, t *idl.Type, value any) ([]byte, error) {
	text, ok := value.(string)
	raw := []byte(text)
	var err error
	switch t.Kind {
	case idl.Bytes:
		raw, err = hex.DecodeString(text)
	case idl.Pubkey:
		raw, err = base58.Decode(text)
	}
	if !ok || err != nil || t.Kind == idl.Pubkey && len(raw) != 32 {
		return nil, fmt.Errorf("%w: %v as %s", errValue, value, t)
	}
	if t.Kind != idl.Pubkey {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(raw)))
	}
	return append(out, raw...), nil
}

func encodeList(out []byte, t *idl.Type, value any) ([]byte, error) {
	list, ok := value.([]any)
	if text, isHex := value.(string); isHex && t.Elem.Kind == idl.U8 {
		raw, err := hex.DecodeString(text)
		ok = err == nil
		for _, b := range raw {
			list = append(list, b)
		}
	}
	if !ok || t.Kind == idl.Array && len(list) != t.Len {
		return nil, fmt.Errorf("%w: %v as %s", errValue, value, t)
	}
	if t.Kind == idl.Vec {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(list)))
	}
	var err error
	for i, elem := range list {
		if out, err = encode(out, t.Elem, elem); err != nil {
			return nil, fmt.Errorf("%d: %w", i, err)
		}
	}
	return out, nil
}

func encodeFields(out []byte, t *idl.Type, value any) ([]byte, error) {
	members, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%w: %v as %s", errValue, value, t)
	}
	var err error
	for _, f := range t.Fields {
		if out, err = encode(out, f.Type, members[f.Name]); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return out, nil
}

func encodeEnum(out []byte, t *idl.Type, value any) ([]byte, error) {
	members, _ := value.(map[string]any)
	for tag, v := range t.Variants {
		if body, ok := members[v.Name]; ok && len(members) == 1 {
			return encodeFields(append(out, byte(tag)), v.Body, body)
		}
	}
	return nil, fmt.Errorf("%w: %v as %s", errValue, value, t)
}

func encodeInteger(out []byte, t *idl.Type, value any) ([]byte, error) {
	bits, err := strconv.Atoi(t.Kind.String()[1:])
	if err != nil {
		return nil, fmt.Errorf("%w: no integer: %s", errValue, t)
	}
	text := fmt.Sprint(value)
	if f, isFloat := value.(float64); isFloat {
		text = strconv.FormatFloat(f, 'f', -1, 64)
	}
	number, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return nil, fmt.Errorf("%w: %v as %s", errValue, value, t)
	}
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(bits))
	if t.Kind.String()[0] == 'i' {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	if number.Cmp(low) < 0 || number.Cmp(high) >= 0 {
		return nil, fmt.Errorf("%w: %v as %s", errValue, value, t)
	}
	raw := make([]byte, bits/8)
	for i := range raw { // bits of negative numbers are those of two's complement
		raw[i] = byte(new(big.Int).And(new(big.Int).Rsh(number, uint(8*i)), big.NewInt(0xff)).Uint64())
	}
	return append(out, raw...), nil
}
