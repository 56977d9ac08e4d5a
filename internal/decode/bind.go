package decode

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"minesaudit/internal/idl"
)

// A version is an IDL compiled with a mapping.
type version struct {
	from  uint64
	idl   *idl.IDL
	parts map[*idl.Event]*part // every event of the IDL
}

// A part is what an event of an IDL is to games: nothing without bindings.
type part struct {
	event    *idl.Event
	plan     *idl.Plan
	paths    []string // of the plan
	bindings []binding
	fixed    bool // payloads have one size and every field one place: see fix
	size     int
	idle     string // what to say of one that is nothing to games
}

// A binding makes a start, settlement or void of an event.
type binding struct {
	mapping int // index in Mapping.Events
	kind    Kind
	when    int // slot of the plan; -1: always
	says    Outcome
	missing Fields // not published by the event at all
	keyed   Fields // those that are part of the key
	fields  []boundField
}

// A boundField takes the value of a role out of the plan's slot, or is a constant.
type boundField struct {
	role     Role
	slot     int // -1 for a constant
	form     form
	decimals int
	constant scalar
	isKey    bool
	quick    bool // the value's bytes are the scalar, little-endian: see putQuick
	offset   int  // in a part that is fixed
	width    int
	source   FieldMapping // as it was mapped
	leaf     idl.Leaf     // of a path
}

// compileVersion binds the mappings of every event of a version, and notes in
// holds which ones hold here.
func compileVersion(v Version, m *Mapping, holds []bool) (*version, error) {
	compiled := &version{from: v.FromSlot, idl: v.IDL, parts: map[*idl.Event]*part{}}
	var refused []error
	for _, e := range v.IDL.Events {
		p := &part{event: e, idle: "event " + strconv.Quote(e.Name) + " is nothing to games"}
		if err := p.bind(m, holds); err != nil {
			refused = append(refused, err)
		}
		compiled.parts[e] = p
	}
	return compiled, errors.Join(refused...)
}

// bind takes the mappings of the event that hold. If there are some and none of
// them does, it is the first one's fault.
func (p *part) bind(m *Mapping, holds []bool) error {
	var first error
	always := -1
	for i := range m.Events {
		e := &m.Events[i]
		if e.Event != p.event.Name {
			continue
		}
		b, err := p.binding(m, i)
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		if b.when < 0 && always >= 0 {
			return &MappingError{Event: i, Field: -1, Err: fmt.Errorf(
				"event %q is mapped twice: say by `when` which of them is which", e.Event)}
		}
		if b.when < 0 {
			always = i
		}
		holds[i] = true
		p.bindings = append(p.bindings, *b)
	}
	if len(p.bindings) == 0 {
		return first
	}
	var err error
	if p.plan, err = p.event.Compile(p.paths); err != nil {
		return err
	}
	p.fix()
	return nil
}

// binding compiles one mapping for the event. What went wrong with it leaves
// nothing behind in the part.
func (p *part) binding(m *Mapping, index int) (*binding, error) {
	e := &m.Events[index]
	known := len(p.paths)
	b := &binding{mapping: index, kind: e.Kind, when: -1, says: e.Says, missing: fieldsOf(e.Kind)}
	var refused []error
	if e.When != "" {
		slot, leaf, err := p.slot(e.When)
		if err == nil && leaf.Type.Kind != idl.Bool && !leaf.Optional {
			err = fmt.Errorf("event %q: path %q: it is always there: want a variant, an option or a bool", e.Event, e.When)
		}
		if err != nil {
			refused = append(refused, &MappingError{Event: index, Field: -1, When: true, Err: err})
		}
		b.when = slot
	}
	for n := range e.Fields {
		f, err := p.field(&e.Fields[n])
		if err != nil {
			refused = append(refused, &MappingError{Event: index, Field: n, Err: err})
			continue
		}
		f.isKey = slices.Contains(m.Key, f.role)
		b.fields = append(b.fields, f)
		b.missing &^= f.role.Field()
		if f.isKey {
			b.keyed |= f.role.Field()
		}
	}
	if e.Says == OutcomeWon {
		b.missing &^= FieldBustTile // there is none
	}
	if len(refused) > 0 {
		p.paths = p.paths[:known]
		return nil, errors.Join(refused...)
	}
	return b, nil
}

func (p *part) field(f *FieldMapping) (boundField, error) {
	bound := boundField{role: f.Role, slot: -1, decimals: f.Decimals, source: *f}
	var err error
	if f.Path == "" {
		bound.constant, err = constant(f)
		return bound, err
	}
	if bound.slot, bound.leaf, err = p.slot(f.Path); err != nil {
		return bound, err
	}
	if bound.form, err = formOf(f, bound.leaf); err != nil {
		return bound, fmt.Errorf("event %q: path %q is %s: %w", p.event.Name, f.Path, bound.leaf.Type, err)
	}
	bound.quick = bound.form.isQuick(bound.leaf.Type, f.Decimals)
	return bound, nil
}

// slot finds or makes the place of a path in the plan.
func (p *part) slot(path string) (int, idl.Leaf, error) {
	leaf, err := p.event.Leaf(path)
	if err != nil {
		return -1, idl.Leaf{}, err
	}
	if at := slices.Index(p.paths, path); at >= 0 {
		return at, leaf, nil
	}
	p.paths = append(p.paths, path)
	return len(p.paths) - 1, leaf, nil
}
