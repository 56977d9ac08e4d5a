package decode

import (
	"encoding/binary"
	"strings"

	"minesaudit/internal/idl"
)

// isQuick tells values whose bytes, little-endian, are the scalar of their role.
func (f form) isQuick(t *idl.Type, decimals int) bool {
	switch f {
	case formKey, formHash:
		return t.Kind == idl.Pubkey || t.Kind == idl.Array
	case formAmount:
		return isUnsigned(t.Kind, idl.U64) && decimals == 0
	case formByte, formTile:
		return t.Kind == idl.U8
	case formEdge, formMask:
		return isUnsigned(t.Kind, idl.U32)
	case formSeconds:
		return isUnsigned(t.Kind, idl.U32) || t.Kind == idl.I64
	}
	return false
}

func isUnsigned(k, widest idl.Kind) bool { return k >= idl.U8 && k <= widest }

// putQuick gives the event the value of a role that is quick.
func (e *Event) putQuick(role Role, raw []byte) {
	if role.isBytes() {
		*e.bytesOf(role) = [32]byte(raw)
		return
	}
	n := uint64(raw[0])
	switch len(raw) {
	case 2:
		n = uint64(binary.LittleEndian.Uint16(raw))
	case 4:
		n = uint64(binary.LittleEndian.Uint32(raw))
	case 8:
		n = binary.LittleEndian.Uint64(raw)
	}
	e.putNumber(role, n)
}

// fix finds parts of which every payload of the right size is one: no value has
// bytes that are none of its type, none has a size of its own, and the fields can
// be taken from their places.
func (p *part) fix() {
	sizes := plainSizes{}
	size := sizes.of(p.event.Type)
	if size < 0 || len(p.bindings) != 1 || p.bindings[0].when >= 0 {
		return
	}
	fields := p.bindings[0].fields
	for i := range fields {
		f := &fields[i]
		if f.slot < 0 {
			continue
		}
		if !f.quick {
			return
		}
		f.offset, f.width = sizes.before(p.event.Type, f.source.Path), sizes.of(f.leaf.Type)
	}
	p.fixed, p.size = true, size
}

// plainSizes are the sizes of types of which any bytes of that size are a value;
// -1 for others. Each is worked out once: types may hold each other many times.
type plainSizes map[*idl.Type]int

func (s plainSizes) of(t *idl.Type) int {
	size, known := s[t]
	if !known {
		s[t] = -1 // within itself
		size = s.work(t)
		s[t] = size
	}
	return size
}

func (s plainSizes) work(t *idl.Type) int {
	switch t.Kind {
	case idl.U8, idl.I8:
		return 1
	case idl.U16, idl.I16:
		return 2
	case idl.U32, idl.I32, idl.F32:
		return 4
	case idl.U64, idl.I64, idl.F64:
		return 8
	case idl.U128, idl.I128:
		return 16
	case idl.U256, idl.I256, idl.Pubkey:
		return 32
	case idl.Array:
		if elem := s.of(t.Elem); elem >= 0 {
			return elem * t.Len
		}
	case idl.Struct, idl.Tuple:
		size := 0
		for _, f := range t.Fields {
			of := s.of(f.Type)
			if of < 0 {
				return -1
			}
			size += of
		}
		return size
	}
	return -1
}

// before is how many bytes of a plain type stand before what a path leads to.
func (s plainSizes) before(t *idl.Type, path string) (offset int) {
	for name := range strings.SplitSeq(path, ".") {
		for _, f := range t.Fields {
			if f.Name == name {
				t = f.Type
				break
			}
			offset += s.of(f.Type)
		}
	}
	return offset
}

// fillFixed makes the event what the binding of a fixed part says.
func (e *Event) fillFixed(b *binding, payload []byte, room *Room) {
	e.begin(b, room)
	for i := range b.fields {
		f := &b.fields[i]
		if f.slot < 0 {
			e.put(f.role, &f.constant)
			continue
		}
		e.putQuick(f.role, payload[f.offset:f.offset+f.width])
	}
	e.end(b)
}
