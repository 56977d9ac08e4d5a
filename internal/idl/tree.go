package idl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// The file is read once, into the values that encoding/json has for any JSON:
// types nest, and reading each level anew would take the square of the nesting.
// Numbers stay text, of type json.Number.

func readTree(data []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var root map[string]any
	if err := d.Decode(&root); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the document")
	}
	return root, nil
}

// text, object and list are a value of that kind, or else empty. What is not
// needed may be anything.
func text(value any) string {
	s, _ := value.(string)
	return s
}

func object(value any) map[string]any {
	o, _ := value.(map[string]any)
	return o
}

func list(value any) []any {
	l, _ := value.([]any)
	return l
}

// name is text that is kept, printed and written.
func name(value any) (string, error) {
	s := text(value)
	if len(s) > maxName {
		return "", fmt.Errorf("name %.40q...: %w: at most %d bytes", s, ErrBounds, maxName)
	}
	return s, nil
}

// same compares two values of a tree.
func same(a, b any) bool {
	one, errOne := json.Marshal(a)
	other, errOther := json.Marshal(b)
	return errOne == nil && errOther == nil && bytes.Equal(one, other)
}

// sketch is what a message says of a value that was not understood.
func sketch(value any) string {
	const most = 4
	switch v := value.(type) {
	case string:
		return fmt.Sprintf("%.100q", v)
	case json.Number:
		return fmt.Sprintf("%.100q", v.String())
	case map[string]any:
		if len(v) > most {
			return fmt.Sprintf("of %d keys", len(v))
		}
		return fmt.Sprintf("of keys %.100q", strings.Join(slices.Sorted(maps.Keys(v)), ", "))
	default:
		return fmt.Sprintf("of JSON %T", v)
	}
}
