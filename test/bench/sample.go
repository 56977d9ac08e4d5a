package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Sample is one quantity, measured in several rounds.
type Sample []float64

// Median is the middle value, the mean of the middle two, NaN of none.
func (s Sample) Median() float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(s))
	mid := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[mid]
	}
	return (sorted[mid-1] + sorted[mid]) / 2
}

// String is the median and the range: 120 (100–140).
func (s Sample) String() string {
	if len(s) == 0 {
		return "none"
	}
	if len(s) == 1 {
		return short(s[0])
	}
	return fmt.Sprintf("%s (%s–%s)", short(s.Median()), short(slices.Min(s)), short(slices.Max(s)))
}

// short writes a number with three digits or, where there are more before the
// point, with thousands set apart.
func short(x float64) string {
	if math.Abs(x) < 999.5 { // else %.3g gives 1e+03
		return fmt.Sprintf("%.3g", x)
	}
	digits := fmt.Sprintf("%.0f", math.Abs(x))
	var groups []string
	for len(digits) > 3 {
		groups = append(groups, digits[len(digits)-3:])
		digits = digits[:len(digits)-3]
	}
	groups = append(groups, digits)
	slices.Reverse(groups)
	text := strings.Join(groups, ",")
	if x < 0 {
		return "-" + text
	}
	return text
}
