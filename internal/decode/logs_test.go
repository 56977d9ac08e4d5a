package decode

import (
	"slices"
	"strings"
	"testing"
)

// found is what a log should give: the lines of the program's events, and how
// the log ended.
type found struct {
	state LogState
	at    []int
	kinds []Kind // KindVoided for all if nil
}

func check(t *testing.T, got Log, want found) {
	t.Helper()
	var at []int
	var kinds []Kind
	for i, e := range got.Events {
		at = append(at, e.Line)
		kinds = append(kinds, e.Kind)
		if e.Ordinal != uint32(i) {
			t.Errorf("event %d has ordinal %d", i, e.Ordinal)
		}
	}
	if want.kinds == nil {
		want.kinds = slices.Repeat([]Kind{KindVoided}, len(want.at))
	}
	if got.State != want.state {
		t.Errorf("state %v (%s), want %v", got.State, got.Problem, want.state)
	}
	if (got.Problem != "") != (got.State == LogUnattributable) {
		t.Errorf("state %v with problem %q", got.State, got.Problem)
	}
	if !slices.Equal(at, want.at) || !slices.Equal(kinds, want.kinds) {
		t.Errorf("events at lines %v of kinds %v, want %v of %v", at, kinds, want.at, want.kinds)
	}
}

func TestLogsAttribution(t *testing.T) {
	E := strings.TrimPrefix(lines("E")[0], " ")
	tests := []struct {
		name string
		log  []string
		want found
	}{
		{"foreign data", lines("Program A invoke [1]", "Program data: E", "Program A success"), found{}},
		{
			"data before, in and after a call of another program",
			lines("Program P invoke [1]", "Program A invoke [2]", "Program data: E", "Program A success", "Program data: E", "Program P success"),
			found{at: []int{4}},
		},
		{
			"called by another program",
			lines("Program A invoke [1]", "Program P invoke [2]", "Program data: E", "Program P success", "Program data: E", "Program A success"),
			found{at: []int{2}},
		},
		{
			"calls itself",
			lines("Program P invoke [1]", "Program data: E", "Program P invoke [2]", "Program data: E", "Program P success", "Program data: E", "Program P success"),
			found{at: []int{1, 3, 5}},
		},
		{
			"third top-level instruction",
			lines("Program B invoke [1]", "Program B success", "Program B invoke [1]", "Program B success", "Program P invoke [1]", "Program data: E", "Program P success"),
			found{at: []int{5}},
		},
		{
			"text that looks like structure",
			lines("Program P invoke [1]", "Program log: invoke [3]", "Program log: transfer failed", "Program log: Program A success",
				"Program log: Program A invoke [2]", "Program log: x invoke [1]", "Program data: E", "Program P success"),
			found{at: []int{6}},
		},
		{
			"return data that contains success",
			lines("Program P invoke [1]", "Program return: P success", "Program return: P c3VjY2Vzcw==", "Program data: E", "Program P success"),
			found{at: []int{3}},
		},
		{"event as text", lines("Program P invoke [1]", "Program log: E", "Program P success"), found{}},
		{
			"control characters in a log string",
			append(lines("Program P invoke [1]"), "Program log: a\x00b\nProgram "+program+" success", "Program log: x\nProgram data: "+E,
				"Program data: "+E, "Program "+program+" success"),
			found{at: []int{3}},
		},
		{
			"structure followed by a line break is no structure",
			append(lines("Program A invoke [1]"), "Program "+program+" invoke [2]\n", "Program data: "+E, "Program "+attacker+" success"),
			found{},
		},
		{
			"an end followed by a line break leaves the call running",
			append(lines("Program P invoke [1]"), "Program "+program+" success\nfoo", "Program data: "+E),
			found{state: LogUnattributable, at: []int{2}},
		},
		{
			"a failure with a line break leaves the call running",
			append(lines("Program P invoke [1]"), "Program "+program+" failed: x\nfoo"),
			found{state: LogUnattributable},
		},
		{
			"a failed inner call",
			lines("Program A invoke [1]", "Program P invoke [2]", "Program data: E", "Program P failed: custom program error: 0x1770",
				"Program data: E", "Program A failed: custom program error: 0x1770"),
			found{at: []int{2}},
		},
		{
			"lines of loaders and old runtimes",
			lines("Upgraded program A", "Program P invoke [1]", "Program P consumed 5 of 200000 compute units", "Program failed to complete: x",
				"Program log:", "Program data:", "Program", "", "Program ", "Program P log: hi", "Program data: E", "Program P success"),
			found{at: []int{10}},
		},
		{"marker as text", lines("Program P invoke [1]", "Program log: Log truncated", "Program data: E", "Program P success"), found{at: []int{2}}},
		{"marker that is not whole", lines("Program P invoke [1]", "Log truncated ", "Program data: E", "Program P success"), found{at: []int{2}}},
		{"truncated", lines("Program P invoke [1]", "Program data: E", "Log truncated"), found{state: LogTruncated, at: []int{1}}},
		{
			"data after the marker",
			lines("Program P invoke [1]", "Program data: E", "Log truncated", "Program data: E", "Program P success"),
			found{state: LogTruncated, at: []int{1}},
		},
		{"nothing", nil, found{}},
		{"another program only", lines("Program S invoke [1]", "Program S success"), found{}},
		{
			"a program whose address begins with ours",
			append(lines("Program A invoke [1]"), "Program "+program[:43]+" invoke [2]", "Program data: "+E, "Program "+program[:43]+" success", "Program "+attacker+" success"),
			found{},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			check(t, builtin(program).Logs(0, test.log, false), test.want)
		})
	}
}

func TestLogsThatDoNotAddUp(t *testing.T) {
	tests := []struct {
		name string
		log  []string
		at   []int
	}{
		{"depth skips one", lines("Program P invoke [2]", "Program data: E", "Program P success"), nil},
		{"depth of a new instruction inside a call", lines("Program A invoke [1]", "Program P invoke [1]", "Program data: E", "Program P success"), nil},
		{"depth that does not grow", lines("Program P invoke [1]", "Program data: E", "Program A invoke [1]", "Program data: E"), []int{1}},
		{"depth of many digits", lines("Program P invoke [1]", "Program A invoke [99999999999999999999999999]"), nil},
		{"end of nothing", lines("Program P success", "Program P invoke [1]", "Program data: E", "Program P success"), nil},
		{"end of another", lines("Program P invoke [1]", "Program data: E", "Program A success", "Program data: E", "Program P success"), []int{1}},
		{"failure of another", lines("Program P invoke [1]", "Program data: E", "Program A failed: x", "Program data: E", "Program P success"), []int{1}},
		{"no end", lines("Program P invoke [1]", "Program data: E"), []int{1}},
		{"no end of the caller", lines("Program A invoke [1]", "Program P invoke [2]", "Program data: E", "Program P success"), []int{2}},
		{"data outside", lines("Program P invoke [1]", "Program P success", "Program data: E", "Program P invoke [1]", "Program data: E", "Program P success"), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			check(t, builtin(program).Logs(0, test.log, false), found{state: LogUnattributable, at: test.at})
		})
	}
}

func TestLogsFaultBeforeTruncation(t *testing.T) {
	log := builtin(program).Logs(0, lines("Program P invoke [2]", "Log truncated"), false)
	check(t, log, found{state: LogUnattributable})
	log = builtin(program).Logs(0, lines("Program P invoke [1]", "Log truncated", "Program A success"), false)
	check(t, log, found{state: LogTruncated})
}

func TestLogsMissing(t *testing.T) {
	check(t, builtin(program).Logs(0, nil, true), found{state: LogMissing})
	check(t, builtin(program).Logs(0, lines("Program P invoke [1]", "Program data: E", "Program P success"), true), found{state: LogMissing})
}

func TestLogsOddData(t *testing.T) {
	E := lines("E")[0]
	log := append(lines("Program P invoke [1]"),
		"Program data: "+E+" "+E,            // several slices
		"Program data: ",                    // none
		"Program data: "+E+" ",              // the second empty
		"Program data:  "+E,                 // the first empty
		"Program data: !!!",                 // no base64
		"Program data: "+E[:40]+"\n"+E[40:], // skipped by a lenient decoder
		"Program data: "+E+"\r\n",           // likewise
		"Program data: AQ",                  // no padding
		"Program data: AR==",                // spare bits set
		"Program data: AQ==",                // too short for a discriminator
		"Program data: AQIDBAUGBwg=",        // another discriminator
		dataLine(sampleVoid()[:100]),        // cut
		dataLine(append(sampleVoid(), 0)),   // longer
		"Program data: "+E,                  // right
		"Program "+program+" success",
	)
	got := builtin(program).Logs(0, log, false)
	M, U := KindMalformed, KindUnknown
	check(t, got, found{
		at:    []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14},
		kinds: []Kind{M, M, M, M, M, M, M, M, M, U, U, M, M, KindVoided},
	})
	if got.Unknown != 2 || got.Malformed != 11 || got.Invocations != 1 {
		t.Errorf("counted %d unknown, %d malformed, %d invocations", got.Unknown, got.Malformed, got.Invocations)
	}
	if got, want := got.Events[0].Problem, "2 slices: want 1"; got != want {
		t.Errorf("problem %q, want %q", got, want)
	}
	for _, e := range got.Events {
		if (e.Problem == "") != (e.Kind == KindVoided) {
			t.Errorf("line %d: kind %v with problem %q", e.Line, e.Kind, e.Problem)
		}
		// What is stored may be read again: it must not turn into an event.
		if again := Parse(e.Data); again.Kind != e.Kind && (e.Kind != M || again.Kind != U) {
			t.Errorf("line %d: %v is read again as %v", e.Line, e.Kind, again.Kind)
		}
	}
}

func TestLogsCountsInvocationsAtAnyDepth(t *testing.T) {
	log := builtin(program).Logs(0, lines("Program P invoke [1]", "Program P success", "Program A invoke [1]", "Program P invoke [2]", "Program P success", "Program A success"), false)
	if log.Invocations != 2 {
		t.Errorf("%d invocations, want 2", log.Invocations)
	}
}

func TestLogsDeepStack(t *testing.T) {
	var log []string
	for depth := range 40 {
		log = append(log, "Program "+attacker+" invoke ["+itoa(depth+1)+"]")
	}
	log = append(log, lines("Program P invoke [41]", "Program data: E", "Program P success")...)
	for range 40 {
		log = append(log, "Program "+attacker+" success")
	}
	check(t, builtin(program).Logs(0, log, false), found{at: []int{41}})
}

func TestTwinEventsHaveTheirOwnOrdinals(t *testing.T) {
	log := builtin(program).Logs(0, lines("Program P invoke [1]", "Program data: E", "Program data: E", "Program P success"), false)
	check(t, log, found{at: []int{1, 2}})
	if log.Events[0].Key != log.Events[1].Key || log.Events[0].Ordinal == log.Events[1].Ordinal {
		t.Error("twins must differ by their ordinal alone")
	}
}
