package idl

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNoField is a path that leads nowhere in an event.
var ErrNoField = errors.New("no such field")

// A Plan reads chosen fields of an event's payloads, all in one walk. It does
// not change and may be used from many goroutines.
type Plan struct {
	event *Event
	root  *step
	count int
}

// A step is what a plan wants of one value and of what lies in it.
type step struct {
	slots []int   // in dst
	below []*step // by field or variant; nil where nothing is wanted
}

// Compile makes a plan for fields by their paths: names of the IDL with dots
// between. A path goes through structs by field, through tuples by position
// ("0"), through an enum by variant, and through options as if they were not
// there. Where it ends at a variant, its value is there if the enum is that
// variant. It does not go into a vec or array, whose values [Value.Elems] has.
//
//	stake              outcome                 which variant: [Value.Variant]
//	outcome.Busted     is it busted            outcome.Busted.tile
//
// A path that leads nowhere is [ErrNoField], with the names that there are.
func (e *Event) Compile(paths []string) (*Plan, error) {
	if e.Broken != nil {
		return nil, e.Broken
	}
	p := &Plan{event: e, root: new(step), count: len(paths)}
	for slot, path := range paths {
		at, t := p.root, e.Type
		for name := range strings.SplitSeq(path, ".") {
			var err error
			if at, t, err = at.into(t, name); err != nil {
				return nil, fmt.Errorf("event %q: path %q: %w", e.Name, path, err)
			}
		}
		at.slots = append(at.slots, slot)
	}
	return p, nil
}

// into finds or makes the step for a name within t.
func (s *step) into(t *Type, name string) (*step, *Type, error) {
	t = t.bare()
	index, inner := t.lookUp(name)
	if inner == nil {
		return nil, nil, fmt.Errorf("%w: %q in %s, which has %s", ErrNoField, name, t, t.names())
	}
	if s.below == nil {
		s.below = make([]*step, len(t.Fields)+len(t.Variants))
	}
	if s.below[index] == nil {
		s.below[index] = new(step)
	}
	return s.below[index], inner, nil
}

// bare is a type without the options around it.
func (t *Type) bare() *Type {
	for t.Kind == Option || t.Kind == COption {
		t = t.Elem
	}
	return t
}

// lookUp finds what a path's next name leads to: a field, or a variant's body.
func (t *Type) lookUp(name string) (int, *Type) {
	for i, f := range t.Fields {
		if f.Name == name {
			return i, f.Type
		}
	}
	for i, v := range t.Variants {
		if v.Name == name {
			return i, v.Body
		}
	}
	return 0, nil
}

// names lists what lookUp finds, for a message.
func (t *Type) names() string {
	const most = 12
	var list []string
	for _, f := range t.Fields {
		list = append(list, fmt.Sprintf("%q", f.Name))
	}
	for _, v := range t.Variants {
		list = append(list, fmt.Sprintf("%q", v.Name))
	}
	switch {
	case len(list) == 0:
		return "no fields"
	case len(list) > most:
		list = append(list[:most], "and more")
	}
	return strings.Join(list, ", ")
}

// Read reads a payload, the bytes after the discriminator: dst[i] becomes the
// value of the i-th path, and must have room for all. It allocates nothing. The
// error is a [*DecodeError]; with [ErrTrailing] all values are there nevertheless,
// with any other those in dst mean nothing.
func (p *Plan) Read(payload []byte, dst []Value) error {
	dst = dst[:p.count]
	err := p.attempt(payload, dst, false)
	if err != nil && p.event.twofold && p.attempt(payload, dst, true) != nil {
		err = p.attempt(payload, dst, false)
	} else if p.event.twofold {
		err = nil
	}
	if err == nil {
		return nil
	}
	err.Event = p.event.Name
	return err
}

func (p *Plan) attempt(payload []byte, dst []Value, full bool) *DecodeError {
	clear(dst)
	c := cursor{data: payload, full: full}
	if err := c.visit(p.event.Type, p.root, dst, 0); err != nil {
		return err
	}
	return c.end()
}
