package idl

import (
	"encoding/json"
	"fmt"
	"strings"
)

// typeOf compiles a type as fields and arguments have it: a name, or an object
// of one key.
func (c *compiler) typeOf(raw json.RawMessage, names scope, depth int) (*Type, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("%w: types nested more than %d deep", ErrBounds, maxNesting)
	}
	var name string
	if json.Unmarshal(raw, &name) == nil {
		kind, ok := primitive(name)
		if !ok {
			return nil, fmt.Errorf("%w %.100q", ErrUnknownType, name)
		}
		return c.node(kind)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil || len(object) != 1 {
		return nil, fmt.Errorf("%w %.100q", ErrUnknownType, raw)
	}
	for key, value := range object {
		switch key {
		case "option":
			return c.container(Option, value, names, depth)
		case "coption":
			return c.container(COption, value, names, depth)
		case "vec":
			return c.container(Vec, value, names, depth)
		case "array", "genericLenArray":
			return c.array(value, names, depth)
		case "tuple":
			return c.members(value, names, depth+1)
		case "generic":
			return parameter(value, names)
		case "defined", "definedWithTypeArgs":
			return c.defined(value, names, depth)
		}
	}
	return nil, fmt.Errorf("%w %.100q", ErrUnknownType, raw)
}

func (c *compiler) container(kind Kind, raw json.RawMessage, names scope, depth int) (*Type, error) {
	elem, err := c.typeOf(raw, names, depth+1)
	if err != nil {
		return nil, err
	}
	t, err := c.node(kind)
	if err != nil {
		return nil, err
	}
	t.Elem = elem
	return t, nil
}

// array compiles [type, length], the length being a number or a parameter.
func (c *compiler) array(raw json.RawMessage, names scope, depth int) (*Type, error) {
	var pair []json.RawMessage
	if err := json.Unmarshal(raw, &pair); err != nil || len(pair) != 2 {
		return nil, fmt.Errorf("%w: array %.100q", ErrUnknownType, raw)
	}
	n, err := length(pair[1], names)
	if err != nil {
		return nil, err
	}
	t, err := c.container(Array, pair[0], names, depth)
	if err != nil {
		return nil, err
	}
	t.Len = n
	return t, nil
}

func length(raw json.RawMessage, names scope) (int, error) {
	var name string
	var object struct {
		Generic string `json:"generic"`
	}
	switch {
	case json.Unmarshal(raw, &name) == nil: // the legacy form's parameter
	case json.Unmarshal(raw, &object) == nil:
		name = object.Generic
	default:
		return arrayLength(string(raw))
	}
	a, bound := names[name]
	if !bound || a.of != nil {
		return 0, fmt.Errorf("%w: array length %.100q is no constant parameter", ErrUnknownType, name)
	}
	return a.number, nil
}

func parameter(raw json.RawMessage, names scope) (*Type, error) {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		if a := names[name]; a.of != nil {
			return a.of, nil
		}
	}
	return nil, fmt.Errorf("%w: %.100q is no type parameter", ErrUnknownType, name)
}

// defined compiles a reference: a name, or an object with a name and arguments.
func (c *compiler) defined(raw json.RawMessage, names scope, depth int) (*Type, error) {
	var reference struct {
		Name     string            `json:"name"`
		Generics []json.RawMessage `json:"generics"`
		Args     []json.RawMessage `json:"args"` // legacy
	}
	if json.Unmarshal(raw, &reference.Name) != nil {
		if err := json.Unmarshal(raw, &reference); err != nil {
			return nil, fmt.Errorf("%w %.100q", ErrUnknownType, raw)
		}
	}
	if _, ok := c.definitions[reference.Name]; !ok && strings.ContainsAny(reference.Name, "(<[") {
		return c.spelled(reference.Name, depth)
	}
	arguments, err := c.arguments(append(reference.Generics, reference.Args...), names, depth+1)
	if err != nil {
		return nil, fmt.Errorf("type %.100q: %w", reference.Name, err)
	}
	return c.instance(reference.Name, arguments, depth+1)
}
