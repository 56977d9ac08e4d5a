package records

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Record is one line that could be read. It is valid until the function that
// it is handed to returns; texts taken from it stay.
type Record struct {
	format *Format
	values []value // by the index of their field
	seen   uint64  // the fields that a JSON object has named, by the same index
}

// A value is a field as it was written.
type value struct {
	kind kind
	text string // of a JSON string what it means, of anything else as written
}

type kind uint8

const (
	absent kind = iota
	text        // a JSON string, or a field of CSV
	number      // a JSON number
	list        // a JSON array
	truth       // a JSON true or false
)

func (r *Record) value(field string) value {
	for i, name := range r.format.Fields {
		if name == field {
			return r.values[i]
		}
	}
	return value{}
}

// Has reports whether a field was given.
func (r *Record) Has(field string) bool { return r.value(field).kind != absent }

// Text is a field's text.
func (r *Record) Text(field string) (string, error) {
	v := r.value(field)
	switch v.kind {
	case text:
		return v.text, nil
	case absent:
		return "", notGiven(field)
	default:
		return "", unfit(field, v, "a text")
	}
}

// maxBare is the largest JSON number that every program writes exactly.
const maxBare = 1 << 53

// Int is a field's whole number of 64 bits.
func (r *Record) Int(field string) (int64, error) {
	v := r.value(field)
	n, err := strconv.ParseInt(v.text, 10, 64)
	switch {
	case v.kind == absent:
		return 0, notGiven(field)
	case err != nil || v.kind == list || v.kind == truth || v.text[0] == '+':
		return 0, unfit(field, v, "a whole number of 64 bits, in decimal")
	case v.kind == number && (n > maxBare || n < -maxBare):
		return 0, fmt.Errorf("%s: %s: above 2^53 a JSON number is not exact: want a string", field, v.text)
	}
	return n, nil
}

// Decimal is a field's number of digits with a point among them or none, as the
// nearest float64.
func (r *Record) Decimal(field string) (float64, error) {
	v := r.value(field)
	if v.kind == absent {
		return 0, notGiven(field)
	}
	f, ok := decimal(v.text)
	if !ok || v.kind == list || v.kind == truth {
		return 0, unfit(field, v, "a decimal number such as 3.05")
	}
	return f, nil
}

// decimal reads what is neither signed nor in scientific or any other notation.
func decimal(s string) (float64, bool) {
	if strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// Bool is a field's true or false.
func (r *Record) Bool(field string) (bool, error) {
	v := r.value(field)
	switch {
	case v.kind == absent:
		return false, notGiven(field)
	case v.text == "true":
		return true, nil
	case v.text == "false":
		return false, nil
	default:
		return false, unfit(field, v, "true or false")
	}
}

// Floats is a field's list of numbers.
func (r *Record) Floats(field string) ([]float64, error) {
	parts, err := r.list(field)
	if err != nil {
		return nil, err
	}
	numbers := make([]float64, len(parts))
	for i, part := range parts {
		f, err := strconv.ParseFloat(part, 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) || strings.ContainsAny(part, "xX_") {
			return nil, fmt.Errorf("%s: %s: want a list of numbers", field, Clipped(part))
		}
		numbers[i] = f
	}
	return numbers, nil
}

// Ints is a field's list of whole numbers.
func (r *Record) Ints(field string) ([]int64, error) {
	parts, err := r.list(field)
	if err != nil {
		return nil, err
	}
	numbers := make([]int64, len(parts))
	for i, part := range parts {
		if numbers[i], err = strconv.ParseInt(part, 10, 64); err != nil {
			return nil, fmt.Errorf("%s: %s: want a list of whole numbers", field, Clipped(part))
		}
	}
	return numbers, nil
}

// list gives the elements of a list as they were written. One in an array that
// is no number is found by whoever reads it as one.
func (r *Record) list(field string) ([]string, error) {
	switch v := r.value(field); v.kind {
	case absent:
		return nil, notGiven(field)
	case list:
		var raw []json.RawMessage
		if err := json.Unmarshal([]byte(v.text), &raw); err != nil {
			return nil, fmt.Errorf("%s: %w", field, err)
		}
		parts := make([]string, len(raw))
		for i := range raw {
			parts[i] = string(raw[i])
		}
		return parts, nil
	case text:
		return strings.FieldsFunc(v.text, func(c rune) bool { return strings.ContainsRune(" ,;", c) }), nil
	default:
		return nil, unfit(field, v, "a list")
	}
}

func notGiven(field string) error { return fmt.Errorf("%s: not given", field) }

func unfit(field string, v value, want string) error {
	return fmt.Errorf("%s: %s: want %s", field, Clipped(v.text), want)
}

// Clipped shows a stranger's text in an error: quoted, and cut where it is long.
func Clipped(s string) string {
	const most = 80
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "..."
	}
	return strconv.QuoteToASCII(s)
}
