package txjson

// skip passes over a value of any kind.
func (c *cursor) skip() {
	switch c.peek() {
	case '{':
		for w := c.object(); w.next(); {
			c.skip()
		}
	case '[':
		for w := c.array(); w.next(); {
			c.skip()
		}
	case '"':
		c.str()
	case 't':
		c.literal("true")
	case 'f':
		c.literal("false")
	case 'n':
		c.literal("null")
	default:
		c.number()
	}
}

// raw passes over a value and gives its text.
func (c *cursor) raw() string {
	c.peek()
	start := c.at
	c.skip()
	return c.text[start:c.at]
}

// number passes over a number and gives its text.
func (c *cursor) number() string {
	if c.err != nil {
		return ""
	}
	start := c.at
	c.sign("-")
	if c.at < len(c.text) && c.text[c.at] == '0' {
		c.at++
	} else {
		c.digits()
	}
	if c.at < len(c.text) && c.text[c.at] == '.' {
		c.at++
		c.digits()
	}
	if c.at < len(c.text) && c.text[c.at]|0x20 == 'e' {
		c.at++
		c.sign("+-")
		c.digits()
	}
	return c.text[start:c.at]
}

func (c *cursor) sign(signs string) {
	for i := range len(signs) {
		if c.at < len(c.text) && c.text[c.at] == signs[i] {
			c.at++
			return
		}
	}
}

func (c *cursor) digits() {
	start := c.at
	for c.at < len(c.text) && '0' <= c.text[c.at] && c.text[c.at] <= '9' {
		c.at++
	}
	if c.at == start {
		c.fail("a value")
	}
}
