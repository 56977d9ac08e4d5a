package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"
)

// Report is what a run has found: figures to know, and bounds to keep.
type Report struct {
	Started time.Time `json:"started"`
	Cores   int       `json:"cores"`
	Figures []Figure  `json:"figures"`
	Bounds  []Bound   `json:"bounds"`
	Notes   []string  `json:"notes"`
}

// Figure is one measured quantity, with the machine's load around it.
type Figure struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"`
	Rounds Sample  `json:"rounds"`
	Median float64 `json:"median"`
	Load   string  `json:"load"` // averages over 1, 5 and 15 minutes
}

// Bound is something that must hold: Value at least, or at most, Limit.
type Bound struct {
	Name    string  `json:"name"`
	Value   float64 `json:"value"`
	Limit   float64 `json:"limit"`
	AtLeast bool    `json:"at_least"`
	Kept    bool    `json:"kept"`
}

// Figure adds a figure, of one value a round.
func (r *Report) Figure(name, unit string, rounds ...float64) {
	f := Figure{Name: name, Unit: unit, Rounds: rounds, Load: load()}
	f.Median = f.Rounds.Median()
	r.Figures = append(r.Figures, f)
}

// AtLeast adds a bound; a value that is no number does not keep it.
func (r *Report) AtLeast(name string, value, limit float64) {
	r.Bounds = append(r.Bounds, Bound{name, value, limit, true, value >= limit})
}

// AtMost adds a bound; a value that is no number does not keep it.
func (r *Report) AtMost(name string, value, limit float64) {
	r.Bounds = append(r.Bounds, Bound{name, value, limit, false, value <= limit})
}

// Note adds a sentence that whoever reads the figures has to know.
func (r *Report) Note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// Missed lists the bounds that were not kept.
func (r *Report) Missed() []Bound {
	var missed []Bound
	for _, b := range r.Bounds {
		if !b.Kept {
			missed = append(missed, b)
		}
	}
	return missed
}

// Print writes the report as text.
func (r *Report) Print(w io.Writer) {
	fmt.Fprintf(w, "\nfigures: median (range) of the rounds; %d cores\n", r.Cores)
	for _, f := range r.Figures {
		fmt.Fprintf(w, "  %-58s %-26s %-8s load %s\n", f.Name, f.Rounds, f.Unit, f.Load)
	}
	fmt.Fprintln(w, "\nbounds")
	for _, b := range r.Bounds {
		fmt.Fprintf(w, "  %s\n", b)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(w, "\n  Note: %s\n", note)
	}
	if missed := r.Missed(); len(missed) > 0 {
		fmt.Fprintf(w, "\n%s\n  %d of %d bounds MISSED:\n", strings.Repeat("!", 72), len(missed), len(r.Bounds))
		for _, b := range missed {
			fmt.Fprintf(w, "  %s\n", b)
		}
		fmt.Fprintln(w, strings.Repeat("!", 72))
	}
}

func (b Bound) String() string {
	word, sign := "kept  ", "≤"
	if !b.Kept {
		word = "MISSED"
	}
	if b.AtLeast {
		sign = "≥"
	}
	return fmt.Sprintf("%s  %-62s %8s  bound %s %s", word, b.Name, short(b.Value), sign, short(b.Limit))
}

// WriteJSON writes the report to a file.
func (r *Report) WriteJSON(path string) error {
	clean := *r
	clean.Figures = append([]Figure(nil), r.Figures...)
	clean.Bounds = append([]Bound(nil), r.Bounds...)
	for i := range clean.Figures {
		clean.Figures[i].Median = finite(clean.Figures[i].Median)
		clean.Figures[i].Rounds = append(Sample(nil), clean.Figures[i].Rounds...)
		for j, x := range clean.Figures[i].Rounds {
			clean.Figures[i].Rounds[j] = finite(x)
		}
	}
	for i := range clean.Bounds {
		clean.Bounds[i].Value = finite(clean.Bounds[i].Value)
	}
	text, err := json.MarshalIndent(clean, "", "  ")
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// finite replaces what JSON cannot say by -1, which no figure here can be.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return -1
	}
	return x
}

// load is the machine's load averages, "?" where it does not tell.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 3 {
		return "?"
	}
	return strings.Join(fields[:3], " ")
}
