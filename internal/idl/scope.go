package idl

import (
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

// arguments reads what a use of a generic definition gives it: objects with a
// type or a value, the new form's and the legacy one's alike.
func (c *compiler) arguments(entries []any, names scope, depth int) ([]argument, error) {
	arguments := make([]argument, 0, len(entries))
	for _, entry := range entries {
		a, err := c.argument(object(entry), names, depth)
		if err != nil {
			return nil, err
		}
		arguments = append(arguments, a)
	}
	return arguments, nil
}

func (c *compiler) argument(entry map[string]any, names scope, depth int) (argument, error) {
	if of, ok := entry["type"]; ok {
		t, err := c.typeOf(of, names, depth)
		return argument{of: t}, err
	}
	if a, bound := names[text(entry["generic"])]; bound { // legacy: a parameter handed on
		return a, nil
	}
	if a, bound := names[text(entry["value"])]; bound {
		return a, nil
	}
	n, err := arrayLength(text(entry["value"]))
	return argument{number: n}, err
}

func arrayLength(digits string) (int, error) {
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%w: array length %.40q", ErrUnknownType, digits)
	}
	if n > maxExtent {
		return 0, fmt.Errorf("array of %d: %w", n, ErrBounds)
	}
	return int(n), nil
}

// identity names a definition with its arguments: the same text, the same type.
func (c *compiler) identity(named string, arguments []argument) (string, error) {
	id := strconv.AppendQuote(nil, named)
	for _, a := range arguments {
		id = append(id, ',')
		if a.of == nil {
			id = strconv.AppendInt(id, int64(a.number), 10)
		} else {
			id = c.appendIdentity(id, a.of)
		}
	}
	if len(id) > maxIdentity {
		return "", fmt.Errorf("type %.100q: %w: its name with generic arguments has more than %d bytes", named, ErrBounds, maxIdentity)
	}
	return string(id), nil
}

// appendIdentity stops where the text is too long already: arguments of
// arguments can double it at each step.
func (c *compiler) appendIdentity(id []byte, t *Type) []byte {
	if len(id) > maxIdentity {
		return id
	}
	if named, ok := c.identities[t]; ok {
		return append(append(append(id, '{'), named...), '}')
	}
	id = append(id, t.Kind.String()...)
	if t.Kind == Array {
		id = strconv.AppendInt(id, int64(t.Len), 10)
	}
	id = append(id, '(')
	for inner := range t.parts {
		id = append(c.appendIdentity(id, inner), ';')
	}
	return append(id, ')')
}
