package bench

import (
	"math"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		in   Sample
		want float64
	}{
		{Sample{7}, 7},
		{Sample{9, 1, 5}, 5},
		{Sample{4, 1, 3, 100}, 3.5},
	} {
		if got := c.in.Median(); got != c.want {
			t.Errorf("median of %v is %v, not %v", []float64(c.in), got, c.want)
		}
	}
	if got := (Sample{}).Median(); !math.IsNaN(got) {
		t.Errorf("median of nothing is %v", got)
	}
	unsorted := Sample{3, 1, 2}
	unsorted.Median()
	if unsorted[0] != 3 {
		t.Error("the rounds lost their order")
	}
}

func TestSampleAsText(t *testing.T) {
	for _, c := range []struct {
		in   Sample
		want string
	}{
		{nil, "none"},
		{Sample{0.123456}, "0.123"},
		{Sample{1234567}, "1,234,567"},
		{Sample{-1005}, "-1,005"},
		{Sample{999.9, 100, 2000.4}, "1,000 (100–2,000)"},
	} {
		if got := c.in.String(); got != c.want {
			t.Errorf("%v reads %q, not %q", []float64(c.in), got, c.want)
		}
	}
}
