package idl

import "fmt"

// packing is how a type lies in memory, where its bytes are said to be those of
// memory rather than of Borsh.
type packing uint8

const (
	borsh       packing = iota
	cLayout             // fields in order, each at a multiple of its alignment
	packedC             // fields in order without padding
	rustLayout          // fields in an order of the compiler's choosing
	transparent         // one field
)

// readPacking judges a definition's "serialization" and "repr".
func readPacking(serialization any, repr map[string]any) (packing, error) {
	switch {
	case serialization == nil || serialization == "borsh":
		return borsh, nil
	case serialization != "bytemuck" && serialization != "bytemuckunsafe":
		return borsh, fmt.Errorf("%w: serialization %s", ErrNotBorsh, sketch(serialization))
	}
	switch kind, packed := repr["kind"], repr["packed"] == true; {
	case kind == "c" && packed:
		return packedC, nil
	case kind == "c":
		return cLayout, nil
	case kind == "transparent":
		return transparent, nil
	default:
		return rustLayout, nil
	}
}

// provePacking shows that a measured type lies in memory as Borsh writes it, or
// says why not.
func provePacking(t *Type) error {
	if t.packing == borsh {
		return nil
	}
	if t.Kind != Struct && t.Kind != Tuple {
		return fmt.Errorf("%w: the memory of %s", ErrNotBorsh, t.Kind)
	}
	if t.packing == rustLayout && len(t.Fields) > 1 {
		return fmt.Errorf("%w: the memory of a struct whose representation is not C", ErrNotBorsh)
	}
	offset, widest := 0, 1
	for _, f := range t.Fields {
		align, ok := alignment(f.Type)
		if !ok {
			return fmt.Errorf("%w: the memory of field %q, %s", ErrNotBorsh, f.Name, f.Type)
		}
		if t.packing == packedC {
			align = 1
		}
		if offset%align != 0 {
			return fmt.Errorf("%w: padding before field %q", ErrNotBorsh, f.Name)
		}
		offset, widest = offset+f.Type.size, max(widest, align)
	}
	if offset%widest != 0 {
		return fmt.Errorf("%w: padding after the last field", ErrNotBorsh)
	}
	return nil
}

// alignment of a type whose memory is its Borsh form; of 128-bit integers the
// stricter one of the two that Rust has had.
func alignment(t *Type) (int, bool) {
	if t.broken != nil {
		return 0, false
	}
	switch t.Kind {
	case Pubkey:
		return 1, true
	case U256, I256:
		return 0, false // no primitive of Rust
	case Array:
		return alignment(t.Elem)
	case Struct, Tuple:
		widest := 1
		for _, f := range t.Fields {
			align, ok := alignment(f.Type)
			if !ok {
				return 0, false
			}
			widest = max(widest, align)
		}
		if t.packing == packedC {
			widest = 1
		}
		return widest, t.packing != borsh
	case Bool: // its memory is a byte
		return 1, true
	}
	size := t.Kind.fixedSize()
	return size, size > 0
}
