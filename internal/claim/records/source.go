package records

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// A Source is one file.
type Source struct {
	Name   string
	Reader io.Reader
}

// A Place is where a record stands.
type Place struct {
	Source int // index among the sources, which fits 16 bits
	Line   int // from 1; fits 32 bits
}

// MaxSources bounds the number of files.
const MaxSources = math.MaxUint16

// A Format says which fields records have.
type Format struct {
	Fields []string // at most 64
	Ignore []string // names of fields that are passed over
}

// ErrHeader means that a CSV file's first line is not a header of known columns.
var ErrHeader = errors.New("header")

// MaxLine bounds a line in bytes.
const MaxLine = 1 << 20

// index gives the number of a field, or −1 for one to be passed over.
func (f *Format) index(name string) (int, error) {
	for i, field := range f.Fields {
		if name == field {
			return i, nil
		}
	}
	for _, ignored := range f.Ignore {
		if name == ignored {
			return -1, nil
		}
	}
	return 0, fmt.Errorf("unknown field %s", Clipped(name))
}
