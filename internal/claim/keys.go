package claim

import (
	"bytes"
	"fmt"
	"reflect"
	"sync"
)

// fieldNumbers numbers the fields of a request by their names in JSON.
var fieldNumbers = sync.OnceValue(func() map[string]int {
	numbers := map[string]int{}
	for i, field := range reflect.VisibleFields(reflect.TypeFor[Request]()) {
		numbers[field.Tag.Get("json")] = i
	}
	return numbers
})

// checkKeys refuses a field that is not known, which the decoder would pass
// over, and one that is given twice, of which it would take the last. The line
// is known to be JSON, and an object or null.
func checkKeys(line []byte) error {
	var seen uint64
	numbers := fieldNumbers()
	depth, isKey := 0, false
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '{', '[':
			depth++
			isKey = depth == 1
		case '}', ']':
			depth--
		case ',':
			isKey = depth == 1
		case '"':
			n := stringLength(line[i+1:])
			if isKey {
				key := line[i+1 : i+1+n]
				number, known := numbers[string(key)]
				switch {
				case !known:
					return fmt.Errorf("unknown field %s", clipped(string(key)))
				case seen>>number&1 == 1:
					return fmt.Errorf("field %q is given twice", key)
				}
				seen |= 1 << number
				isKey = false
			}
			i += n + 1
		}
	}
	return nil
}

// stringLength is that of a JSON string up to its closing quote.
func stringLength(b []byte) int {
	for n := 0; ; n++ {
		quote := bytes.IndexByte(b[n:], '"')
		escape := bytes.IndexByte(b[n:n+quote], '\\')
		if escape < 0 {
			return n + quote
		}
		n += escape + 1 // on to what is escaped
	}
}
