package verify

import (
	"fmt"
	"math/bits"
)

// A Ratio is an exact rational number, not always in lowest terms. That of a
// multiplier has both parts below 2^55: a scale of 32 bits by C(25, 12).
type Ratio struct {
	Num, Den uint64
}

// Multiplier is what a stake is multiplied by for k revealed tiles, 0 to
// 25 − mines, on a board of 1 to 24 mines, under a house edge of 0 to EdgeScale.
// What is out of range is a [RangeError].
func (r *Rules) Multiplier(edge uint32, mines, k int) (Ratio, error) {
	ratio, reason := r.multiplier(edge, mines, k)
	switch reason {
	case "":
		return ratio, nil
	case ReasonEdgeRange:
		return Ratio{}, &RangeError{Name: "house_edge", Value: int64(edge), Max: int64(r.EdgeScale)}
	case ReasonNoScale:
		return Ratio{}, &RangeError{Name: "edge_scale", Value: int64(r.EdgeScale), Min: 1, Max: MaxEdgeScale}
	case ReasonMinesCountRange:
		return Ratio{}, minesRange(mines)
	default:
		return Ratio{}, &RangeError{Name: "revealed tiles", Value: int64(k), Max: int64(Tiles - mines)}
	}
}

// multiplier uses that the product over the tiles is C(25,M) / C(25−k,M): both
// stay below 2^23, where the product's own parts need more than 64 bits.
func (r *Rules) multiplier(edge uint32, mines, k int) (Ratio, Reason) {
	switch {
	case r.EdgeScale == 0:
		return Ratio{}, ReasonNoScale
	case edge > r.EdgeScale:
		return Ratio{}, ReasonEdgeRange
	case mines < 1 || mines > MaxMines:
		return Ratio{}, ReasonMinesCountRange
	case k < 0 || k > Tiles-mines:
		return Ratio{}, ReasonTooManyRevealed
	}
	return Ratio{
		Num: uint64(r.EdgeScale-edge) * choose(Tiles, mines),
		Den: uint64(r.EdgeScale) * choose(Tiles-k, mines),
	}, ""
}

// choose is the binomial coefficient C(n, m), 0 <= m <= n <= 25. Every step
// divides without remainder.
func choose(n, m int) uint64 {
	c := uint64(1)
	for i := range min(m, n-m) {
		c = c * uint64(n-i) / uint64(i+1)
	}
	return c
}

// Lowest is the same number in lowest terms.
func (r Ratio) Lowest() Ratio {
	a, b := r.Num, r.Den
	for b != 0 {
		a, b = b, a%b
	}
	if a == 0 { // 0/0
		return r
	}
	return Ratio{Num: r.Num / a, Den: r.Den / a}
}

// String is num/den in lowest terms.
func (r Ratio) String() string {
	low := r.Lowest()
	return fmt.Sprintf("%d/%d", low.Num, low.Den)
}

// Floor is floor(r × x); ok is false if that is 2^64 or more.
func (r Ratio) Floor(x uint64) (floor uint64, ok bool) {
	floor, _, ok = mulDiv(x, r.Num, r.Den)
	return floor, ok
}

// nearest is r × x rounded to the nearest integer, a half up.
func (r Ratio) nearest(x uint64) (uint64, bool) {
	q, rem, ok := mulDiv(x, r.Num, r.Den)
	if !ok || rem < r.Den-rem {
		return q, ok
	}
	sum, carry := bits.Add64(q, 1, 0)
	return sum, carry == 0
}

// exceeds reports whether r > other.
func (r Ratio) exceeds(other Ratio) bool {
	hi, lo := bits.Mul64(r.Num, other.Den)
	otherHi, otherLo := bits.Mul64(other.Num, r.Den)
	return hi > otherHi || hi == otherHi && lo > otherLo
}

// mulDiv is a × b / c with its remainder, over 128 bits; ok is false if the
// quotient is 2^64 or more, or c is 0.
func mulDiv(a, b, c uint64) (q, rem uint64, ok bool) {
	hi, lo := bits.Mul64(a, b)
	if hi >= c {
		return 0, 0, false
	}
	q, rem = bits.Div64(hi, lo, c)
	return q, rem, true
}
