package idl

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// A scope is what the generic parameters of a definition stand for.
type scope map[string]argument

// An argument is a type, or a number where there is none.
type argument struct {
	of     *Type
	number int
}

// arguments reads what a use of a generic definition gives it.
func (c *compiler) arguments(raw []json.RawMessage, names scope, depth int) ([]argument, error) {
	list := make([]argument, 0, len(raw))
	for _, entry := range raw {
		var body struct {
			Type    json.RawMessage `json:"type"`
			Value   string          `json:"value"`
			Generic string          `json:"generic"` // legacy: a parameter handed on
		}
		if err := json.Unmarshal(entry, &body); err != nil {
			return nil, fmt.Errorf("%w: generic argument: %w", ErrUnknownType, err)
		}
		a, err := c.argument(body.Type, body.Value, body.Generic, names, depth)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

func (c *compiler) argument(raw json.RawMessage, value, generic string, names scope, depth int) (argument, error) {
	if raw != nil {
		t, err := c.typeOf(raw, names, depth)
		return argument{of: t}, err
	}
	if a, bound := names[generic]; bound {
		return a, nil
	}
	if a, bound := names[value]; bound { // a constant parameter handed on
		return a, nil
	}
	n, err := arrayLength(value)
	return argument{number: n}, err
}

func arrayLength(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%w: array length %.40q", ErrUnknownType, text)
	}
	if n > maxExtent {
		return 0, fmt.Errorf("array of %d: %w", n, ErrBounds)
	}
	return int(n), nil
}

// identity names a definition with its arguments: the same text, the same type.
func (c *compiler) identity(name string, arguments []argument) (string, error) {
	text := strconv.AppendQuote(nil, name)
	for _, a := range arguments {
		text = append(text, ',')
		if a.of == nil {
			text = strconv.AppendInt(text, int64(a.number), 10)
		} else {
			text = c.appendIdentity(text, a.of)
		}
	}
	if len(text) > maxIdentity {
		return "", fmt.Errorf("type %.100q: %w: its name with generic arguments has more than %d bytes", name, ErrBounds, maxIdentity)
	}
	return string(text), nil
}

// appendIdentity stops where the text is too long already: arguments of
// arguments can double it at each step.
func (c *compiler) appendIdentity(text []byte, t *Type) []byte {
	if len(text) > maxIdentity {
		return text
	}
	if named, ok := c.identities[t]; ok {
		return append(append(append(text, '{'), named...), '}')
	}
	text = append(text, t.Kind.String()...)
	if t.Kind == Array {
		text = strconv.AppendInt(text, int64(t.Len), 10)
	}
	text = append(text, '(')
	for inner := range t.parts {
		text = append(c.appendIdentity(text, inner), ';')
	}
	return append(text, ')')
}
