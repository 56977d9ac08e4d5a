package decode

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"testing"
)

func TestPayloads(t *testing.T) {
	log := lines("Program A invoke [1]", "Program data: E", "Program P invoke [2]", "Program log: E", "Program data: E",
		"Program P invoke [3]", "Program data: x y", "Program data: ", "Program P success", "Program data: E", "Program P success", "Program A success")
	E := sampleVoid()
	want := []Payload{
		{Source: SourceLog, Ordinal: 0, Line: 4, Depth: 2, Data: E},
		{Source: SourceLog, Ordinal: 1, Line: 6, Depth: 3, Problem: "2 slices: want 1", Text: "x y"},
		{Source: SourceLog, Ordinal: 2, Line: 7, Depth: 3, Problem: "no slice"},
		{Source: SourceLog, Ordinal: 3, Line: 9, Depth: 2, Data: E},
	}
	d := New(program)
	got := d.Payloads(log, false)
	checkPayloads(t, got, want)
	if got.Invocations != 2 || got.SelfCalls != 1 {
		t.Errorf("%d invocations, %d by itself", got.Invocations, got.SelfCalls)
	}
	message := Payload{Source: SourceMessage, Ordinal: 0, Line: 3, Depth: 2, Data: E}
	checkPayloads(t, d.WithMessages().Payloads(log, false), append([]Payload{message}, want...))
	checkPayloads(t, d.Payloads(log, false), want) // WithMessages makes another decoder
	if got := d.Payloads(log, true); got.State != LogMissing || got.List != nil {
		t.Errorf("a missing log: %+v", got)
	}
}

func checkPayloads(t *testing.T, got Payloads, want []Payload) {
	t.Helper()
	if got.State != LogComplete || len(got.List) != len(want) {
		t.Fatalf("%v with %d payloads, want %d", got.State, len(got.List), len(want))
	}
	for i, p := range got.List {
		w := want[i]
		if p.Source != w.Source || p.Ordinal != w.Ordinal || p.Line != w.Line || p.Depth != w.Depth || p.Problem != w.Problem ||
			!bytes.Equal(p.Data, w.Data) || w.Text != "" && p.Text != w.Text {
			t.Errorf("payload %d is %+v, want %+v", i, p, w)
		}
	}
}

// Text is taken for an event only if nothing in it speaks for a sentence.
func TestMessages(t *testing.T) {
	E := base64.StdEncoding.EncodeToString(sampleVoid())
	for text, taken := range map[string]bool{
		E: true, "AAAAAAAAAAA=": true, "AAAAAAAAAAAA": true, "abcdefgh": false, "transferring": true,
		"": false, "AAAAAAAAAAB=": false, "AAAAAAAAAA=A": false, "AAAAAAAAAA==\n": false, "\nAAAAAAAAAAA": false, "AAAAAAAA====": false, E + " ": false, " " + E: false,
		"Instruction: Deposit": false, E + E[:3]: false, strings.ReplaceAll(E, "A", "-"): false, "AAAAAAAAAAé=": false,
	} {
		log := []string{"Program " + program + " invoke [1]", "Program log: " + text, "Program " + program + " success"}
		got := New(program).WithMessages().Payloads(log, false)
		if len(got.List) == 1 != taken || taken && got.List[0].Source != SourceMessage {
			t.Errorf("%q: %+v, want it taken: %v", text, got.List, taken)
		}
	}
}

// Foreign lines may stand anywhere, in frames of their own: they never change
// what the program emitted.
func FuzzForeignLines(f *testing.F) {
	f.Add("P1|dE|Ps", "A1|dE|As", uint(1))
	f.Add("P1|dE|P2|dE|Ps|Ps", "A1|lPs|dE|A2|P3|Af|As", uint(2))
	f.Add("P1|lE|dx|Ps|P1|d|Ps", "S1|Ss|l\x00\nP1", uint(3))
	f.Fuzz(func(t *testing.T, ours, theirs string, at uint) {
		log, foreign := expand(ours), expand(theirs)
		d := New(program).WithMessages()
		want := d.Payloads(log, false)
		if want.State != LogComplete {
			return
		}
		at %= uint(len(log) + 1)
		mixed := slices.Concat(log[:at], frame(log[:at], foreign), log[at:])
		got := d.Payloads(mixed, false)
		if got.State != LogComplete || len(got.List) != len(want.List) {
			t.Fatalf("%v with %d payloads (%s), want %d\n%q", got.State, len(got.List), got.Problem, len(want.List), mixed)
		}
		for i := range got.List {
			g, w := got.List[i], want.List[i]
			if g.Ordinal != w.Ordinal || g.Depth != w.Depth || g.Source != w.Source || g.Text != w.Text || !bytes.Equal(g.Data, w.Data) {
				t.Fatalf("%+v, want %+v", g, w)
			}
		}
	})
}

// frame wraps what another program may write at that point of a log: any text,
// but as the runtime has it, behind a prefix.
func frame(before, texts []string) []string {
	depth := 0
	for _, text := range before {
		switch readLine(text, "").kind {
		case invoke:
			depth++
		case exit:
			depth--
		}
	}
	out := []string{"Program " + attacker + " invoke [" + itoa(depth+1) + "]"}
	for i, text := range texts {
		out = append(out, []string{"Program log: ", "Program data: ", "Program return: " + attacker + " "}[i%3]+text)
	}
	return append(out, "Program "+attacker+" success")
}
