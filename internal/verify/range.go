package verify

import (
	"fmt"
	"strconv"
)

// A RangeError refuses an input that is a number, by its name.
type RangeError struct {
	Name            string
	Value, Min, Max int64
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s: %d is out of range: want %d..%d", e.Name, e.Value, e.Min, e.Max)
}

func minesRange(mines int) *RangeError {
	return &RangeError{Name: "mines_count", Value: int64(mines), Min: 1, Max: MaxMines}
}

// quoted shows a stranger's text in an error: quoted, and cut where it is long.
func quoted(s string) string {
	const most = 80
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}
