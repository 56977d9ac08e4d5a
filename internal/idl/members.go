package idl

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// members compiles the fields of a struct, a variant or a tuple: objects with
// name and type, or mere types. Without any it is a struct without fields.
func (c *compiler) members(raw json.RawMessage, names scope, depth int) (*Type, error) {
	var list []json.RawMessage
	if raw != nil {
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, fmt.Errorf("%w: fields: %w", ErrUnknownType, err)
		}
	}
	t, err := c.node(Struct)
	if err != nil {
		return nil, err
	}
	if err := c.spend(len(list)); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i, entry := range list {
		field, named, err := c.member(entry, i, names, depth)
		if err != nil {
			return nil, fmt.Errorf("field %.100q: %w", field.Name, err)
		}
		kind := Tuple
		if named {
			kind = Struct
		}
		if seen[field.Name] {
			return nil, fmt.Errorf("%w: two fields %q", ErrAmbiguous, field.Name)
		}
		seen[field.Name] = true
		if i > 0 && kind != t.Kind {
			return nil, fmt.Errorf("%w: some fields have names and some have none", ErrUnknownType)
		}
		t.Kind, t.Fields = kind, append(t.Fields, field)
	}
	return t, nil
}

func (c *compiler) member(raw json.RawMessage, at int, names scope, depth int) (Field, bool, error) {
	var entry struct {
		Name *string         `json:"name"`
		Type json.RawMessage `json:"type"`
	}
	field := Field{Name: strconv.Itoa(at)}
	named := json.Unmarshal(raw, &entry) == nil && entry.Name != nil && entry.Type != nil
	if named {
		field.Name, raw = *entry.Name, entry.Type
	}
	if len(field.Name) > maxName {
		return field, named, fmt.Errorf("%w: a name of more than %d bytes", ErrBounds, maxName)
	}
	var err error
	field.Type, err = c.typeOf(raw, names, depth)
	field.lead = lead(field.Name, at)
	return field, named, err
}

type variantEntry struct {
	Name   string          `json:"name"`
	Fields json.RawMessage `json:"fields"`
}

// variants compiles the alternatives of an enum, which has a byte for its tag.
func (c *compiler) variants(entries []variantEntry, names scope, depth int) ([]Variant, error) {
	const most = 256
	if len(entries) > most {
		return nil, fmt.Errorf("%w: an enum of %d variants", ErrUnknownType, len(entries))
	}
	list := make([]Variant, 0, len(entries))
	for _, entry := range entries {
		if len(entry.Name) > maxName {
			return nil, fmt.Errorf("%w: a name of more than %d bytes", ErrBounds, maxName)
		}
		body, err := c.members(entry.Fields, names, depth)
		if err != nil {
			return nil, fmt.Errorf("variant %.100q: %w", entry.Name, err)
		}
		list = append(list, Variant{Name: entry.Name, Body: body, lead: lead(entry.Name, 0)})
	}
	return list, nil
}

// lead is what an object has before the value of its member at a place.
func lead(name string, at int) string {
	text := []byte{','}
	if at == 0 {
		text[0] = '{'
	}
	return string(append(appendString(text, name), ':'))
}
