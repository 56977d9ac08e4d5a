// Package idltest makes what tests of IDL-driven decoding need: [Draw] gives an
// IDL of either form with an event's bytes and the JSON that they stand for, all
// by chance, and [Encode] the bytes of a value for an event's type. Both write
// Borsh with code of their own, so that a fault of the decoder cannot hide in
// them.
package idltest
