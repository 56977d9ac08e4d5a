package idltest

import (
	"fmt"
	"strconv"

	"pgregory.net/rapid"
)

// members draws the fields of a struct, variant or tuple; idl is their list.
func (f *file) members(t *rapid.T, depth int) shape {
	tuple := rapid.Bool().Draw(t, "tuple")
	n := rapid.IntRange(0, 4).Draw(t, "fields")
	list, names, inner := []any{}, []string{}, []shape{}
	for i := range n {
		s := f.any(t, depth)
		inner = append(inner, s)
		if tuple {
			list, names = append(list, s.idl), append(names, strconv.Itoa(i))
			continue
		}
		name := fmt.Sprintf("%s_%d", rapid.SampledFrom([]string{"stake", "Größe", `a"b`, "name"}).Draw(t, "name"), i)
		list, names = append(list, object{"name": name, "type": s.idl}), append(names, name)
	}
	return shape{idl: list, isTuple: tuple && n > 0, value: func(t *rapid.T) ([]byte, any) {
		all, want := []byte{}, object{}
		for i, s := range inner {
			raw, value := s.value(t)
			all, want[names[i]] = append(all, raw...), value
		}
		return all, want
	}}
}

func (f *file) tuple(t *rapid.T, depth int) shape {
	s := f.members(t, depth)
	for len(s.idl.([]any)) > 0 && !s.isTuple {
		s = f.members(t, depth)
	}
	s.idl = object{"tuple": s.idl}
	return s
}

func (f *file) structure(t *rapid.T, depth int) shape {
	s := f.members(t, depth)
	body := object{"kind": "struct", "fields": s.idl}
	if len(s.idl.([]any)) == 0 && rapid.Bool().Draw(t, "unit") {
		delete(body, "fields")
	}
	name := f.fresh()
	f.define(name, nil, body)
	s.idl = f.defined(name)
	return s
}

func (f *file) enum(t *rapid.T, depth int) shape {
	var variants []any
	var bodies []shape
	for i := range rapid.IntRange(1, 4).Draw(t, "variants") {
		s := f.members(t, depth)
		entry := object{"name": fmt.Sprintf("Variant%d", i), "fields": s.idl}
		if len(s.idl.([]any)) == 0 {
			delete(entry, "fields")
		}
		variants, bodies = append(variants, entry), append(bodies, s)
	}
	name := f.fresh()
	f.define(name, nil, object{"kind": "enum", "variants": variants})
	return shape{idl: f.defined(name), value: func(t *rapid.T) ([]byte, any) {
		tag := rapid.IntRange(0, len(bodies)-1).Draw(t, "variant")
		raw, want := bodies[tag].value(t)
		return append([]byte{byte(tag)}, raw...), object{fmt.Sprintf("Variant%d", tag): want}
	}}
}

func (f *file) alias(t *rapid.T, depth int) shape {
	s := f.any(t, depth)
	name := f.fresh()
	if f.legacy {
		f.define(name, nil, object{"kind": "alias", "value": s.idl})
	} else {
		f.define(name, nil, object{"kind": "type", "alias": s.idl})
	}
	s.idl = f.defined(name)
	return s
}

// generic draws a struct of a type and a constant parameter, which hands both on
// to a second one.
func (f *file) generic(t *rapid.T, depth int) shape {
	s := f.any(t, depth)
	n := rapid.IntRange(0, 3).Draw(t, "constant")
	inner := f.fresh()
	f.define(inner, f.parameters(), object{"kind": "struct", "fields": []any{
		object{"name": "list", "type": object{"array": []any{object{"generic": "T"}, f.constant()}}},
	}})
	outer := f.fresh()
	f.define(outer, f.parameters(), object{"kind": "struct", "fields": []any{
		object{"name": "maybe", "type": object{"option": object{"generic": "T"}}},
		object{"name": "inner", "type": f.defined(inner, f.arguments(object{"generic": "T"}, "N")...)},
	}})
	return shape{idl: f.defined(outer, f.arguments(s.idl, strconv.Itoa(n))...), value: func(t *rapid.T) ([]byte, any) {
		maybe := []byte{0}
		var want any
		if rapid.Bool().Draw(t, "maybe") {
			maybe, want = s.value(t)
			maybe = append([]byte{1}, maybe...)
		}
		list, values := s.repeat(t, n)
		return append(maybe, list...), object{"maybe": want, "inner": object{"list": values}}
	}}
}

func (f *file) parameters() any {
	if f.legacy {
		return []any{"T", "N"}
	}
	return []any{object{"kind": "type", "name": "T"}, object{"kind": "const", "name": "N", "type": "usize"}}
}

func (f *file) constant() any {
	if f.legacy {
		return "N"
	}
	return object{"generic": "N"}
}

func (f *file) arguments(of any, number string) []any {
	if f.legacy {
		return []any{object{"type": of}, object{"value": number}}
	}
	return []any{object{"kind": "type", "type": of}, object{"kind": "const", "value": number}}
}
