package inspect

import (
	"bytes"
	"strings"
	"testing"
)

// What strangers wrote must not reach a terminal as it is: escape sequences
// could rewrite the verdict on the screen.
func TestHostileText(t *testing.T) {
	const attack = "\x1b[2J\x1b]0;title\a\rPASS\u202e\u009b31m\x00\n\xff"
	failed := captured(t, "none-won")[0]
	failed.Err = []byte(`{"x":"` + attack + `"}`)
	malformed := captured(t, "none-won")[0]
	malformed.Logs = []string{malformed.Logs[0], "Program data: " + attack, malformed.Logs[len(malformed.Logs)-1]}
	garbled := captured(t, "none-won")[0]
	garbled.Logs = []string{"Program data: AAAA", attack}
	loud := captured(t, "none-won")[0]
	loud.Logs = append([]string{loud.Logs[0], "Program log: " + attack, attack}, loud.Logs[1:]...)
	for name, r := range map[string]*Result{
		"error":     inspectFiles(t, minesProgram, failed),
		"malformed": inspectFiles(t, minesProgram, malformed),
		"garbled":   inspectFiles(t, minesProgram, garbled),
		"loud":      inspectFiles(t, minesProgram, loud),
	} {
		r.Profile = attack
		out := text(t, r, TextOptions{Explain: true})
		if !plain(out) {
			t.Errorf("%s: %q", name, out)
		}
		if strings.Contains(out, "\nPASS") {
			t.Errorf("%s says PASS:\n%s", name, out)
		}
		if r.Nothing == "" != (name == "loud") {
			t.Errorf("%s: %q", name, r.Nothing)
		}
		var b bytes.Buffer
		r.Profile = ""
		if err := r.WriteJSON(&b, true); err != nil || !plain(b.String()) {
			t.Errorf("%s: %q, %v", name, b.String(), err)
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		"plain ~ text \"'\\":       `plain ~ text "'\`,
		"a\nb\r\t\x00\x7f":         `a\u000ab\u000d\u0009\u0000\u007f`,
		"\x1b[31m":                 `\u001b[31m`,
		"\u009b\u202e\u00e9\ufffd": `\u009b\u202e\u00e9\ufffd`,
		"\U0001f4a3":               `\U0001f4a3`,
		"\xff\xfe":                 `\xff\xfe`,
		strings.Repeat("x", 1000):  strings.Repeat("x", 300) + "...",
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q is printed as %q, want %q", in, got, want)
		}
	}
}

func TestColours(t *testing.T) {
	for _, files := range [][]string{{"none-lost-start", "none-lost"}, {"extra-mine-start", "extra-mine"}, {"none-won"}} {
		r := inspectFiles(t, minesProgram, captured(t, files...)...)
		without, with := text(t, r, TextOptions{}), text(t, r, TextOptions{Colour: true})
		if strings.Contains(without, "\x1b") || !strings.Contains(with, "\x1b[") {
			t.Errorf("%v: colours are the wrong way round", files)
		}
		for _, code := range []string{red, green, yellow, bold, dim, bold + ";" + red, bold + ";" + green, bold + ";" + yellow, "0"} {
			with = strings.ReplaceAll(with, "\x1b["+code+"m", "")
		}
		if squeeze(with) != squeeze(without) { // lines may break elsewhere
			t.Errorf("%v: without its colours the text is\n%s\nwant\n%s", files, with, without)
		}
	}
}

func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }
