package idl

import (
	"strconv"
	"unicode/utf8"
)

// skip reads a value as strictly as any reading of it and keeps nothing.
func (c *cursor) skip(t *Type, depth int) *DecodeError {
	if t.plain && t.size > 0 && t.size <= len(c.data)-c.at { // else walk to where the bytes end
		c.at += t.size
		return nil
	}
	switch t.Kind {
	case Bool:
		_, err := c.bool()
		return err
	case String, Bytes:
		raw, err := c.text()
		if err == nil && t.Kind == String && !utf8.Valid(raw) {
			return c.fault(ErrBadString, len(raw), "%.40q", raw)
		}
		return err
	case Option, COption:
		there, err := c.option(t)
		if err != nil || !there {
			return err
		}
	}
	if err := c.enter(t, depth); err != nil {
		return err
	}
	switch t.Kind {
	case Vec, Array:
		return c.skipSequence(t, depth)
	case Struct, Tuple:
		return c.skipFields(t, depth)
	case Enum:
		tag, err := c.variant(t)
		if err != nil {
			return err
		}
		if err := c.skip(t.Variants[tag].Body, depth+1); err != nil {
			return err.in(t.Variants[tag].Name)
		}
		return nil
	case Option, COption: // with a value
		return c.skip(t.Elem, depth+1)
	default:
		_, err := c.take(t.size)
		return err
	}
}

func (c *cursor) skipSequence(t *Type, depth int) *DecodeError {
	if t.isBytes() {
		_, err := c.bytes(t)
		return err
	}
	n := t.Len
	if t.Kind == Vec {
		var err *DecodeError
		if n, err = c.count(t.Elem); err != nil {
			return err
		}
		if t.Elem.plain && t.Elem.size > 0 {
			_, err := c.take(n * t.Elem.size)
			return err
		}
	}
	for i := range n {
		if err := c.skip(t.Elem, depth+1); err != nil {
			return err.in(strconv.Itoa(i))
		}
	}
	return nil
}

func (c *cursor) skipFields(t *Type, depth int) *DecodeError {
	for i := range t.Fields {
		if err := c.skip(t.Fields[i].Type, depth+1); err != nil {
			return err.in(t.Fields[i].Name)
		}
	}
	return nil
}
