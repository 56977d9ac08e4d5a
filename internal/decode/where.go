package decode

import (
	"fmt"
	"slices"
)

// Where says by which ways a program emits its events.
type Where uint8

// The ways.
const (
	InLogs Where = iota // emit!
	InCPI               // emit_cpi!
	InBoth              // by either, and perhaps the same event by both
)

func whereNames() []string { return []string{"logs", "cpi", "both"} }

// ParseWhere reads logs, cpi or both.
func ParseWhere(s string) (Where, error) {
	if i := slices.Index(whereNames(), s); i >= 0 {
		return Where(i), nil
	}
	return 0, fmt.Errorf("%q: want one of %q", s, whereNames())
}

func (w Where) String() string {
	if names := whereNames(); int(w) < len(names) {
		return names[w]
	}
	return fmt.Sprintf("where(%d)", uint8(w))
}
