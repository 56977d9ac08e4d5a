package bench

import (
	"math"
	"strings"
	"testing"
)

const scraped = `# HELP h Something.
# TYPE h histogram
h_bucket{le="1"} 10
h_bucket{le="2"} 10
h_bucket{le="4"} 30
h_bucket{le="+Inf"} 40
h_sum 100
h_count 40
calls_total{method="a",outcome="ok"} 3
calls_total{method="a",outcome="bad"} 1
calls_total{method="ab",outcome="ok"} 5
calls_total_other{method="a"} 100
`

func parsed(t *testing.T, text string) Series {
	t.Helper()
	s, err := ParseSeries(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSumByLabels(t *testing.T) {
	s := parsed(t, scraped)
	for _, c := range []struct {
		labels []string
		want   float64
	}{
		{nil, 9},
		{[]string{`method="a"`}, 4},
		{[]string{`method="a"`, `outcome="ok"`}, 3},
		{[]string{`method="none"`}, 0},
	} {
		if got := s.Sum("calls_total", c.labels...); got != c.want {
			t.Errorf("calls with %v: %v, not %v", c.labels, got, c.want)
		}
	}
	if got := s.Sum("h_count"); got != 40 {
		t.Errorf("a metric without labels: %v", got)
	}
}

func TestQuantileLiesInItsBucket(t *testing.T) {
	s := parsed(t, scraped)
	for q, want := range map[float64]float64{0.125: 0.5, 0.25: 1, 0.5: 3, 0.75: 4, 0.99: math.Inf(1)} {
		if got := s.Quantile("h", q); got != want {
			t.Errorf("quantile %v is %v, not %v", q, got, want)
		}
	}
	if got := s.Quantile("absent", 0.5); !math.IsNaN(got) {
		t.Errorf("quantile of what is not there: %v", got)
	}
	if got := s.Since(s).Quantile("h", 0.5); !math.IsNaN(got) {
		t.Errorf("quantile of no observation: %v", got)
	}
}

func TestSinceAndPlus(t *testing.T) {
	before, after := Series{"a": 2, "b": 5}, Series{"a": 3, "b": 5, "c": 1}
	added := after.Since(before)
	if added["a"] != 1 || added["b"] != 0 || added["c"] != 1 {
		t.Errorf("since: %v", added)
	}
	if sum := before.Plus(added); sum["a"] != 3 || sum["b"] != 5 || sum["c"] != 1 {
		t.Errorf("plus: %v", sum)
	}
}

func TestMalformedMetricIsRefused(t *testing.T) {
	for _, text := range []string{"a", "a b", `a{b="c"}`} {
		if s, err := ParseSeries(strings.NewReader(text)); err == nil {
			t.Errorf("%q gives %v", text, s)
		}
	}
}
