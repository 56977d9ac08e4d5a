package verify

import (
	"errors"
	"math"
	"testing"
)

// What is out of range is refused by name, with the range.
func TestRangeErrors(t *testing.T) {
	rules := DefaultRules()
	derive := func(mines int) error { return errorOf(Derive([32]byte{}, [32]byte{}, [32]byte{}, 0, mines)) }
	for _, test := range []struct {
		err  error
		want RangeError
		text string
	}{
		{derive(0), RangeError{"mines_count", 0, 1, 24}, "derive board: mines_count: 0 is out of range: want 1..24"},
		{derive(25), RangeError{"mines_count", 25, 1, 24}, "derive board: mines_count: 25 is out of range: want 1..24"},
		{errorOf(Explain([32]byte{}, [32]byte{}, [32]byte{}, 0, 25)), RangeError{"mines_count", 25, 1, 24}, "derive board: mines_count: 25 is out of range: want 1..24"},
		{errorOf(rules.Multiplier(10_001, 3, 0)), RangeError{"house_edge", 10_001, 0, 10_000}, "house_edge: 10001 is out of range: want 0..10000"},
		{errorOf(rules.Multiplier(math.MaxUint32, 3, 0)), RangeError{"house_edge", math.MaxUint32, 0, 10_000}, "house_edge: 4294967295 is out of range: want 0..10000"},
		{errorOf((&Rules{}).Multiplier(0, 3, 0)), RangeError{"edge_scale", 0, 1, 1_000_000_000}, "edge_scale: 0 is out of range: want 1..1000000000"},
		{errorOf(rules.Multiplier(0, 0, 0)), RangeError{"mines_count", 0, 1, 24}, "mines_count: 0 is out of range: want 1..24"},
		{errorOf(rules.Multiplier(0, -1, 0)), RangeError{"mines_count", -1, 1, 24}, "mines_count: -1 is out of range: want 1..24"},
		{errorOf(rules.Multiplier(0, 25, 0)), RangeError{"mines_count", 25, 1, 24}, "mines_count: 25 is out of range: want 1..24"},
		{errorOf(rules.Multiplier(0, 3, 23)), RangeError{"revealed tiles", 23, 0, 22}, "revealed tiles: 23 is out of range: want 0..22"},
		{errorOf(rules.Multiplier(0, 24, -1)), RangeError{"revealed tiles", -1, 0, 1}, "revealed tiles: -1 is out of range: want 0..1"},
		{errorOf(rules.Multiplier(0, 3, math.MinInt)), RangeError{"revealed tiles", math.MinInt, 0, 22}, "revealed tiles: -9223372036854775808 is out of range: want 0..22"},
	} {
		var got *RangeError
		if !errors.As(test.err, &got) || *got != test.want || test.err.Error() != test.text {
			t.Errorf("%v, want %s", test.err, test.text)
		}
	}
	for _, edge := range []uint32{0, 1, BasisPoints} {
		for mines := 1; mines <= MaxMines; mines++ {
			for _, k := range []int{0, Tiles - mines} {
				if _, err := rules.Multiplier(edge, mines, k); err != nil {
					t.Errorf("edge %d, %d mines, %d revealed: %v", edge, mines, k, err)
				}
			}
		}
	}
}
