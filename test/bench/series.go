package bench

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Series is one scrape of /metrics: values by name and labels, as printed.
type Series map[string]float64

// ParseSeries reads the Prometheus text format. Label values of the daemon hold
// neither spaces nor escapes, and it gives no timestamps.
func ParseSeries(r io.Reader) (Series, error) {
	s := Series{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, " ")
		n, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("metric line %q: no value", line)
		}
		s[name] = n
	}
	return s, lines.Err()
}

// Sum adds the samples of a metric whose labels contain all of those given, as
// name="value".
func (s Series) Sum(metric string, labels ...string) float64 {
	sum := 0.0
	for name, value := range s {
		base, rest, _ := strings.Cut(name, "{")
		if base == metric && !slices.ContainsFunc(labels, func(l string) bool { return !strings.Contains(rest, l) }) {
			sum += value
		}
	}
	return sum
}

// Since is what has been added to each sample after an earlier scrape.
func (s Series) Since(before Series) Series {
	added := make(Series, len(s))
	for name, value := range s {
		added[name] = value - before[name]
	}
	return added
}

// Plus adds two scrapes, sample by sample.
func (s Series) Plus(o Series) Series {
	sum := make(Series, len(s))
	for name, value := range s {
		sum[name] = value
	}
	for name, value := range o {
		sum[name] += value
	}
	return sum
}

// Quantile estimates a quantile, 0 to 1, of a histogram without labels, taking
// observations to lie evenly within their bucket; NaN if there are none. What
// lies above the last bound is taken to be infinite: no bound is met by it.
func (s Series) Quantile(metric string, q float64) float64 {
	type bucket struct{ upTo, count float64 }
	var buckets []bucket
	for name, count := range s {
		if bound, ok := strings.CutPrefix(name, metric+`_bucket{le="`); ok {
			upTo, err := strconv.ParseFloat(strings.TrimSuffix(bound, `"}`), 64)
			if err != nil {
				return math.NaN()
			}
			buckets = append(buckets, bucket{upTo, count})
		}
	}
	slices.SortFunc(buckets, func(a, b bucket) int { return cmp.Compare(a.upTo, b.upTo) })
	if len(buckets) == 0 || buckets[len(buckets)-1].count == 0 {
		return math.NaN()
	}
	rank := q * buckets[len(buckets)-1].count
	from, below := 0.0, 0.0
	for _, b := range buckets {
		if b.count >= rank && b.count > below {
			if math.IsInf(b.upTo, 1) {
				return b.upTo
			}
			return from + (b.upTo-from)*(rank-below)/(b.count-below)
		}
		from, below = b.upTo, b.count
	}
	return math.NaN()
}
