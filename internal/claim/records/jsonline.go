package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// jsonLine reads a flat object. The decoder of the standard library is asked
// whether the line is JSON, so that the walk over its fields needs no checks; it
// would pass over a field that is given twice.
func (r *Record) jsonLine(line []byte) error {
	if !json.Valid(line) {
		// The decoder's words say where.
		return fmt.Errorf("not a JSON object: %w", json.Unmarshal(line, new(any)))
	}
	if line = bytes.TrimSpace(line); line[0] != '{' {
		return errors.New("JSON that is no object")
	}
	rest := skipSpace(line[1:])
	for rest[0] != '}' {
		key := rest[:tokenLength(rest)]
		rest = skipSpace(rest[len(key):])
		rest = skipSpace(rest[1:]) // the colon
		raw := rest[:tokenLength(rest)]
		if rest = skipSpace(rest[len(raw):]); rest[0] == ',' {
			rest = skipSpace(rest[1:])
		}
		if err := r.set(key, raw); err != nil {
			return err
		}
	}
	return nil
}

// set takes a field of a JSON object.
func (r *Record) set(key, raw []byte) error {
	name, err := unquoted(key)
	if err != nil {
		return err
	}
	i, err := r.format.index(name)
	switch {
	case err != nil:
		return err
	case i < 0:
		return nil
	case r.seen>>i&1 == 1:
		return fmt.Errorf("field %q is given twice", name)
	}
	r.seen |= 1 << i
	v := value{text: string(raw)}
	switch raw[0] {
	case 'n':
		return nil // a way not to give it
	case '"':
		v.kind = text
		v.text, err = unquoted(raw)
	case '[':
		v.kind = list
	case '{':
		return unfit(name, v, "no object")
	case 't', 'f':
		v.kind = truth
	default:
		v.kind = number
	}
	r.values[i] = v
	return err
}

func unquoted(raw []byte) (string, error) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", fmt.Errorf("JSON string: %w", err)
	}
	return s, nil
}

func skipSpace(b []byte) []byte { return bytes.TrimLeft(b, " \t\r\n") }

// tokenLength is that of the value which b begins with, known to be whole.
func tokenLength(b []byte) int {
	depth := 0
	for i := 0; ; i++ {
		switch b[i] {
		case '"':
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		case ' ', '\t', '\r', '\n', ',', ':':
			continue
		default: // a number or a word ends where something else begins
			for !endsWord(b[i+1]) {
				i++
			}
		}
		if depth == 0 {
			return i + 1
		}
	}
}

func endsWord(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ',', ':', ']', '}':
		return true
	default:
		return false
	}
}
