package records

import (
	"errors"
	"fmt"
	"strings"
)

// columns reads a header and gives the field of each column, −1 for those that
// are passed over.
func (f *Format) columns(line string) ([]int, error) {
	if strings.HasPrefix(line, "[") {
		return nil, fmt.Errorf("%w: a JSON array: want one object a line, as jq -c '.[]' writes them", ErrHeader)
	}
	names, err := splitCSV(line)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrHeader, err)
	}
	columns := make([]int, len(names))
	var seen uint64
	for c, column := range names {
		name := strings.TrimSpace(column.text)
		i, err := f.index(name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%w: %w: want columns among %s", ErrHeader, err, strings.Join(f.Fields, ", "))
		case i >= 0 && seen>>i&1 == 1:
			return nil, fmt.Errorf("%w: column %q is given twice", ErrHeader, name)
		case i >= 0:
			seen |= 1 << i
		}
		columns[c] = i
	}
	return columns, nil
}

// csvLine reads a line of CSV under a header.
func (r *Record) csvLine(line string, columns []int) error {
	fields, err := splitCSV(line)
	if err != nil {
		return err
	}
	if len(fields) != len(columns) {
		return fmt.Errorf("%d fields: want %d, one a column", len(fields), len(columns))
	}
	for c, i := range columns {
		if i >= 0 && (fields[c].text != "" || fields[c].quoted) {
			r.values[i] = value{text, fields[c].text}
		}
	}
	return nil
}

var errQuote = errors.New("a quote that does not begin or end a field")

type csvField struct {
	text   string
	quoted bool
}

// splitCSV splits a line at its commas. Spaces belong to the fields.
func splitCSV(line string) ([]csvField, error) {
	var fields []csvField
	for {
		field, rest, more, err := firstField(line)
		if err != nil {
			return nil, err
		}
		fields = append(fields, field)
		if !more {
			return fields, nil
		}
		line = rest
	}
}

// firstField cuts a field off; more is true where a comma followed it.
func firstField(line string) (field csvField, rest string, more bool, err error) {
	if !strings.HasPrefix(line, `"`) {
		field.text, rest, more = strings.Cut(line, ",")
		if strings.Contains(field.text, `"`) {
			return field, "", false, errQuote
		}
		return field, rest, more, nil
	}
	var b strings.Builder
	for line = line[1:]; ; {
		part, after, closed := strings.Cut(line, `"`)
		b.WriteString(part)
		switch {
		case !closed:
			return field, "", false, errors.New("a quote is not closed on its line")
		case strings.HasPrefix(after, `"`):
			b.WriteByte('"')
			line = after[1:]
		case after == "":
			return csvField{b.String(), true}, "", false, nil
		case after[0] == ',':
			return csvField{b.String(), true}, after[1:], true, nil
		default:
			return field, "", false, errQuote
		}
	}
}
