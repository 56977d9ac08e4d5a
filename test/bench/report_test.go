package bench

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReportJudgesBounds(t *testing.T) {
	var r Report
	r.AtLeast("met", 0.4, 0.4)
	r.AtLeast("too slow", 0.39, 0.4)
	r.AtLeast("not measured", math.NaN(), 0.4)
	r.AtMost("met too", 8, 8)
	r.AtMost("too long", 8.1, 8)
	r.AtMost("beyond the histogram", math.Inf(1), 8)
	r.AtMost("not measured either", math.NaN(), 8)
	var names []string
	for _, b := range r.Missed() {
		names = append(names, b.Name)
	}
	if got, want := strings.Join(names, ", "), "too slow, not measured, too long, beyond the histogram, not measured either"; got != want {
		t.Errorf("missed: %s; want %s", got, want)
	}
	var text strings.Builder
	r.Print(&text)
	if !strings.Contains(text.String(), "5 of 7 bounds MISSED") {
		t.Errorf("the report does not say so:\n%s", &text)
	}
}

func TestAllKeptIsNotLoud(t *testing.T) {
	var r Report
	r.AtMost("met", 1, 2)
	var text strings.Builder
	r.Print(&text)
	if strings.Contains(text.String(), "MISSED") {
		t.Errorf("nothing was missed:\n%s", &text)
	}
}

func TestReportIsJSONWhateverItHolds(t *testing.T) {
	var r Report
	r.Figure("none", "ms", math.NaN(), 1, math.Inf(1))
	r.AtMost("none", math.NaN(), 2)
	file := filepath.Join(t.TempDir(), "report.json")
	if err := r.WriteJSON(file); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if len(back.Figures) != 1 || back.Figures[0].Rounds[1] != 1 || back.Figures[0].Rounds[2] != -1 || back.Bounds[0].Kept {
		t.Errorf("it reads back as %+v", back)
	}
	if !math.IsNaN(r.Figures[0].Rounds[0]) {
		t.Error("writing changed the report")
	}
}
