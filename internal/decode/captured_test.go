package decode

import (
	"encoding/json"
	"math/bits"
	"os"
	"testing"
)

// The programs of testdata/captured.json, logs that a local node gave: two
// emitters, which log any bytes they are told, and a Mines program.
const (
	emitterA = "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu"
	emitterB = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse"
	mines    = program
)

func captured(t *testing.T) map[string][]string {
	t.Helper()
	raw, err := os.ReadFile("testdata/captured.json")
	if err != nil {
		t.Fatal(err)
	}
	var logs map[string][]string
	if err := json.Unmarshal(raw, &logs); err != nil {
		t.Fatalf("captured.json: %v", err)
	}
	return logs
}

func TestCapturedLogs(t *testing.T) {
	U, M := KindUnknown, KindMalformed
	tests := []struct {
		name, program string
		want          found
	}{
		{"ok-v0", emitterA, found{at: []int{1}, kinds: []Kind{U}}},
		{"two-events", emitterA, found{at: []int{1, 3}, kinds: []Kind{U, U}}},
		{"two-events", emitterB, found{at: []int{7}, kinds: []Kind{U}}},
		{"multi-field", emitterA, found{at: []int{1}, kinds: []Kind{M}}},
		{"cpi-B-into-A", emitterA, found{at: []int{2}, kinds: []Kind{U}}},
		{"cpi-B-into-A", emitterB, found{}},
		{"cpi-then-own-event", emitterA, found{at: []int{2}, kinds: []Kind{U}}},
		{"cpi-then-own-event", emitterB, found{at: []int{5}, kinds: []Kind{U}}},
		{"cpi-failed-inner", emitterA, found{at: []int{2}, kinds: []Kind{U}}},
		{"cpi-failed-inner", emitterB, found{}},
		{"emit-cpi", emitterA, found{}},
		{"fail-after-event", emitterA, found{at: []int{1}, kinds: []Kind{U}}},
		{"fail-plain", emitterA, found{}},
		{"fail-second-ix", emitterA, found{at: []int{1}, kinds: []Kind{U}}},
		{"mention-only", emitterA, found{}},
		{"out-of-compute", emitterA, found{at: []int{3}, kinds: []Kind{U}}},
		{"return-data", emitterA, found{}},
		{"spoof-newline", emitterA, found{}},
		{"spoof-newline", emitterB, found{}},
		{"truncated", emitterA, found{state: LogTruncated}},
		{"truncated-midway", emitterA, found{state: LogTruncated, at: []int{3}, kinds: []Kind{U}}},
		{"truncated-midway", emitterB, found{state: LogTruncated}},
		{"mines start", mines, found{at: []int{3}, kinds: []Kind{KindStarted}}},
		{"mines settle-won", mines, found{at: []int{1}, kinds: []Kind{KindSettled}}},
		{"mines settle-lost", mines, found{at: []int{1}, kinds: []Kind{KindSettled}}},
		{"mines settle-cleared", mines, found{at: []int{1}, kinds: []Kind{KindSettled}}},
		{"mines settle-untouched", mines, found{at: []int{1}, kinds: []Kind{KindSettled}}},
		{"mines void-by-operator", mines, found{at: []int{1}, kinds: []Kind{KindVoided}}},
		{"mines fail-settle-out-of-compute", mines, found{}},
		{"mines fail-settle-wrong-seed", mines, found{}},
		{"mines fail-void-too-early", mines, found{}},
		{"cloned start", mines, found{at: []int{1}, kinds: []Kind{KindStarted}}},
		{"cloned settle-won", mines, found{at: []int{1}, kinds: []Kind{KindSettled}}},
	}
	logs := captured(t)
	tested := map[string]bool{}
	for _, test := range tests {
		t.Run(test.name+" "+test.program[:4], func(t *testing.T) {
			log, ok := logs[test.name]
			if !ok {
				t.Fatal("not in captured.json")
			}
			tested[test.name] = true
			check(t, compare(t, test.program, log), test.want)
		})
	}
	for name := range logs {
		if !tested[name] {
			t.Errorf("captured log %q is not tested", name)
		}
	}
}

// What the Mines program logged makes sense when read, so that no field is read
// in another's place.
func TestCapturedValues(t *testing.T) {
	logs := captured(t)
	one := func(name string) Event {
		got := builtin(mines).Logs(0, logs[name], false)
		if len(got.Events) != 1 {
			t.Fatalf("%s: %d events", name, len(got.Events))
		}
		return got.Events[0]
	}
	start := one("mines start").Started
	if start.MinesCount < 1 || start.MinesCount > 24 || start.HouseEdge > 10_000 || start.RefundTimeout != 3600 || start.StartedAt>>31 != 0 || start.StartedAt < 1_700_000_000 {
		t.Errorf("start %+v", start)
	}
	for name, lost := range map[string]bool{
		"mines settle-won": false, "mines settle-lost": true, "mines settle-cleared": false, "mines settle-untouched": false, "cloned settle-won": false,
	} {
		s := one(name).Settled
		clash := s.MinesMask&s.RevealedMask != 0 || (s.MinesMask|s.RevealedMask)>>25 != 0
		if clash || s.HasBust != lost || lost != (s.Multiplier == 0) || s.HasBust && s.MinesMask>>s.BustTile&1 == 0 {
			t.Errorf("%s: %+v", name, s)
		}
		if k := bits.OnesCount32(s.RevealedMask); name == "mines settle-untouched" && k != 0 || name == "mines settle-cleared" && k+bits.OnesCount32(s.MinesMask) != 25 {
			t.Errorf("%s: %d tiles revealed", name, k)
		}
	}
}
