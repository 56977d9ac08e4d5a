package txjson

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
)

// maxNesting bounds how deep values may lie in one another. What nodes answer
// has a dozen levels, an instruction that they parsed a few more.
const maxNesting = 64

// errShort: the text ends within a value. More of it may mend that.
var errShort = errors.New("the text ends within a value")

// A cursor reads JSON text from front to end. Its first error stays, and every
// read after it gives nothing, so that callers look at err once. It takes the
// grammar strictly, because only so is a damaged document noticed where it is
// damaged; what it does not look at is whether strings are UTF-8.
type cursor struct {
	text string
	at   int
	deep int
	err  error // errShort, or what is no JSON
}

func (c *cursor) fail(want string) {
	if c.err != nil {
		return
	}
	if c.at >= len(c.text) {
		c.err = errShort
		return
	}
	c.err = fmt.Errorf("%q where %s should be", c.text[c.at], want)
}

// peek gives the next byte after white space, or 0.
func (c *cursor) peek() byte {
	if c.err != nil {
		return 0
	}
	if c.spaces(); c.at < len(c.text) {
		return c.text[c.at]
	}
	c.err = errShort
	return 0
}

func (c *cursor) spaces() {
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ' ', '\n', '\t', '\r':
			c.at++
		default:
			return
		}
	}
}

func (c *cursor) take(b byte, want string) bool {
	if c.peek() != b {
		c.fail(want)
		return false
	}
	c.at++
	return true
}

// A walk goes over the elements of an array or the members of an object:
//
//	for w := c.object(); w.next(); {
//		… read the value of w.key …
//	}
type walk struct {
	c     *cursor
	key   string
	close byte
	begun bool
}

func (c *cursor) array() walk  { return c.enter('[', ']', "an array") }
func (c *cursor) object() walk { return c.enter('{', '}', "an object") }

func (c *cursor) enter(open, close byte, want string) walk {
	if c.take(open, want) {
		if c.deep++; c.deep > maxNesting {
			c.err = errors.New("nested too deep")
		}
	}
	return walk{c: c, close: close}
}

// next stops before the next value, or behind the end.
func (w *walk) next() bool {
	c := w.c
	b := c.peek()
	if c.err != nil {
		return false
	}
	if b == w.close {
		c.at++
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
		w.key = c.str()
		return c.take(':', "a colon")
	}
	return true // where there is no value after a comma, whoever reads it fails
}

// str reads a string. Without escapes it is a part of the text, not a copy.
func (c *cursor) str() string {
	if !c.take('"', "a string") {
		return ""
	}
	start := c.at
	c.at = plainEnd(c.text, c.at)
	if c.at < len(c.text) && c.text[c.at] == '"' {
		c.at++
		return c.text[start : c.at-1]
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

// literal takes a word such as null.
func (c *cursor) literal(word string) {
	rest := c.text[c.at:]
	switch {
	case strings.HasPrefix(rest, word):
		c.at += len(word)
	case strings.HasPrefix(word, rest):
		c.err = errShort
	default:
		c.fail(word)
	}
}
