package idl

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is the form of a type or value. The zero Kind is that of a value that is
// not there.
type Kind uint8

// The kinds.
const (
	Absent Kind = iota
	Bool
	U8
	U16
	U32
	U64
	U128
	U256
	I8
	I16
	I32
	I64
	I128
	I256
	F32
	F64
	String
	Bytes
	Pubkey
	Option
	COption // tag of four bytes
	Vec
	Array
	Struct // named fields, or none
	Tuple  // fields named by position: a tuple, or a struct or variant that is one
	Enum
)

// primitive finds a kind by its name in an IDL of either form.
func primitive(name string) (Kind, bool) {
	if name == "publicKey" {
		return Pubkey, true
	}
	for kind := Bool; kind <= Pubkey; kind++ {
		if kind.String() == name {
			return kind, true
		}
	}
	return Absent, false
}

// String is the name that the new form of IDL has for a kind.
func (k Kind) String() string {
	names := [...]string{
		"absent", "bool", "u8", "u16", "u32", "u64", "u128", "u256", "i8", "i16", "i32", "i64", "i128", "i256",
		"f32", "f64", "string", "bytes", "pubkey", "option", "coption", "vec", "array", "struct", "tuple", "enum",
	}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// fixedSize is how many bytes each value of a primitive kind takes; 0 for kinds
// where that depends.
func (k Kind) fixedSize() int {
	switch k {
	case Bool, U8, I8:
		return 1
	case U16, I16:
		return 2
	case U32, I32, F32:
		return 4
	case U64, I64, F64:
		return 8
	case U128, I128:
		return 16
	case U256, I256, Pubkey:
		return 32
	}
	return 0
}

// A Type is a layout with every name, alias and generic resolved. Types are
// shared and may contain themselves; nobody changes them after [Parse].
type Type struct {
	Kind     Kind
	Name     string    // of a struct, tuple struct or enum as the IDL has it; else empty
	Elem     *Type     // of an option, coption, vec or array
	Len      int       // of an array
	Fields   []Field   // of a struct or tuple, in order
	Variants []Variant // of an enum: the index is the tag

	broken error // why it has no layout; the rest is then incomplete

	packing packing // what the memory layout must prove before it counts as Borsh's
	extent
}

// A Field is one member of a struct or tuple.
type Field struct {
	Name string // by position "0", "1" in a tuple
	Type *Type
	lead string // as JSON what stands before the value: { or a comma, the name, a colon
}

// A Variant is one alternative of an enum. Body is a Struct, without fields for
// a unit variant, or a Tuple.
type Variant struct {
	Name string
	Body *Type
	lead string // as of a field
}

// isBytes tells sequences that are written as hex.
func (t *Type) isBytes() bool {
	return t.Kind == Bytes || (t.Kind == Vec || t.Kind == Array) && t.Elem.Kind == U8
}

// String is the type in the notation of Rust, a defined one by its name.
func (t *Type) String() string {
	switch t.Kind {
	case Option, COption, Vec:
		return t.Kind.String() + "<" + t.Elem.String() + ">"
	case Array:
		return "[" + t.Elem.String() + "; " + strconv.Itoa(t.Len) + "]"
	case Struct, Tuple, Enum:
		if t.Name != "" {
			return t.Name
		}
		parts := make([]string, 0, len(t.Fields))
		for _, f := range t.Fields {
			parts = append(parts, f.Type.String())
		}
		return "(" + strings.Join(parts, ", ") + ")"
	default:
		return t.Kind.String()
	}
}
