package idl

import "fmt"

// The bounds of what a file may be compiled to.
const (
	maxNodes    = 1 << 16 // types and fields, generic ones once for each use of other arguments
	maxNesting  = 32      // of types within types, from an event down to what is not yet compiled
	maxIdentity = 4096    // bytes of a definition's name with its arguments
	maxText     = 8 << 20 // bytes of all such names
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

func newCompiler(root map[string]any) *compiler {
	c := &compiler{definitions: map[string]definition{}, instances: map[string]*Type{}, identities: map[*Type]string{}}
	first := map[string]any{}
	for _, entry := range list(root["types"]) {
		named := text(object(entry)["name"])
		other, taken := first[named]
		if !taken {
			first[named], c.definitions[named] = entry, readDefinition(object(entry))
		} else if c.definitions[named].problem == nil && !same(other, entry) {
			c.definitions[named] = definition{problem: fmt.Errorf("%w: defined twice", ErrAmbiguous)}
		}
	}
	for _, entry := range list(root["accounts"]) { // of the legacy form: types as well
		named := text(object(entry)["name"])
		if _, taken := c.definitions[named]; !taken && object(entry)["type"] != nil {
			c.definitions[named] = readDefinition(object(entry))
		}
	}
	delete(c.definitions, "")
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

// instance finds or makes the type of a definition. It may still be in the
// making, where a definition holds itself.
func (c *compiler) instance(named string, arguments []argument, depth int) (*Type, error) {
	d, ok := c.definitions[named]
	if !ok {
		return nil, fmt.Errorf("type %.100q: %w", named, ErrUndefined)
	}
	if len(d.generics) != len(arguments) && d.problem == nil {
		return nil, fmt.Errorf("type %.100q: %w: %d generic arguments for %d parameters", named, ErrUnknownType, len(arguments), len(d.generics))
	}
	identity, err := c.identity(named, arguments)
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
	if c.text += len(identity); c.text > maxText {
		return nil, fmt.Errorf("type %.100q: %w: names with generic arguments of more than %d bytes", named, ErrBounds, maxText)
	}
	c.instances[identity], c.identities[t] = t, identity
	t.Name = named
	if err := c.define(t, d, arguments, depth); err != nil {
		t.breaks(fmt.Errorf("type %.100q: %w", named, err))
	}
	return t, nil
}

// define fills t in from the body of its definition.
func (c *compiler) define(t *Type, d definition, arguments []argument, depth int) error {
	if d.problem != nil {
		return d.problem
	}
	bound := make(scope, len(arguments))
	for i, a := range arguments {
		bound[d.generics[i]] = a
	}
	switch kind := d.body["kind"]; kind {
	case "struct":
		made, err := c.members(d.body["fields"], bound, depth)
		if err != nil {
			return err
		}
		t.Kind, t.Fields, t.packing = made.Kind, made.Fields, d.packing
	case "enum":
		variants, err := c.variants(list(d.body["variants"]), bound, depth)
		if err != nil {
			return err
		}
		t.Kind, t.Variants, t.packing = Enum, variants, d.packing
	case "type":
		return c.alias(t, d.body["alias"], bound, depth)
	case "alias": // legacy
		return c.alias(t, d.body["value"], bound, depth)
	default:
		return fmt.Errorf("%w: its kind is %s", ErrUnknownType, sketch(kind))
	}
	return nil
}

// alias makes t the same as the type that it is another name for.
func (c *compiler) alias(t *Type, of any, names scope, depth int) error {
	target, err := c.typeOf(of, names, depth)
	if err != nil {
		return err
	}
	if target.Kind == Absent && target.broken == nil { // in the making: this very alias, or what holds it
		return ErrEndless
	}
	named := t.Name
	*t = *target
	if t.Kind == Tuple && t.Name == "" {
		t.Name = named // or notations could double with each alias
	}
	return nil
}
