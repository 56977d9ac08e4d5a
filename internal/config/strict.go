package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// lines maps each key that a document sets, as a dotted path, to its line.
// A key with a null value is not set.
type lines map[string]int

// decodeStrict reads one YAML document into the struct that into points to,
// whose yaml tags are the known keys. Unknown and repeated keys, values of
// another type, anchors, aliases and further documents are problems; all of
// them are returned, with their lines. No message holds a value of the file.
func decodeStrict(data []byte, into any) (lines, problems) {
	var bad problems
	root, err := singleDocument(data)
	if err != nil {
		bad.addf("%s", strings.TrimPrefix(err.Error(), "yaml: "))
		return nil, bad
	}
	d := strictDecoder{set: lines{}}
	if root != nil {
		d.rejectAliases(root)
		if len(d.bad) == 0 {
			d.mapping(root, reflect.ValueOf(into).Elem(), "")
		}
	}
	return d.set, d.bad
}

// singleDocument parses data; nil is an empty document.
func singleDocument(data []byte) (*yaml.Node, error) {
	if len(data) > maxFile {
		return nil, errTooLarge
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("holds more than one YAML document: keep one")
	}
	if len(doc.Content) != 1 || isNull(doc.Content[0]) {
		return nil, nil
	}
	return doc.Content[0], nil
}

type strictDecoder struct {
	set lines
	bad problems
}

// rejectAliases keeps documents as small as they look.
func (d *strictDecoder) rejectAliases(n *yaml.Node) {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		d.bad.addf("line %d: anchors and aliases are not read: write the value out", n.Line)
		return
	}
	for _, child := range n.Content {
		d.rejectAliases(child)
	}
}

func (d *strictDecoder) mapping(n *yaml.Node, target reflect.Value, prefix string) {
	if n.Kind != yaml.MappingNode {
		d.bad.addf("line %d: %swant lines of the form key: value", n.Line, prefixed(prefix))
		return
	}
	fields := keysOf(target.Type())
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		index, known := fields[key.Value]
		switch path := prefix + key.Value; {
		case key.Kind != yaml.ScalarNode || !known:
			d.bad.addf("line %d: unknown key %q%s", key.Line, clip(path), suggestion(key.Value, fields))
		case seen[path]:
			d.bad.addf("line %d: key %q stands twice: keep one", key.Line, path)
		case isNull(value):
			seen[path] = true
		default:
			seen[path] = true
			d.set[path] = key.Line
			d.value(value, target.Field(index), path)
		}
	}
}

// A shorthand is a struct that may also be written as a single text, the value of
// one of its keys.
type shorthand interface{ textKey() string }

func (d *strictDecoder) value(n *yaml.Node, target reflect.Value, path string) {
	switch t := target.Type(); {
	case t.Kind() == reflect.Struct:
		d.structure(n, target, path)
		return
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		d.oneOrMany(n, target, path)
		return
	case t.Kind() == reflect.Map:
		d.table(n, target, path)
		return
	}
	err := n.Decode(target.Addr().Interface())
	// The decoder makes integers of fractions and of what overflows, silently.
	isFraction := (target.Kind() == reflect.Uint64 || target.Kind() == reflect.Int) && n.ShortTag() != "!!int"
	if err != nil || isFraction {
		// Its own error quotes the value, which may be a secret.
		d.bad.addf("line %d: %s: want %s", n.Line, path, wanted(target.Type()))
	}
}

func (d *strictDecoder) structure(n *yaml.Node, target reflect.Value, path string) {
	short, ok := target.Interface().(shorthand)
	if !ok || n.Kind != yaml.ScalarNode {
		d.mapping(n, target, path+".")
		return
	}
	key := short.textKey()
	d.set[path+"."+key] = n.Line
	d.value(n, target.Field(keysOf(target.Type())[key]), path+"."+key)
}

// oneOrMany reads a list, whose elements have the paths path[0], path[1] and so
// on, or what would be its only element.
func (d *strictDecoder) oneOrMany(n *yaml.Node, target reflect.Value, path string) {
	elements := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		elements = n.Content
	}
	if len(elements) > maxElements {
		d.bad.addf("line %d: %s: %d are more than %d", n.Line, path, len(elements), maxElements)
		return
	}
	target.Set(reflect.MakeSlice(target.Type(), len(elements), len(elements)))
	for i, element := range elements {
		at := fmt.Sprintf("%s[%d]", path, i)
		d.set[at] = element.Line
		d.value(element, target.Index(i), at)
	}
}

// table reads a mapping whose keys are free.
func (d *strictDecoder) table(n *yaml.Node, target reflect.Value, path string) {
	if n.Kind != yaml.MappingNode {
		d.bad.addf("line %d: %s: want lines of the form key: value", n.Line, path)
		return
	}
	target.Set(reflect.MakeMap(target.Type()))
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		at := path + "." + key.Value
		if _, seen := d.set[at]; seen || key.Kind != yaml.ScalarNode {
			d.bad.addf("line %d: key %q stands twice or is no text: keep one", key.Line, clip(at))
			continue
		}
		d.set[at] = key.Line
		if isNull(value) {
			continue // not mapped
		}
		element := reflect.New(target.Type().Elem()).Elem()
		d.value(value, element, at)
		target.SetMapIndex(reflect.ValueOf(key.Value), element)
	}
}

// maxElements bounds lists of structs: a profile has a few.
const maxElements = 100

// keysOf maps the yaml keys of a struct to the indices of their fields.
func keysOf(t reflect.Type) map[string]int {
	keys := map[string]int{}
	for i := range t.NumField() {
		if key := t.Field(i).Tag.Get("yaml"); key != "" && key != "-" {
			keys[key] = i
		}
	}
	return keys
}

func suggestion(word string, fields map[string]int) string {
	known := make([]string, 0, len(fields))
	for key := range fields {
		known = append(known, key)
	}
	slices.Sort(known)
	if near := nearest(word, known); near != "" {
		return fmt.Sprintf(": did you mean %q?", near)
	}
	return ": known are " + strings.Join(known, ", ")
}

func wanted(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return `a duration such as "5s"`
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Slice:
		return "a list, one line a value: - VALUE"
	case t.Kind() == reflect.Float64:
		return "a number"
	case t.Kind() == reflect.Uint64:
		return "a whole number, not negative"
	case t.Kind() == reflect.Int:
		return "a whole number"
	default:
		return "a single text value"
	}
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func prefixed(prefix string) string {
	if prefix == "" {
		return ""
	}
	return strings.TrimSuffix(prefix, ".") + ": "
}

// clip bounds what a message repeats of a key that nobody chose.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}
