package decode

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"minesaudit/internal/idl"
)

// Canonical says what the layout reads, in a form that changes exactly when it
// may read something else of some bytes: databases remember a hash of it. Names,
// comments and events of an IDL that games have nothing to do with are no part of
// it. The built-in layout is the name that it has always had.
func (l *Layout) Canonical() string {
	if l.IsBuiltin() {
		return "builtin:mines"
	}
	var b strings.Builder
	key := slices.Sorted(slices.Values(l.key))
	fmt.Fprintf(&b, "key %v\nedge_scale %d\n", slices.Compact(key), l.edgeScale)
	for i := range l.versions {
		v := &l.versions[i]
		fmt.Fprintf(&b, "from_slot %d\n", v.from)
		for _, p := range v.inOrder() {
			fmt.Fprintf(&b, "event %x", p.event.Discriminator)
			v.writeShadows(&b, p.event)
			s := shapes{out: &b, seen: map[*idl.Type]int{}}
			b.WriteString("\nshape ")
			s.write(p.event.Type)
			b.WriteByte('\n')
			p.writeBindings(&b)
		}
	}
	return b.String()
}

// writeShadows names the events whose longer discriminators are tried before.
func (v *version) writeShadows(b *strings.Builder, e *idl.Event) {
	var longer []string
	for _, other := range v.idl.Events {
		if len(other.Discriminator) > len(e.Discriminator) && bytes.HasPrefix(other.Discriminator, e.Discriminator) {
			longer = append(longer, fmt.Sprintf(" unless %x", other.Discriminator))
		}
	}
	slices.Sort(longer)
	b.WriteString(strings.Join(longer, ""))
}

func (p *part) writeBindings(b *strings.Builder) {
	ordered := slices.Clone(p.bindings)
	slices.SortFunc(ordered, func(x, y binding) int {
		return cmp.Or(cmp.Compare(x.kind, y.kind), cmp.Compare(p.condition(&x), p.condition(&y)))
	})
	for i := range ordered {
		bound := &ordered[i]
		fmt.Fprintf(b, "%s when %q says %s\n", bound.kind, p.condition(bound), bound.says)
		fields := slices.Clone(bound.fields)
		slices.SortFunc(fields, func(x, y boundField) int { return cmp.Compare(x.role, y.role) })
		for n := range fields {
			f := &fields[n]
			if f.slot < 0 {
				fmt.Fprintf(b, "%s is %d %x\n", f.role, f.constant.number, f.constant.bytes)
			} else {
				fmt.Fprintf(b, "%s at %q as %s × 10^%d\n", f.role, f.source.Path, f.form, f.decimals)
			}
		}
	}
}

func (p *part) condition(b *binding) string {
	if b.when < 0 {
		return ""
	}
	return p.paths[b.when]
}

// shapes writes types with everything that they hold, those of a name once: they
// may hold themselves.
type shapes struct {
	out  *strings.Builder
	seen map[*idl.Type]int
}

func (s *shapes) write(t *idl.Type) {
	if n, again := s.seen[t]; again {
		fmt.Fprintf(s.out, "#%d", n)
		return
	}
	if t.Name != "" {
		s.seen[t] = len(s.seen)
	}
	s.out.WriteString(t.Kind.String())
	switch t.Kind {
	case idl.Array:
		fmt.Fprintf(s.out, "[%d]", t.Len)
		s.write(t.Elem)
	case idl.Option, idl.COption, idl.Vec:
		s.out.WriteByte(' ')
		s.write(t.Elem)
	case idl.Struct, idl.Tuple, idl.Enum:
		s.out.WriteByte('{')
		for _, f := range t.Fields {
			fmt.Fprintf(s.out, "%q ", f.Name)
			s.write(f.Type)
			s.out.WriteByte(';')
		}
		for _, v := range t.Variants {
			fmt.Fprintf(s.out, "%q ", v.Name)
			s.write(v.Body)
			s.out.WriteByte(';')
		}
		s.out.WriteByte('}')
	}
}
