package idl

import (
	"fmt"
	"strconv"
	"strings"
)

// spelled compiles a type in Rust's notation. Anchor before 0.30 wrote what it
// had no form for as the name of a defined type, tuples above all:
// {"defined": "(u8,Vec<Pubkey>)"}.
func (c *compiler) spelled(text string, depth int) (*Type, error) {
	text = strings.TrimSpace(text)
	if depth > maxNesting {
		return nil, fmt.Errorf("%w: types nested more than %d deep", ErrBounds, maxNesting)
	}
	if inner, ok := enclosed(text, "Option<", ">"); ok {
		return c.spelledElem(Option, inner, 0, depth)
	}
	if inner, ok := enclosed(text, "Vec<", ">"); ok {
		return c.spelledElem(Vec, inner, 0, depth)
	}
	if inner, ok := enclosed(text, "[", "]"); ok {
		cut := max(strings.LastIndexByte(inner, ';'), 0)
		n, err := arrayLength(strings.TrimSpace(strings.TrimPrefix(inner[cut:], ";")))
		if err != nil {
			return nil, err
		}
		return c.spelledElem(Array, inner[:cut], n, depth)
	}
	if inner, ok := enclosed(text, "(", ")"); ok {
		return c.spelledTuple(inner, depth)
	}
	switch text {
	case "String":
		return c.node(String)
	case "Pubkey":
		return c.node(Pubkey)
	}
	if kind, ok := primitive(text); ok {
		return c.node(kind)
	}
	return c.instance(text, nil, depth+1)
}

func enclosed(text, before, after string) (string, bool) {
	inner, ok := strings.CutPrefix(text, before)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(inner, after)
}

func (c *compiler) spelledElem(kind Kind, inner string, n, depth int) (*Type, error) {
	elem, err := c.spelled(inner, depth+1)
	if err != nil {
		return nil, err
	}
	t, err := c.node(kind)
	if err != nil {
		return nil, err
	}
	t.Elem, t.Len = elem, n
	return t, nil
}

// spelledTuple compiles what stands between parentheses: types between commas
// that no bracket encloses, and perhaps one comma more.
func (c *compiler) spelledTuple(inner string, depth int) (*Type, error) {
	t, err := c.node(Tuple)
	if err != nil {
		return nil, err
	}
	open, start := 0, 0
	inner = strings.TrimSuffix(strings.TrimSpace(inner), ",")
	for i := 0; i <= len(inner) && inner != ""; i++ {
		if i < len(inner) {
			switch inner[i] {
			case '(', '[', '<':
				open++
			case ')', ']', '>':
				open--
			}
			if inner[i] != ',' || open > 0 {
				continue
			}
		}
		if err := c.spend(1); err != nil {
			return nil, err
		}
		elem, err := c.spelled(inner[start:i], depth+1)
		if err != nil {
			return nil, err
		}
		at := len(t.Fields)
		name := strconv.Itoa(at)
		t.Fields = append(t.Fields, Field{Name: name, Type: elem, lead: lead(name, at)})
		start = i + 1
	}
	if t.Fields == nil {
		t.Kind = Struct // as all that has no fields
	}
	return t, nil
}
