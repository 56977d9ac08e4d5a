// Package jsonread reads JSON text front to back, a value at a time, at the speed
// at which text can be looked through and without building what nobody asked for.
// Nodes answer with kilobytes around the few hundred bytes that matter here, by
// the million, and encoding/json goes through each of them several times.
//
// It takes the grammar of RFC 8259 strictly: text that is read to its end without
// an error is valid JSON. Names that stand twice in an object, and types that are
// not as expected, are for the caller to notice.
package jsonread

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
)

// maxNesting bounds how deep values may lie in one another. What nodes answer
// has a dozen levels, an instruction that they parsed a few more.
const maxNesting = 64

// ErrShort: the text ends within a value. More of it may mend that.
var ErrShort = errors.New("the text ends within a value")

// A Cursor reads JSON text from front to end, beginning with one that holds a
// Text. Its first error stays, and every read after it gives nothing, so that
// callers look at Err once. It takes the grammar strictly, because only so is a
// damaged document noticed where it is damaged; what it does not look at is
// whether strings are UTF-8.
type Cursor struct {
	Text string
	At   int   // index in Text of what is read next
	Err  error // ErrShort, or what is no JSON and where
	deep int
}

// Fail notes what should stand at the cursor and does not.
func (c *Cursor) Fail(want string) {
	if c.Err != nil {
		return
	}
	if c.At >= len(c.Text) {
		c.Err = ErrShort
		return
	}
	c.Err = fmt.Errorf("%q where %s should be", c.Text[c.At], want)
}

// Peek gives the next byte after white space, or 0.
func (c *Cursor) Peek() byte {
	if c.Err != nil {
		return 0
	}
	if c.At < len(c.Text) && c.Text[c.At] > ' ' {
		return c.Text[c.At] // nearly always
	}
	if c.spaces(); c.At < len(c.Text) {
		return c.Text[c.At]
	}
	c.Err = ErrShort
	return 0
}

// End reads the end of the text.
func (c *Cursor) End() {
	if c.Err != nil {
		return
	}
	if c.spaces(); c.At < len(c.Text) {
		c.Fail("the end")
	}
}

func (c *Cursor) spaces() {
	for c.At < len(c.Text) {
		switch c.Text[c.At] {
		case ' ', '\n', '\t', '\r':
			c.At++
		default:
			return
		}
	}
}

func (c *Cursor) take(b byte, want string) bool {
	if c.Peek() != b {
		c.Fail(want)
		return false
	}
	c.At++
	return true
}

// A Walk goes over the elements of an array or the members of an object:
//
//	for w := c.Object(); w.Next(); {
//		… read the value of w.Key …
//	}
type Walk struct {
	c     *Cursor
	Key   string // of the member that Next stopped before
	close byte
	begun bool
}

// Array enters an array, Object an object.
func (c *Cursor) Array() Walk  { return c.enter('[', ']', "an array") }
func (c *Cursor) Object() Walk { return c.enter('{', '}', "an object") }

func (c *Cursor) enter(open, close byte, want string) Walk {
	if c.take(open, want) {
		if c.deep++; c.deep > maxNesting {
			c.Err = errors.New("nested too deep")
		}
	}
	return Walk{c: c, close: close}
}

// Next stops before the next value, or behind the end.
func (w *Walk) Next() bool {
	c := w.c
	b := c.Peek()
	if c.Err != nil {
		return false
	}
	if b == w.close {
		c.At++
		c.deep--
		return false
	}
	if w.begun {
		if !c.take(',', "a comma or an end") {
			return false
		}
	}
	w.begun = true
	if w.close == '}' {
		w.Key = c.Str()
		return c.take(':', "a colon")
	}
	return true // where there is no value after a comma, whoever reads it fails
}

// Str reads a string. Without escapes it is a part of the text, not a copy.
func (c *Cursor) Str() string {
	if !c.take('"', "a string") {
		return ""
	}
	start := c.At
	c.At = plainEnd(c.Text, c.At)
	if c.At < len(c.Text) && c.Text[c.At] == '"' {
		c.At++
		return c.Text[start : c.At-1]
	}
	return c.escaped(start)
}

// plainEnd is the index of the first byte from i on that does not stand for
// itself in a string: a quote, a backslash or a control character. It looks at
// eight bytes at a time; the lowest mark of the three tests is never a false one.
func plainEnd(s string, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(s); i += 8 {
		w := word(s[i : i+8])
		quote, slash := w^ones*'"', w^ones*'\\'
		marks := ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*' ')&^w) & highs
		if marks != 0 {
			return i + bits.TrailingZeros64(marks)/8
		}
	}
	for ; i < len(s); i++ {
		if b := s[i]; b == '"' || b == '\\' || b < ' ' {
			return i
		}
	}
	return i
}

// word reads eight bytes, in one load.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Literal takes a word such as null.
func (c *Cursor) Literal(word string) {
	rest := c.Text[c.At:]
	switch {
	case strings.HasPrefix(rest, word):
		c.At += len(word)
	case strings.HasPrefix(word, rest):
		c.Err = ErrShort
	default:
		c.Fail(word)
	}
}
