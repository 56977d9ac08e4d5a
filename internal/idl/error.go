package idl

import (
	"errors"
	"fmt"
)

// Why [Parse] refuses a file.
var (
	ErrNotAnchor = errors.New("not an Anchor IDL")
	ErrAmbiguous = errors.New("ambiguous discriminator")
	ErrBounds    = errors.New("beyond the bounds of this reader")
)

// Why an event is [Event.Broken].
var (
	ErrUndefined     = errors.New("not defined in the IDL")
	ErrUnknownType   = errors.New("unknown type")
	ErrEndless       = errors.New("contains itself without an end")
	ErrNotBorsh      = errors.New("not written by Borsh")
	ErrDiscriminator = errors.New("no usable discriminator")
)

// Why a payload does not fit its event: the Problem of a [DecodeError].
var (
	ErrTrailing    = errors.New("bytes left over")
	ErrShort       = errors.New("too short")
	ErrBadBool     = errors.New("bool is neither 0 nor 1")
	ErrBadOption   = errors.New("option tag is neither 0 nor 1")
	ErrBadVariant  = errors.New("no such variant")
	ErrBadString   = errors.New("string is not UTF-8")
	ErrTooDeep     = errors.New("nested too deep")
	ErrTooManyVoid = errors.New("too many values that take no bytes")
)

// A DecodeError says where a payload does not fit.
type DecodeError struct {
	Event   string
	Path    string // such as outcome.Busted.tile or tiles.3; empty for the whole
	Offset  int    // in the payload, from 0
	Problem error  // one of the sentinels
	Detail  string // numbers, such as "2 bytes of 8"
}

func (e *DecodeError) Error() string {
	where := e.Event
	if e.Path != "" {
		where += "." + e.Path
	}
	text := fmt.Sprintf("%q at byte %d: %v", where, e.Offset, e.Problem)
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

func (e *DecodeError) Unwrap() error { return e.Problem }

// in puts the name of what e's path lies in before it.
func (e *DecodeError) in(name string) *DecodeError {
	if e.Path == "" {
		e.Path = name
	} else {
		e.Path = name + "." + e.Path
	}
	return e
}
