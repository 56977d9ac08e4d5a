package idl

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The bounds of what a file may be compiled to.
const (
	maxNodes    = 1 << 18     // types and fields, generic ones once for each use of other arguments
	maxNesting  = 32          // of types within types, from an event down to what is not yet compiled
	maxIdentity = 4096        // bytes of a definition's name with its arguments
	maxText     = 2 * maxFile // bytes of definitions read, generic ones once for each use
)

// A compiler makes types of definitions, each once for given arguments. What
// goes wrong within a definition breaks its type, and [compiler.settle] hands
// that on to all types which hold it: definitions may hold each other.
type compiler struct {
	definitions map[string]definition
	instances   map[string]*Type // by identity
	identities  map[*Type]string
	nodes, text int // spent so far
}

func newCompiler(doc *document) *compiler {
	c := &compiler{definitions: map[string]definition{}, instances: map[string]*Type{}, identities: map[*Type]string{}}
	for _, d := range doc.Types {
		if d.name == "" {
			continue
		}
		if other, taken := c.definitions[d.name]; taken && !bytes.Equal(other.body, d.body) {
			d.problem = fmt.Errorf("%w: defined twice", ErrAmbiguous)
		}
		c.definitions[d.name] = d
	}
	for _, d := range doc.Accounts {
		if _, taken := c.definitions[d.name]; !taken && d.name != "" && d.body != nil {
			c.definitions[d.name] = d
		}
	}
	return c
}

// node makes a type, as long as there may be more.
func (c *compiler) node(kind Kind) (*Type, error) {
	if err := c.spend(1); err != nil {
		return nil, err
	}
	return &Type{Kind: kind}, nil
}

func (c *compiler) spend(nodes int) error {
	c.nodes += nodes
	if c.nodes > maxNodes {
		return fmt.Errorf("%w: more than %d types and fields", ErrBounds, maxNodes)
	}
	return nil
}

// event compiles the fields that a legacy event has in place.
func (c *compiler) event(name string, fields json.RawMessage) (*Type, error) {
	t, err := c.members(fields, nil, 0)
	if err != nil {
		return nil, err
	}
	t.Name = name
	return t, nil
}

// instance finds or makes the type of a definition. It may still be in the
// making, where a definition holds itself.
func (c *compiler) instance(name string, arguments []argument, depth int) (*Type, error) {
	d, ok := c.definitions[name]
	if !ok {
		return nil, fmt.Errorf("type %.100q: %w", name, ErrUndefined)
	}
	if len(d.generics) != len(arguments) && d.problem == nil {
		return nil, fmt.Errorf("type %.100q: %w: %d generic arguments for %d parameters", name, ErrUnknownType, len(arguments), len(d.generics))
	}
	identity, err := c.identity(name, arguments)
	if err != nil {
		return nil, err
	}
	if t, made := c.instances[identity]; made {
		return t, nil
	}
	t, err := c.node(Absent)
	if err != nil {
		return nil, err
	}
	c.instances[identity], c.identities[t] = t, identity
	t.Name = name
	if err := c.define(t, d, arguments, depth); err != nil {
		t.breaks(fmt.Errorf("type %.100q: %w", name, err))
	}
	return t, nil
}

// define fills t in from the body of its definition.
func (c *compiler) define(t *Type, d definition, arguments []argument, depth int) error {
	if d.problem != nil {
		return d.problem
	}
	if c.text += len(d.body); c.text > maxText {
		return fmt.Errorf("%w: more than %d bytes of generic definitions", ErrBounds, maxText)
	}
	bound := make(scope, len(arguments))
	for i, a := range arguments {
		bound[d.generics[i]] = a
	}
	var body struct {
		Kind     string          `json:"kind"`
		Fields   json.RawMessage `json:"fields"`
		Variants []variantEntry  `json:"variants"`
		Alias    json.RawMessage `json:"alias"`
		Value    json.RawMessage `json:"value"` // of an alias in the legacy form
	}
	if err := json.Unmarshal(d.body, &body); err != nil {
		return fmt.Errorf("%w: %w", ErrUnknownType, err)
	}
	switch body.Kind {
	case "struct":
		made, err := c.members(body.Fields, bound, depth)
		if err != nil {
			return err
		}
		t.Kind, t.Fields, t.packing = made.Kind, made.Fields, d.packing
	case "enum":
		variants, err := c.variants(body.Variants, bound, depth)
		if err != nil {
			return err
		}
		t.Kind, t.Variants, t.packing = Enum, variants, d.packing
	case "type":
		return c.alias(t, body.Alias, bound, depth)
	case "alias":
		return c.alias(t, body.Value, bound, depth)
	default:
		return fmt.Errorf("%w of kind %.40q", ErrUnknownType, body.Kind)
	}
	return nil
}

// alias makes t the same as the type that it is another name for.
func (c *compiler) alias(t *Type, raw json.RawMessage, names scope, depth int) error {
	target, err := c.typeOf(raw, names, depth)
	if err != nil {
		return err
	}
	if target.Kind == Absent && target.broken == nil { // in the making: this very alias, or what holds it
		return ErrEndless
	}
	name := t.Name
	*t = *target
	if t.Kind == Tuple && t.Name == "" {
		t.Name = name // or notations could double with each alias
	}
	return nil
}
