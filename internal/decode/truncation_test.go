package decode

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// collect keeps lines as a node does: one that would reach the limit is dropped
// and noted once, a later one that still fits is kept.
func collect(log []string, limit int) []string {
	var kept []string
	written, noted := 0, false
	for _, line := range log {
		if written+len(line) >= limit {
			if !noted {
				kept = append(kept, truncationMarker)
				noted = true
			}
			continue
		}
		written += len(line)
		kept = append(kept, line)
	}
	return kept
}

// Payloads begin with a mark of whose they are.
var realMark, forgedMark = []byte("ours"), []byte("fake")

// A layout is a random transaction of the program and an attacker, who pads the
// log to push structure over the limit.
func layout(r *rand.Rand) []string {
	var log []string
	payload := func(mark []byte) string {
		raw := append(bytes.Clone(mark), make([]byte, r.IntN(40))...)
		if r.IntN(8) == 0 {
			raw = append(raw, sampleVoid()...)
		}
		return dataLine(raw)
	}
	frame := func(id string, depth int, body func()) {
		log = append(log, "Program "+id+" invoke ["+itoa(depth)+"]")
		body()
		if r.IntN(2) == 0 {
			log = append(log, "Program "+id+" consumed 12345 of 200000 compute units")
		}
		log = append(log, "Program "+id+" success")
	}
	attack := func(depth int) {
		frame(attacker, depth, func() {
			for range 1 + r.IntN(4) {
				log = append(log, payload(forgedMark))
			}
		})
	}
	frame(attacker, 1, func() {
		left := 8400 + r.IntN(1600)
		for left > 0 && r.IntN(30) > 0 {
			n := min(left, 1+r.IntN(2000))
			log = append(log, "Program log: "+strings.Repeat("x", n))
			left -= n + len("Program log: ")
		}
		if left > 0 {
			log = append(log, "Program log: "+strings.Repeat("x", left))
		}
	})
	for range 1 + r.IntN(3) {
		frame(program, 1, func() {
			for range r.IntN(3) {
				log = append(log, payload(realMark))
				if r.IntN(3) == 0 {
					attack(2)
				}
			}
		})
		if r.IntN(2) == 0 {
			attack(1)
		}
	}
	attack(1)
	return log
}

func TestTruncatedLogs(t *testing.T) {
	const layouts = 20_000
	r := rand.New(rand.NewPCG(1, 2))
	var truncations, real, fooled int
	for range layouts {
		log := collect(layout(r), 10_000)
		got := compare(t, program, log)

		want := LogComplete
		if slices.Contains(log, truncationMarker) {
			want = LogTruncated
			truncations++
		}
		if got.State != want {
			t.Fatalf("state %v (%s), want %v\n%q", got.State, got.Problem, want, log)
		}
		for _, e := range got.Events {
			if !bytes.HasPrefix(e.Data, realMark) {
				t.Fatalf("line %d is not the program's\n%q", e.Line, log)
			}
		}
		if n := ours(log); len(got.Events) != n {
			t.Fatalf("%d events before the marker, want %d\n%q", len(got.Events), n, log)
		}
		real += len(got.Events)

		// The control: how often would reading on have taken a forged event?
		_, all := attribute(program, log, true)
		for _, at := range all {
			if raw, err := base64.StdEncoding.DecodeString(at.text); err == nil && bytes.HasPrefix(raw, forgedMark) {
				fooled++
				break
			}
		}
	}
	t.Logf("%d layouts, %d truncated, %d events taken; reading on after the marker is fooled by %d", layouts, truncations, real, fooled)
	if truncations < layouts/4 || truncations > layouts*19/20 || real == 0 || fooled == 0 {
		t.Errorf("the layouts do not attack: %d truncated, %d events, %d would fool", truncations, real, fooled)
	}
}

// ours counts the marked data lines before the marker, whoever runs.
func ours(log []string) int {
	n := 0
	for _, line := range log {
		if line == truncationMarker {
			return n
		}
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(line, "Program data: "))
		if err == nil && bytes.HasPrefix(raw, realMark) {
			n++
		}
	}
	return n
}

// Every padding of the known attack: a short foreign event after the marker,
// where the end of the program's instruction is gone.
func TestTruncationForgery(t *testing.T) {
	fooled := 0
	for padding := 9000; padding < 10_000; padding++ {
		log := collect([]string{
			"Program " + attacker + " invoke [1]", "Program log: " + strings.Repeat("x", padding), "Program " + attacker + " success",
			"Program " + program + " invoke [1]", "Program " + program + " success",
			"Program " + attacker + " invoke [1]", dataLine(make([]byte, 20)), "Program " + attacker + " success",
		}, 10_000)
		if got := compare(t, program, log); len(got.Events) != 0 {
			t.Fatalf("padding %d: %d events", padding, len(got.Events))
		}
		if _, all := attribute(program, log, true); len(all) > 0 {
			fooled++
		}
	}
	if fooled == 0 {
		t.Error("no padding would fool a decoder that reads on")
	}
}
