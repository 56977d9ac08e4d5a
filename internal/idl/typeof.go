package idl

import (
	"encoding/json"
	"fmt"
	"strings"
)

// typeOf compiles a type as fields and arguments have it: a name, or an object
// of one key.
func (c *compiler) typeOf(value any, names scope, depth int) (*Type, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("%w: types nested more than %d deep", ErrBounds, maxNesting)
	}
	if kind, ok := primitive(text(value)); ok {
		return c.node(kind)
	}
	if len(object(value)) == 1 {
		for key, inner := range object(value) {
			if t, err := c.compound(key, inner, names, depth); t != nil || err != nil {
				return t, err
			}
		}
	}
	return nil, fmt.Errorf("%w %s", ErrUnknownType, sketch(value))
}

// compound compiles what an object of one key stands for, nothing for a key that
// is not known.
func (c *compiler) compound(key string, inner any, names scope, depth int) (*Type, error) {
	switch key {
	case "option":
		return c.container(Option, inner, names, depth)
	case "coption":
		return c.container(COption, inner, names, depth)
	case "vec":
		return c.container(Vec, inner, names, depth)
	case "array", "genericLenArray":
		return c.array(list(inner), names, depth)
	case "tuple":
		return c.members(inner, names, depth+1)
	case "generic":
		if a := names[text(inner)]; a.of != nil {
			return a.of, nil
		}
		return nil, fmt.Errorf("%w: %s is no type parameter", ErrUnknownType, sketch(inner))
	case "defined", "definedWithTypeArgs":
		return c.defined(inner, names, depth)
	}
	return nil, nil
}

func (c *compiler) container(kind Kind, inner any, names scope, depth int) (*Type, error) {
	elem, err := c.typeOf(inner, names, depth+1)
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

// array compiles a type and a length, which is a number or a parameter.
func (c *compiler) array(pair []any, names scope, depth int) (*Type, error) {
	if len(pair) != 2 {
		return nil, fmt.Errorf("%w: an array of %d parts", ErrUnknownType, len(pair))
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

func length(value any, names scope) (int, error) {
	if number, ok := value.(json.Number); ok {
		return arrayLength(number.String())
	}
	parameter := text(value) // in the legacy form
	if parameter == "" {
		parameter = text(object(value)["generic"])
	}
	a, bound := names[parameter]
	if !bound || a.of != nil {
		return 0, fmt.Errorf("%w: array length %.100q is no constant parameter", ErrUnknownType, parameter)
	}
	return a.number, nil
}

// defined compiles a reference: a name, or an object with a name and arguments.
func (c *compiler) defined(value any, names scope, depth int) (*Type, error) {
	named, arguments := text(value), []any(nil)
	if reference := object(value); reference != nil {
		named, arguments = text(reference["name"]), list(reference["generics"])
		if arguments == nil {
			arguments = list(reference["args"]) // in the legacy form
		}
	}
	if _, ok := c.definitions[named]; !ok && strings.ContainsAny(named, "(<[") {
		return c.spelled(named, depth)
	}
	given, err := c.arguments(arguments, names, depth+1)
	if err != nil {
		return nil, fmt.Errorf("type %.100q: %w", named, err)
	}
	return c.instance(named, given, depth+1)
}
