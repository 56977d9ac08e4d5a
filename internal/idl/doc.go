// Package idl reads the events of any Anchor program by its IDL, at run time:
// the file says which events there are and how their bytes are laid out, the
// package turns it into a tree of types once, and walks that tree over each
// payload. Both the file and the bytes may be hostile. The package takes no
// context, clock, logger or I/O, and never panics on what it is given.
//
// # The file
//
// There are two forms, told apart by what is in them and not by a version that
// they claim ([Parse]):
//
//	legacy  {"version", "name", "instructions", "events": [{"name", "fields"}], "types", "accounts", "metadata": {"address"}}
//	new     {"address", "metadata": {"name", "version"}, "instructions", "events": [{"name", "discriminator"}], "types"}
//
// An event has its fields in place or in the type of its name, and its
// discriminator in the file or as sha256("event:" + name)[:8], each decided for
// itself. The hash is over the name of the Rust struct: the files that Anchor
// makes for TypeScript have names in camel case, and an event of such a name
// without a discriminator is refused, because its hash would match nothing.
// Where one discriminator begins with another, the longer one is tried first;
// two that are equal refuse the file.
//
// What cannot be laid out costs the events that use it and no others: they are
// listed and matched, and [Event.Broken] says which type it was. That is a type
// that is not defined or not known, one that contains itself without an end, one
// that is not written by Borsh, and one beyond the bounds below.
//
// # The bytes
//
// Borsh, after the discriminator:
//
//	bool             1 byte, 0 or 1
//	u8 … u256, i8 …  little-endian, two's complement
//	f32, f64         IEEE 754, little-endian
//	string, bytes    u32 length, then the bytes; a string is UTF-8
//	pubkey           32 bytes
//	option<T>        1 byte, 0 or 1; after 1 the value
//	coption<T>       u32, 0 or 1, and the value: see below
//	vec<T>           u32 count, then the values
//	[T; N], tuples   the values
//	struct           the fields
//	enum             1 byte, the variant's index, then its fields
//
// Anchor has no Borsh form of coption. Programs that write one either leave the
// value of 0 out, as an option does, or fill its place with zeros, as token
// accounts do. The first is tried, then the second; what neither fits is
// malformed in the way that the first says.
//
// A type with "serialization" other than borsh lies in memory as Rust and the C
// representation lay it out. Borsh writes the same bytes where that has no
// padding and no order of its own, which is checked; any other is refused.
//
// Every byte must be used. Bytes beyond the last field are [ErrTrailing], with
// all fields read: a program that grew an event is not one that stopped emitting
// it. Everything else that does not fit, text that is not UTF-8 included (no Rust
// string holds such bytes, and replacing them would change evidence), is an error
// with nothing read.
//
// # JSON
//
// [Event.AppendJSON] writes bool as such, integers of 32 bits and less and floats
// as numbers (NaN and infinities as strings), wider integers as decimal strings,
// pubkeys in base58, bytes, [u8; N] and vec<u8> as lower-case hex, an empty option
// as null (so is one in an option, as in every JSON of Anchor's), structs as objects in the order of the file with its names,
// tuples as objects with keys "0", "1", and an enum as an object whose one key is
// the variant: {"Busted": {"tile": 3}}, {"Unit": {}}.
//
// # Single fields
//
// Whoever needs some fields of known types, as a profile does, compiles their
// paths into a [Plan], which walks a payload once, as strictly as AppendJSON
// does, and gives each field as a [Value] in place: no copy, no allocation.
//
// # Accounts
//
// A program's IDL may lie on the chain in two places: the account that Anchor
// before 1.0 wrote ([LegacyAddress]) and one of the Program Metadata program
// ([MetadataAddress]). [FromAccount] reads the bytes of either; fetching them is
// for others. A URL in place of the text is refused, a reference to another
// account is handed back.
//
// # Bounds
//
// A length prefix allocates nothing: values are read in place. Values that take
// no bytes at all are counted, so that vec<()> of four billion ends, and so is
// nesting. Output and work are thereby bounded by a factor of the payload that
// depends on the IDL alone, whose size, names, types and nesting Parse bounds:
// generic definitions could make very many types of a few bytes.
package idl
