package jsonread

// Skip passes over a value of any kind.
func (c *Cursor) Skip() {
	switch c.Peek() {
	case '{':
		for w := c.Object(); w.Next(); {
			c.Skip()
		}
	case '[':
		for w := c.Array(); w.Next(); {
			c.Skip()
		}
	case '"':
		c.Str()
	case 't':
		c.Literal("true")
	case 'f':
		c.Literal("false")
	case 'n':
		c.Literal("null")
	default:
		c.number()
	}
}

// Raw passes over a value and gives its text.
func (c *Cursor) Raw() string {
	c.Peek()
	start := c.At
	c.Skip()
	return c.Text[start:c.At]
}

// number passes over a number and gives its text.
func (c *Cursor) number() string {
	if c.Err != nil {
		return ""
	}
	start := c.At
	c.sign("-")
	if c.At < len(c.Text) && c.Text[c.At] == '0' {
		c.At++
	} else {
		c.digits()
	}
	if c.At < len(c.Text) && c.Text[c.At] == '.' {
		c.At++
		c.digits()
	}
	if c.At < len(c.Text) && c.Text[c.At]|0x20 == 'e' {
		c.At++
		c.sign("+-")
		c.digits()
	}
	return c.Text[start:c.At]
}

func (c *Cursor) sign(signs string) {
	for i := range len(signs) {
		if c.At < len(c.Text) && c.Text[c.At] == signs[i] {
			c.At++
			return
		}
	}
}

func (c *Cursor) digits() {
	start := c.At
	for c.At < len(c.Text) && '0' <= c.Text[c.At] && c.Text[c.At] <= '9' {
		c.At++
	}
	if c.At == start {
		c.Fail("a value")
	}
}
