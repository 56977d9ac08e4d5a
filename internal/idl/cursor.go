package idl

import (
	"encoding/binary"
	"fmt"
)

// The bounds of a payload's shape: those of its size are the bytes themselves.
const (
	maxDepth = 128  // of values within values
	maxVoid  = 4096 // values that take no bytes
)

// A cursor takes values off a payload, from the front.
type cursor struct {
	data []byte
	at   int  // everything before it is read
	void int  // values without bytes so far
	full bool // a coption's 0 is followed by zeros in the place of the value
}

// take gives the next n bytes.
func (c *cursor) take(n int) ([]byte, *DecodeError) {
	if left := len(c.data) - c.at; n > left {
		return nil, c.short(n)
	}
	head := c.data[c.at : c.at+n : c.at+n]
	c.at += n
	return head, nil
}

// fault is an error at the last n bytes that were taken.
func (c *cursor) fault(problem error, n int, format string, args ...any) *DecodeError {
	return &DecodeError{Offset: c.at - n, Problem: problem, Detail: fmt.Sprintf(format, args...)}
}

func (c *cursor) short(n int) *DecodeError {
	return c.fault(ErrShort, 0, "%d bytes of %d", len(c.data)-c.at, n)
}

func (c *cursor) bool() (bool, *DecodeError) {
	raw, err := c.take(1)
	if err != nil {
		return false, err
	}
	if raw[0] > 1 {
		return false, c.fault(ErrBadBool, 1, "%d", raw[0])
	}
	return raw[0] == 1, nil
}

// option takes the tag of an option or coption, and of an empty coption the
// place of its value: what is left to read is a value or nothing.
func (c *cursor) option(t *Type) (bool, *DecodeError) {
	size := 1
	if t.Kind == COption {
		size = 4
	}
	raw, err := c.take(size)
	if err != nil {
		return false, err
	}
	tag := uint32(raw[0])
	if t.Kind == COption {
		tag = binary.LittleEndian.Uint32(raw)
	}
	switch {
	case tag > 1:
		return false, c.fault(ErrBadOption, size, "%d", tag)
	case tag == 1:
		return true, nil
	case t.Kind == COption && c.full:
		return false, c.zeros(t.Elem.size)
	}
	return false, nil
}

// zeros takes the unused place of a value. Only values of one size have one.
func (c *cursor) zeros(size int) *DecodeError {
	raw, err := c.take(max(size, 0))
	if err != nil {
		return err
	}
	for _, b := range raw {
		if b != 0 {
			return c.fault(ErrBadOption, size, "an absent value's place holds %x", b)
		}
	}
	return nil
}

func (c *cursor) variant(t *Type) (int, *DecodeError) {
	raw, err := c.take(1)
	if err != nil {
		return 0, err
	}
	if int(raw[0]) >= len(t.Variants) {
		return 0, c.fault(ErrBadVariant, 1, "%d of %d", raw[0], len(t.Variants))
	}
	return int(raw[0]), nil
}

// count takes the length of a vec, which what is left must be able to hold.
func (c *cursor) count(elem *Type) (int, *DecodeError) {
	raw, err := c.take(4)
	if err != nil {
		return 0, err
	}
	n := int64(binary.LittleEndian.Uint32(raw))
	if left := int64(len(c.data) - c.at); elem.min > 0 && n > left/int64(elem.min) {
		return 0, c.fault(ErrShort, 4, "%d bytes for %d values of %d and more", left, n, elem.min)
	}
	return int(n), nil
}

// text takes the contents of a string or of bytes.
func (c *cursor) text() ([]byte, *DecodeError) {
	raw, err := c.take(4)
	if err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(raw))
	if left := int64(len(c.data) - c.at); n > left {
		return nil, c.fault(ErrShort, 4, "%d bytes of %d", left, n)
	}
	return c.take(int(n))
}

// bytes takes the contents of a type that isBytes.
func (c *cursor) bytes(t *Type) ([]byte, *DecodeError) {
	if t.Kind == Array {
		return c.take(t.Len)
	}
	return c.text()
}

// enter is asked before a value that holds others.
func (c *cursor) enter(t *Type, depth int) *DecodeError {
	if depth > maxDepth {
		return c.fault(ErrTooDeep, 0, "more than %d values", maxDepth)
	}
	if t.min == 0 {
		c.void++
		if c.void > maxVoid {
			return c.fault(ErrTooManyVoid, 0, "more than %d", maxVoid)
		}
	}
	return nil
}

// end is asked after the last field.
func (c *cursor) end() *DecodeError {
	if left := len(c.data) - c.at; left > 0 {
		return c.fault(ErrTrailing, 0, "%d", left)
	}
	return nil
}
