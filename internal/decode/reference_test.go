package decode

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
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
	got := builtin(program).Logs(0, log, false)
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

// fragments are what logs are made of. Short names let random bytes and fuzzed
// ones form structure often; newlines and NULs may stand anywhere.
var fragments = strings.NewReplacer(
	"P", "Program "+program, "A", "Program "+attacker, "E", base64.StdEncoding.EncodeToString(sampleVoid()),
	"1", " invoke [1]", "2", " invoke [2]", "3", " invoke [3]", "s", " success", "f", " failed: x",
	"d", "Program data: ", "l", "Program log: ", "T", "Log truncated", "|", "\x01",
)

// expand makes a log of fragments by their short names, elements apart by |.
func expand(text string) []string { return strings.Split(fragments.Replace(text), "\x01") }

func FuzzLogs(f *testing.F) {
	for _, text := range []string{
		"P1|dE|Ps", "A1|P2|dE|Pf|dE|As", "A1|As|P1|dE|T|dE", "P1|lPs|l\x00\nPs|dE E|Ps", "P1|A2|P3|dE|Ps|dE|As|Ps|dE", "P1|Ps\n|d|d!|dAQ==|Ps",
		"\x01Program " + system + " invoke [1]\x01dE\x01Program " + system + " success",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		log := expand(text)
		compare(t, program, log)
		compare(t, attacker, log)
	})
}

func TestRandomLogs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pick := func(s string) string { return string(s[r.IntN(len(s))]) }
	noise := strings.Split("d dAQ== T lPs Ps! P1\n P1 P2 As Pf", " ")
	seen := map[LogState]int{}
	events := 0
	for range 30_000 {
		// Mostly structure that adds up, seldom what does not.
		var text []string
		stack := ""
		for range r.IntN(12) {
			switch n := r.IntN(16); {
			case n == 0:
				text = append(text, noise[r.IntN(len(noise))])
			case n < 6 && len(stack) < 3:
				stack += pick("PA")
				text = append(text, stack[len(stack)-1:]+strconv.Itoa(len(stack)))
			case n < 10 && stack != "":
				text = append(text, stack[len(stack)-1:]+pick("sf"))
				stack = stack[:len(stack)-1]
			case stack != "":
				text = append(text, "dE")
			}
		}
		for ; stack != ""; stack = stack[:len(stack)-1] {
			text = append(text, stack[len(stack)-1:]+"s")
		}
		log := expand(strings.Join(text, "|"))
		got := compare(t, program, log)
		seen[got.State]++
		if got.State == LogComplete {
			events += len(got.Events)
		}
	}
	t.Logf("states %v, %d events in complete logs", seen, events)
	if seen[LogComplete] < 500 || seen[LogTruncated] < 500 || seen[LogUnattributable] < 500 || events < 500 {
		t.Error("the logs are too poor to tell anything")
	}
}
