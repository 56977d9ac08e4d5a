package txjson

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escaped reads the rest of a string that has escapes, from where the cursor
// stands; what began at start stands for itself.
func (c *cursor) escaped(start int) string {
	var b strings.Builder
	for {
		b.WriteString(c.text[start:c.at])
		switch {
		case c.at >= len(c.text):
			c.err = errShort
			return ""
		case c.text[c.at] == '"':
			c.at++
			return b.String()
		case c.text[c.at] != '\\':
			c.fail("an escaped control character")
			return ""
		}
		c.escape(&b)
		if c.err != nil {
			return ""
		}
		start = c.at
		c.at = plainEnd(c.text, c.at)
	}
}

func (c *cursor) escape(b *strings.Builder) {
	c.at++
	if c.at >= len(c.text) {
		c.err = errShort
		return
	}
	const short, meaning = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if i := strings.IndexByte(short, c.text[c.at]); i >= 0 {
		b.WriteByte(meaning[i])
		c.at++
		return
	}
	if c.text[c.at] != 'u' {
		c.fail("an escape")
		return
	}
	c.at++
	r := c.unit()
	if utf16.IsSurrogate(r) {
		r = c.pair(r)
	}
	b.WriteRune(r)
}

// pair completes a surrogate; a lone one gives the replacement character.
func (c *cursor) pair(high rune) rune {
	if !strings.HasPrefix(c.text[c.at:], `\u`) {
		return utf8.RuneError
	}
	start := c.at
	c.at += len(`\u`)
	if r := utf16.DecodeRune(high, c.unit()); r != utf8.RuneError {
		return r
	}
	c.at = start
	return utf8.RuneError
}

// unit reads four hexadecimal digits.
func (c *cursor) unit() rune {
	const digits = 4
	if len(c.text)-c.at < digits {
		c.at = len(c.text)
		c.fail("four hexadecimal digits")
		return 0
	}
	n, err := strconv.ParseUint(c.text[c.at:c.at+digits], 16, 16)
	if err != nil {
		c.fail("four hexadecimal digits")
		return 0
	}
	c.at += digits
	return rune(n)
}
