//go:build sim

package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// untouched leaves out of a content what names any of these transactions and games,
// and the counts, which hold them too.
func untouched(content string, touched map[string]bool) string {
	if len(touched) == 0 {
		return content
	}
	all := slices.Collect(maps.Keys(touched))
	var b strings.Builder
	for line := range strings.Lines(content) {
		names := func(name string) bool { return strings.Contains(line, name) }
		if !strings.HasPrefix(line, "rollup") && !slices.ContainsFunc(all, names) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// same compares two contents.
func same(one, other string) error {
	if one == other {
		return nil
	}
	a, b := slices.Sorted(strings.Lines(one)), slices.Sorted(strings.Lines(other))
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	line := func(list []string) string {
		if i < len(list) {
			return list[i]
		}
		return "(nothing)\n"
	}
	return fmt.Errorf("%w: %d lines and %d; the first that differ:\n  %s  %s", errDiffers, len(a), len(b), line(a), line(b))
}
