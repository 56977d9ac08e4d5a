package decode

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"minesaudit/internal/idl"
)

// A Bound is one event of an IDL in a layout, for people to read.
type Bound struct {
	FromSlot uint64 // of the version
	Mapping  int    // index in Mapping.Events
	Event    string
	Kind     Kind
	When     string // path; empty: always, or where no other fits
	Says     Outcome
	Missing  Fields // what it never publishes
	Fields   []BoundField
}

// A BoundField is where the value of a role comes from: a path, or a constant.
type BoundField struct {
	Role     Role
	Path     string
	Type     string // of the value at the path, in Rust's notation
	Optional bool   // the path's value may be absent, and then is not published
	As       string // how the value is read
	Constant string // as the mapping has it
}

// Bounds lists what a layout takes for starts and ends; none for the built-in
// one. It is in the order of the versions, and of the mapping in each.
func (l *Layout) Bounds() []Bound {
	var list []Bound
	for i := range l.versions {
		v := &l.versions[i]
		first := len(list)
		for _, p := range v.inOrder() {
			for n := range p.bindings {
				list = append(list, p.describe(&p.bindings[n], v.from))
			}
		}
		slices.SortFunc(list[first:], func(a, b Bound) int { return cmp.Compare(a.Mapping, b.Mapping) })
	}
	return list
}

// inOrder lists the parts of a version that games are made of, by discriminator.
func (v *version) inOrder() []*part {
	var list []*part
	for _, p := range v.parts {
		if len(p.bindings) > 0 {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b *part) int { return slices.Compare(a.event.Discriminator, b.event.Discriminator) })
	return list
}

func (p *part) describe(b *binding, from uint64) Bound {
	bound := Bound{FromSlot: from, Mapping: b.mapping, Event: p.event.Name, Kind: b.kind, Says: b.says, Missing: b.missing}
	if b.when >= 0 {
		bound.When = p.paths[b.when]
	}
	for i := range b.fields {
		f := &b.fields[i]
		field := BoundField{Role: f.role, Path: f.source.Path, Constant: f.source.Constant}
		if f.slot >= 0 {
			field.Type, field.As = f.leaf.Type.String(), f.form.String()
			field.Optional = !f.form.decidesByPresence() && mayBeAbsent(f.leaf, b.when, p)
		}
		if f.decimals > 0 {
			field.As += " × 10^" + strconv.Itoa(f.decimals)
		}
		bound.Fields = append(bound.Fields, field)
	}
	slices.SortFunc(bound.Fields, func(a, b BoundField) int { return cmp.Compare(a.Role, b.Role) })
	return bound
}

// mayBeAbsent looks below the variant or option that a binding takes to be there.
func mayBeAbsent(leaf idl.Leaf, when int, p *part) bool {
	if when < 0 || !leaf.Optional {
		return leaf.Optional
	}
	rest, within := strings.CutPrefix(leaf.Path, p.paths[when]+".")
	at, err := p.event.Leaf(p.paths[when])
	if !within || err != nil {
		return true
	}
	t := at.Type
	for name := range strings.SplitSeq(rest, ".") {
		i := slices.IndexFunc(t.Fields, func(f idl.Field) bool { return f.Name == name })
		if i < 0 { // a variant
			return true
		}
		if t = t.Fields[i].Type; t.Kind == idl.Option || t.Kind == idl.COption {
			return true
		}
	}
	return false
}
