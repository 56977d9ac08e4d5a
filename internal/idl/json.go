package idl

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/gagliardetto/solana-go/base58"
)

// AppendJSON reads a payload, the bytes after the discriminator, and appends it
// to dst as a JSON object; the package comment has the form. The error is a
// [*DecodeError], and dst comes back as it was, or [Event.Broken]. With
// [ErrTrailing] everything that the event has is there nevertheless.
func (e *Event) AppendJSON(dst, payload []byte) ([]byte, error) {
	if e.Broken != nil {
		return dst, e.Broken
	}
	w := writer{cursor: cursor{data: payload}, out: dst}
	err := w.event(e.Type)
	if err != nil && e.twofold {
		again := writer{cursor: cursor{data: payload, full: true}, out: dst}
		if again.event(e.Type) == nil {
			return again.out, nil
		}
		w = writer{cursor: cursor{data: payload}, out: dst} // the second attempt wrote over the first
		err = w.event(e.Type)
	}
	if err == nil {
		return w.out, nil
	}
	err.Event = e.Name
	if !errors.Is(err, ErrTrailing) {
		return dst, err
	}
	return w.out, err
}

// A writer reads values and writes them as JSON in one walk.
type writer struct {
	cursor
	out []byte
}

func (w *writer) event(t *Type) *DecodeError {
	if err := w.value(t, 0); err != nil {
		return err
	}
	return w.end()
}

func (w *writer) value(t *Type, depth int) *DecodeError {
	switch t.Kind {
	case Bool:
		b, err := w.bool()
		w.out = strconv.AppendBool(w.out, b)
		return err
	case String:
		raw, err := w.text()
		if err == nil && !utf8.Valid(raw) {
			err = w.fault(ErrBadString, len(raw), "%.40q", raw)
		}
		w.out = appendString(w.out, raw)
		return err
	case Bytes:
		return w.hex(t, depth)
	case Option, COption:
		return w.option(t, depth)
	case Vec, Array:
		return w.sequence(t, depth)
	case Struct, Tuple:
		return w.fields(t, depth)
	case Enum:
		return w.enum(t, depth)
	}
	raw, err := w.take(t.size)
	if err == nil {
		w.out = appendPrimitive(w.out, t.Kind, raw)
	}
	return err
}

func (w *writer) hex(t *Type, depth int) *DecodeError {
	if err := w.enter(t, depth); err != nil { // [u8; 0] takes no bytes
		return err
	}
	raw, err := w.bytes(t)
	w.out = append(w.out, '"')
	w.out = hex.AppendEncode(w.out, raw)
	w.out = append(w.out, '"')
	return err
}

func (w *writer) option(t *Type, depth int) *DecodeError {
	there, err := w.cursor.option(t)
	if err != nil {
		return err
	}
	if !there {
		w.out = append(w.out, "null"...)
		return nil
	}
	if err := w.enter(t, depth); err != nil {
		return err
	}
	return w.value(t.Elem, depth+1)
}

func (w *writer) sequence(t *Type, depth int) *DecodeError {
	if t.isBytes() {
		return w.hex(t, depth)
	}
	if err := w.enter(t, depth); err != nil {
		return err
	}
	n := t.Len
	if t.Kind == Vec {
		var err *DecodeError
		if n, err = w.count(t.Elem); err != nil {
			return err
		}
	}
	w.out = append(w.out, '[')
	for i := range n {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if err := w.value(t.Elem, depth+1); err != nil {
			return err.in(strconv.Itoa(i))
		}
	}
	w.out = append(w.out, ']')
	return nil
}

func (w *writer) fields(t *Type, depth int) *DecodeError {
	if err := w.enter(t, depth); err != nil {
		return err
	}
	if len(t.Fields) == 0 {
		w.out = append(w.out, '{')
	}
	for i := range t.Fields {
		field := &t.Fields[i]
		w.out = append(w.out, field.lead...)
		if err := w.value(field.Type, depth+1); err != nil {
			return err.in(field.Name)
		}
	}
	w.out = append(w.out, '}')
	return nil
}

func (w *writer) enum(t *Type, depth int) *DecodeError {
	if err := w.enter(t, depth); err != nil {
		return err
	}
	tag, err := w.variant(t)
	if err != nil {
		return err
	}
	variant := &t.Variants[tag]
	w.out = append(w.out, variant.lead...)
	if err := w.fields(variant.Body, depth+1); err != nil {
		return err.in(variant.Name)
	}
	w.out = append(w.out, '}')
	return nil
}

// appendPrimitive writes a value of fixed size that any bytes are one of.
func appendPrimitive(out []byte, kind Kind, raw []byte) []byte {
	switch kind {
	case U8:
		return strconv.AppendUint(out, uint64(raw[0]), 10)
	case U16:
		return strconv.AppendUint(out, uint64(binary.LittleEndian.Uint16(raw)), 10)
	case U32:
		return strconv.AppendUint(out, uint64(binary.LittleEndian.Uint32(raw)), 10)
	case I8:
		return strconv.AppendInt(out, int64(int8(raw[0])), 10)
	case I16:
		return strconv.AppendInt(out, int64(int16(binary.LittleEndian.Uint16(raw))), 10)
	case I32:
		return strconv.AppendInt(out, int64(int32(binary.LittleEndian.Uint32(raw))), 10)
	case F32:
		return appendFloat(out, float64(math.Float32frombits(binary.LittleEndian.Uint32(raw))))
	case F64:
		return appendFloat(out, math.Float64frombits(binary.LittleEndian.Uint64(raw)))
	}
	out = append(out, '"')
	switch kind {
	case U64:
		out = strconv.AppendUint(out, binary.LittleEndian.Uint64(raw), 10)
	case I64:
		out = strconv.AppendInt(out, int64(binary.LittleEndian.Uint64(raw)), 10)
	case U128, U256:
		out = appendWide(out, raw, false)
	case I128, I256:
		out = appendWide(out, raw, true)
	case Pubkey:
		out = base58.AppendEncode32(out, (*[32]byte)(raw))
	}
	return append(out, '"')
}
