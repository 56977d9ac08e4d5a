//go:build crash

package crash

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A sample is what a daemon holds at a moment.
type sample struct {
	at         time.Time
	rss        float64 // MiB
	goroutines float64
	files      float64 // file descriptors
}

func (s sample) String() string {
	return fmt.Sprintf("%s %.1f MiB, %.0f goroutines, %.0f files\n", s.at.Format(time.TimeOnly), s.rss, s.goroutines, s.files)
}

func (d *daemon) sample(ctx context.Context) (s sample, err error) {
	body, err := d.get(ctx, "/metrics")
	if err != nil {
		return s, err
	}
	s.at = time.Now()
	for lines := bufio.NewScanner(bytes.NewReader(body)); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		into := map[string]*float64{"process_resident_memory_bytes": &s.rss, "go_goroutines": &s.goroutines, "process_open_fds": &s.files}[name]
		if into == nil {
			continue
		}
		if *into, err = strconv.ParseFloat(value, 64); err != nil {
			return s, err
		}
	}
	s.rss /= 1 << 20
	if s.rss == 0 || s.goroutines == 0 || s.files == 0 {
		return s, errors.New("/metrics lacks memory, goroutines or file descriptors")
	}
	return s, nil
}

// A trend is what a straight line through the floor of samples says.
type trend struct {
	mean, growth float64 // growth: over the time of the samples
	perHour      float64
}

// floors is into how many spans samples are cut for their floor.
const floors = 6

// floor gives the least value of each span. What comes and goes with trouble,
// such as a burst of connections that stay open for a minute, is no growth; what
// grows lifts the least values too.
func floor(samples []sample, of func(sample) float64) []sample {
	var list []sample
	for i := range floors {
		span := samples[i*len(samples)/floors : (i+1)*len(samples)/floors]
		list = append(list, slices.MinFunc(span, func(a, b sample) int { return cmp.Compare(of(a), of(b)) }))
	}
	return list
}

func (t trend) String() string { return fmt.Sprintf("%.1f (%+.1f an hour)", t.mean, t.perHour) }

// fit draws the line by least squares.
func fit(all []sample, of func(sample) float64) trend {
	var t trend
	samples := floor(all, of)
	var meanX float64
	n := float64(len(samples))
	for _, s := range samples {
		meanX += s.at.Sub(samples[0].at).Hours() / n
		t.mean += of(s) / n
	}
	var xx, xy float64
	for _, s := range samples {
		x := s.at.Sub(samples[0].at).Hours() - meanX
		xx += x * x
		xy += x * (of(s) - t.mean)
	}
	if xx > 0 {
		t.perHour = xy / xx
		t.growth = t.perHour * all[len(all)-1].at.Sub(all[0].at).Hours()
	}
	return t
}

var errGrows = errors.New("the daemon grows")

// flat says what became of memory, goroutines and file descriptors, and fails
// where they grew: memory by more than a sixth and 16 MiB, the others by more
// than comes and goes with connections.
func flat(samples []sample) (string, error) {
	if len(samples) < 2*floors {
		return "", fmt.Errorf("%d samples say nothing of growth", len(samples))
	}
	rss := fit(samples, func(s sample) float64 { return s.rss })
	goroutines := fit(samples, func(s sample) float64 { return s.goroutines })
	files := fit(samples, func(s sample) float64 { return s.files })
	text := fmt.Sprintf("floor of %d samples over %v: RSS %v MiB, goroutines %v, file descriptors %v", len(samples),
		samples[len(samples)-1].at.Sub(samples[0].at).Round(time.Second), rss, goroutines, files)
	if rss.growth > max(16, rss.mean/6) || goroutines.growth > 8 || files.growth > 8 {
		return text, fmt.Errorf("%w: %s\n%v", errGrows, text, samples)
	}
	return text, nil
}
