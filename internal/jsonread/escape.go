package jsonread

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escaped reads the rest of a string that has escapes, from where the cursor
// stands; what began at start stands for itself.
func (c *Cursor) escaped(start int) string {
	var b strings.Builder
	for {
		b.WriteString(c.Text[start:c.At])
		switch {
		case c.At >= len(c.Text):
			c.Err = ErrShort
			return ""
		case c.Text[c.At] == '"':
			c.At++
			return b.String()
		case c.Text[c.At] != '\\':
			c.Fail("an escaped control character")
			return ""
		}
		c.escape(&b)
		if c.Err != nil {
			return ""
		}
		start = c.At
		c.At = plainEnd(c.Text, c.At)
	}
}

func (c *Cursor) escape(b *strings.Builder) {
	c.At++
	if c.At >= len(c.Text) {
		c.Err = ErrShort
		return
	}
	const short, meaning = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if i := strings.IndexByte(short, c.Text[c.At]); i >= 0 {
		b.WriteByte(meaning[i])
		c.At++
		return
	}
	if c.Text[c.At] != 'u' {
		c.Fail("an escape")
		return
	}
	c.At++
	r := c.unit()
	if utf16.IsSurrogate(r) {
		r = c.pair(r)
	}
	b.WriteRune(r)
}

// pair completes a surrogate; a lone one gives the replacement character.
func (c *Cursor) pair(high rune) rune {
	if !strings.HasPrefix(c.Text[c.At:], `\u`) {
		return utf8.RuneError
	}
	start := c.At
	c.At += len(`\u`)
	if r := utf16.DecodeRune(high, c.unit()); r != utf8.RuneError {
		return r
	}
	c.At = start
	return utf8.RuneError
}

// unit reads four hexadecimal digits.
func (c *Cursor) unit() rune {
	const digits = 4
	if len(c.Text)-c.At < digits {
		c.At = len(c.Text)
		c.Fail("four hexadecimal digits")
		return 0
	}
	n, err := strconv.ParseUint(c.Text[c.At:c.At+digits], 16, 16)
	if err != nil {
		c.Fail("four hexadecimal digits")
		return 0
	}
	c.At += digits
	return rune(n)
}
