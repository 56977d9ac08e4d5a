package idl

import "fmt"

// settle measures all types of the events and hands on to each type, and so to
// the events, what is wrong with one that it holds.
func settle(events []*Event) {
	g := graph{holders: map[*Type][]*Type{}}
	for _, e := range events {
		if e.Broken == nil {
			g.add(e.Type)
		}
	}
	var broken, options []*Type
	unfolded := map[*Type]progress{}
	for _, t := range g.types {
		unfold(t, unfolded)
	}
	for _, t := range g.types {
		measure(t)
	}
	for _, t := range g.types {
		if t.broken != nil {
			broken = append(broken, t)
		}
		if t.Kind == COption {
			options = append(options, t)
		}
	}
	g.spread(broken, func(holder, held *Type) { holder.breaks(held.broken) })
	twofold := g.spread(options, func(_, _ *Type) {})
	for _, e := range events {
		if e.Broken == nil {
			e.Broken, e.twofold = e.Type.broken, twofold[e.Type]
		}
		if e.Broken != nil {
			e.Type = nil
		}
	}
}

// unfold breaks types without a name that hold themselves by no other than such,
// which aliases could make: they would have no notation.
func unfold(t *Type, state map[*Type]progress) {
	if t.Name != "" || state[t] == measured {
		return
	}
	if state[t] == measuring {
		t.breaks(fmt.Errorf("type alias: %w", ErrEndless))
		return
	}
	state[t] = measuring
	for inner := range t.parts {
		unfold(inner, state)
	}
	state[t] = measured
}

// A graph is the types that events reach, and for each type those that hold it.
type graph struct {
	types   []*Type
	holders map[*Type][]*Type
}

func (g *graph) add(t *Type) {
	if _, known := g.holders[t]; known {
		return
	}
	g.holders[t] = nil
	g.types = append(g.types, t)
	for inner := range t.parts {
		g.add(inner)
		g.holders[inner] = append(g.holders[inner], t)
	}
}

// spread goes from types to all that hold them, each once, and returns what it
// came to.
func (g *graph) spread(from []*Type, visit func(holder, held *Type)) map[*Type]bool {
	reached := map[*Type]bool{}
	for _, t := range from {
		reached[t] = true
	}
	for len(from) > 0 {
		held := from[0]
		from = from[1:]
		for _, holder := range g.holders[held] {
			if !reached[holder] {
				reached[holder] = true
				visit(holder, held)
				from = append(from, holder)
			}
		}
	}
	return reached
}

// parts visits what lies directly within t.
func (t *Type) parts(yield func(*Type) bool) {
	if t.Elem != nil && !yield(t.Elem) {
		return
	}
	for _, f := range t.Fields {
		if !yield(f.Type) {
			return
		}
	}
	for _, v := range t.Variants {
		if !yield(v.Body) {
			return
		}
	}
}
