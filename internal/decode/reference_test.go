package decode

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A slow second reading of the package comment, by regular expressions, that
// the decoder is held against.

var (
	invokePattern  = regexp.MustCompile(`\AProgram ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[([1-9][0-9]*)\]\z`)
	successPattern = regexp.MustCompile(`\AProgram ([1-9A-HJ-NP-Za-km-z]{32,44}) success\z`)
	failedPattern  = regexp.MustCompile(`\AProgram ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: [^\x00-\x1f\x7f]*\z`)
	dataPattern    = regexp.MustCompile(`(?s)\AProgram data: (.*)\z`)
	slicePattern   = regexp.MustCompile(`\A[A-Za-z0-9+/]+={0,2}\z`)
)

// A dataAt is a data line of the program: what follows its prefix, and where.
type dataAt struct {
	line int
	text string
}

// attribute finds the data lines of a program. readOn is the fault that the
// truncation tests look for: to go on after the marker.
func attribute(program string, log []string, readOn bool) (LogState, []dataAt) {
	var stack []string
	var found []dataAt
	for i, text := range log {
		if text == "Log truncated" && !readOn {
			return LogTruncated, found
		}
		if m := dataPattern.FindStringSubmatch(text); m != nil {
			if len(stack) == 0 {
				return LogUnattributable, found
			}
			if stack[len(stack)-1] == program {
				found = append(found, dataAt{i, m[1]})
			}
		} else if m := invokePattern.FindStringSubmatch(text); m != nil {
			stack = append(stack, m[1])
			if m[2] != strconv.Itoa(len(stack)) {
				return LogUnattributable, found
			}
		} else if m := successPattern.FindStringSubmatch(text); m != nil {
			if len(stack) == 0 || stack[len(stack)-1] != m[1] {
				return LogUnattributable, found
			}
			stack = stack[:len(stack)-1]
		} else if m := failedPattern.FindStringSubmatch(text); m != nil {
			if len(stack) == 0 || stack[len(stack)-1] != m[1] {
				return LogUnattributable, found
			}
			stack = stack[:len(stack)-1]
		}
	}
	if len(stack) != 0 {
		return LogUnattributable, found
	}
	return LogComplete, found
}

// compare holds a decoded log against the second reading.
func compare(t *testing.T, program string, log []string) Log {
	t.Helper()
	got := New(program).Logs(log, false)
	state, want := attribute(program, log, false)
	if got.State != state {
		t.Fatalf("state %v (%s), want %v\n%q", got.State, got.Problem, state, log)
	}
	if len(got.Events) != len(want) {
		t.Fatalf("%d events, want %d\n%q", len(got.Events), len(want), log)
	}
	var unknown, malformed int
	for i, e := range got.Events {
		if e.Line != want[i].line || e.Ordinal != uint32(i) {
			t.Fatalf("event %d is at line %d with ordinal %d, want line %d\n%q", i, e.Line, e.Ordinal, want[i].line, log)
		}
		compareEvent(t, e, want[i].text)
		switch e.Kind {
		case KindUnknown:
			unknown++
		case KindMalformed:
			malformed++
		}
	}
	if got.Unknown != unknown || got.Malformed != malformed {
		t.Fatalf("counted %d unknown, %d malformed, want %d, %d", got.Unknown, got.Malformed, unknown, malformed)
	}
	return got
}

func compareEvent(t *testing.T, e Event, text string) {
	t.Helper()
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || !slicePattern.MatchString(text) {
		if e.Kind != KindMalformed || string(e.Data) != text {
			t.Fatalf("%q is read as %v with data %q", text, e.Kind, e.Data)
		}
		return
	}
	if !bytes.Equal(e.Data, raw) {
		t.Fatalf("%q is read as %x", text, e.Data)
	}
	checkEvent(t, e)
}

// checkEvent asks that an event of slice Data is what its encoding says, by
// encoding it again.
func checkEvent(t *testing.T, e Event) {
	t.Helper()
	var again []byte
	switch e.Kind {
	case KindStarted:
		again = encodeStarted(e.Key, *e.Started)
	case KindSettled:
		again = encodeSettled(e.Key, *e.Settled)
	case KindVoided:
		again = encodeVoided(e.Key, *e.Voided)
	case KindUnknown, KindMalformed:
		if e.Problem == "" || e.Started != nil || e.Settled != nil || e.Voided != nil {
			t.Fatalf("an unreadable event: %+v", e)
		}
		ours := false
		for _, name := range []string{"MinesGameStarted", "MinesGameSettled", "MinesGameVoided"} {
			ours = ours || bytes.HasPrefix(e.Data, encode(name))
		}
		if malformed := ours || len(e.Data) == 0; malformed != (e.Kind == KindMalformed) {
			t.Fatalf("kind %v of %x", e.Kind, e.Data)
		}
		return
	default:
		t.Fatalf("kind %v", e.Kind)
	}
	if !bytes.Equal(again, e.Data) {
		t.Fatalf("%x is read as %+v", e.Data, e)
	}
	values := 0
	for _, set := range []bool{e.Started != nil, e.Settled != nil, e.Voided != nil} {
		if set {
			values++
		}
	}
	if values != 1 || e.Problem != "" {
		t.Fatalf("%d values, problem %q", values, e.Problem)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte{})
	f.Add(sampleVoid())
	f.Add(encodeStarted(sampleKey(), Started{MinesCount: 3}))
	f.Add(encodeSettled(sampleKey(), Settled{MinesMask: 7}))
	f.Add(encodeSettled(sampleKey(), Settled{HasBust: true, BustTile: 24}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e := Parse(raw)
		if !bytes.Equal(e.Data, raw) {
			t.Fatalf("data %x of %x", e.Data, raw)
		}
		checkEvent(t, e)
	})
}

// FuzzLogs cuts its input into elements at 0x01, which leaves newlines and NULs
// to stand within them.
func FuzzLogs(f *testing.F) {
	for _, log := range [][]string{
		lines("Program P invoke [1]", "Program data: E", "Program P success"),
		lines("Program A invoke [1]", "Program P invoke [2]", "Program data: E", "Program P failed: x", "Program data: E", "Program A success"),
		lines("Program S invoke [1]", "Program S success", "Program P invoke [1]", "Log truncated", "Program data: E"),
		lines("Program P invoke [1]", "Program log: a\x00\nProgram P success", "Program return: P E", "Program P consumed 1 of 2 compute units", "Program data: E E", "Program P success"),
	} {
		f.Add(strings.Join(log, "\x01"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		log := strings.Split(text, "\x01")
		compare(t, program, log)
		compare(t, attacker, log)
	})
}
