package idl

import (
	"fmt"
	"strconv"
)

// members compiles the fields of a struct, a variant or a tuple: objects with
// name and type, or mere types. Without any it is a struct without fields.
func (c *compiler) members(value any, names scope, depth int) (*Type, error) {
	entries, ok := value.([]any)
	if !ok && value != nil {
		return nil, fmt.Errorf("%w: fields %s", ErrUnknownType, sketch(value))
	}
	t, err := c.node(Struct)
	if err != nil {
		return nil, err
	}
	if err := c.spend(len(entries)); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for at, entry := range entries {
		field, kind, err := c.member(entry, at, names, depth)
		switch {
		case err != nil:
			return nil, fmt.Errorf("field %q: %w", field.Name, err)
		case at > 0 && kind != t.Kind:
			return nil, fmt.Errorf("%w: some fields have names and some have none", ErrUnknownType)
		case seen[field.Name]:
			return nil, fmt.Errorf("%w: two fields %q", ErrAmbiguous, field.Name)
		}
		seen[field.Name] = true
		t.Kind, t.Fields = kind, append(t.Fields, field)
	}
	return t, nil
}

// member compiles one field and says what it is one of: a Struct or a Tuple.
func (c *compiler) member(value any, at int, names scope, depth int) (Field, Kind, error) {
	field, kind, of := Field{Name: strconv.Itoa(at)}, Tuple, value
	if entry := object(value); entry["name"] != nil && entry["type"] != nil {
		named, err := name(entry["name"])
		if err != nil {
			return field, kind, err
		}
		field.Name, kind, of = named, Struct, entry["type"]
	}
	var err error
	field.Type, err = c.typeOf(of, names, depth)
	field.lead = lead(field.Name, at)
	return field, kind, err
}

// variants compiles the alternatives of an enum, which has a byte for its tag.
func (c *compiler) variants(entries []any, names scope, depth int) ([]Variant, error) {
	const most = 256
	if len(entries) > most {
		return nil, fmt.Errorf("%w: an enum of %d variants", ErrUnknownType, len(entries))
	}
	variants := make([]Variant, 0, len(entries))
	for _, entry := range entries {
		named, err := name(object(entry)["name"])
		if err != nil {
			return nil, err
		}
		body, err := c.members(object(entry)["fields"], names, depth)
		if err != nil {
			return nil, fmt.Errorf("variant %q: %w", named, err)
		}
		variants = append(variants, Variant{Name: named, Body: body, lead: lead(named, 0)})
	}
	return variants, nil
}

// lead is what an object has before the value of its member at a place.
func lead(name string, at int) string {
	text := []byte{','}
	if at == 0 {
		text[0] = '{'
	}
	return string(append(appendString(text, name), ':'))
}
