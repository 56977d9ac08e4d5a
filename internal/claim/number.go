package claim

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"minesaudit/internal/verify"
)

// A Number is a whole number as text; empty, it was not given.
type Number string

// bareMark is before the text of a JSON number, which is not exact above
// maxBare.
const (
	bareMark = "\x00" // which no JSON string holds
	maxBare  = 1 << 53
)

// UnmarshalJSON takes anything: what is no number is found when it is used, and
// its field named.
func (n *Number) UnmarshalJSON(raw []byte) error {
	switch {
	case string(raw) == "null":
	case raw[0] == '"':
		*n = Number(raw[1 : len(raw)-1])
		if *n == "" {
			*n = `""`
		}
	default:
		*n = Number(bareMark + string(raw))
	}
	return nil
}

func (n Number) given() bool { return n != "" }

// text is the number without the mark.
func (n Number) text() string {
	if n.bare() {
		return string(n[len(bareMark):])
	}
	return string(n)
}

func (n Number) bare() bool { return n.given() && n[:1] == bareMark }

// u64 reads a number of the field's name.
func (n Number) u64(field string) (uint64, error) {
	v, err := strconv.ParseUint(n.text(), 10, 64)
	if err != nil {
		return 0, n.unfit(field)
	}
	if n.bare() && v > maxBare {
		return 0, n.inexact(field)
	}
	return v, nil
}

func (n Number) i64(field string) (int64, error) {
	v, err := strconv.ParseInt(n.text(), 10, 64)
	if err != nil {
		return 0, n.unfit(field)
	}
	if n.bare() && (v > maxBare || v < -maxBare) {
		return 0, n.inexact(field)
	}
	return v, nil
}

// within reads a number of lo to hi.
func (n Number) within(field string, lo, hi int64) (int64, error) {
	v, err := n.i64(field)
	if err != nil {
		return 0, err
	}
	if v < lo || v > hi {
		return 0, &verify.RangeError{Name: field, Value: v, Min: lo, Max: hi}
	}
	return v, nil
}

func (n Number) unfit(field string) error {
	if !n.given() {
		return notGiven(field)
	}
	return fmt.Errorf("%s: %s: want a whole number of 64 bits, in decimal", field, clipped(n.text()))
}

func (n Number) inexact(field string) error {
	return fmt.Errorf("%s: %s: above 2^53 a JSON number is not exact: want a string", field, n.text())
}

func notGiven(field string) error { return fmt.Errorf("%s: not given", field) }

// A Tile is that of a bust: not given, given as none, or a tile.
type Tile struct {
	Number Number
	Given  bool
}

// UnmarshalJSON takes anything, as that of Number does.
func (t *Tile) UnmarshalJSON(raw []byte) error {
	t.Given = true
	if bytes.Equal(raw, []byte("null")) {
		return nil
	}
	return t.Number.UnmarshalJSON(raw)
}

// parse reads a tile of the board; has is false where none was hit.
func (t *Tile) parse() (tile uint8, has bool, err error) {
	if !t.Number.given() {
		return 0, false, nil
	}
	v, err := t.Number.within("bust_tile", 0, verify.Tiles-1)
	return uint8(v), err == nil, err
}

// mask reads a mask of 32 bits.
func (n Number) mask(field string) (uint32, error) {
	v, err := n.within(field, 0, math.MaxUint32)
	return uint32(v), err
}
