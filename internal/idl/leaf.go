package idl

import "strings"

// A Leaf is a path that [Event.Compile] takes, with what its value will be.
type Leaf struct {
	Path string
	Type *Type // without options around it

	// Optional says that the value may be absent: the path ends at or goes
	// through an option or a variant.
	Optional bool
}

// maxLeaves bounds what an event lists: types that hold themselves have paths
// without end.
const maxLeaves = 1024

// Leaf says what the value of a path will be.
func (e *Event) Leaf(path string) (Leaf, error) {
	if _, err := e.Compile([]string{path}); err != nil {
		return Leaf{}, err
	}
	leaf := Leaf{Path: path, Type: e.Type}
	for name := range strings.SplitSeq(path, ".") {
		leaf.Optional = leaf.Optional || leaf.Type.Kind == Enum
		_, leaf.Type = leaf.Type.lookUp(name)
		leaf.Optional = leaf.Optional || leaf.Type != leaf.Type.bare()
		leaf.Type = leaf.Type.bare()
	}
	return leaf, nil
}

// Leaves lists an event's paths in the order of its bytes, what holds others
// before what it holds, at most 1024 and none within a vec or array. Of an event
// that is broken there are none.
func (e *Event) Leaves() []Leaf {
	if e.Broken != nil {
		return nil
	}
	var l leaves
	l.within(Leaf{Type: e.Type.bare()}, 0)
	return l.list
}

type leaves struct{ list []Leaf }

func (l *leaves) within(parent Leaf, depth int) {
	if depth > maxNesting {
		return
	}
	t := parent.Type
	for _, f := range t.Fields {
		l.add(parent, f.Name, f.Type, depth)
	}
	for _, v := range t.Variants {
		parent.Optional = true
		l.add(parent, v.Name, v.Body, depth)
	}
}

func (l *leaves) add(parent Leaf, name string, t *Type, depth int) {
	if len(l.list) >= maxLeaves || name == "" || strings.Contains(name, ".") {
		return // no path leads there: such a name is none of Rust's
	}
	leaf := Leaf{Path: name, Type: t.bare(), Optional: parent.Optional || t != t.bare()}
	if parent.Path != "" {
		leaf.Path = parent.Path + "." + name
	}
	l.list = append(l.list, leaf)
	l.within(leaf, depth+1)
}
