package inspect

import (
	"os"
	"path/filepath"
	"testing"
)

// What a person reads of one game of each kind, to the letter.
func TestText(t *testing.T) {
	for name, files := range map[string][]string{
		"won":     {"none-won-start", "none-won"},
		"lost":    {"none-lost-start", "none-lost"},
		"voided":  {"none-voided-start", "none-voided"},
		"rigged":  {"extra-mine-start", "extra-mine"},
		"running": {"none-won-start"},
		"orphan":  {"none-lost"},
		"failed":  {"failed"},
	} {
		t.Run(name, func(t *testing.T) {
			got := text(t, inspectFiles(t, minesProgram, captured(t, files...)...), TextOptions{Explain: true})
			path := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := string(read(t, name+".golden")); got != want {
				t.Errorf("the text is\n%s\nwant\n%s", got, want)
			}
		})
	}
}
