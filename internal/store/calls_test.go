package store

import (
	"testing"
	"time"
)

// A queue that is empty lets calls go at once; one that others have filled does not,
// and an hour's pause is an hour for all.
func TestCallsQueueByNode(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	reserve := func(node string, n int, perSecond float64) time.Duration {
		wait, err := r.ReserveCalls(bounded(t), node, n, perSecond)
		if err != nil {
			t.Fatal(err)
		}
		return wait
	}
	if wait := reserve("a", 36, 0.01); wait != 0 {
		t.Errorf("an empty queue keeps a call waiting for %v", wait)
	}
	if wait := reserve("a", 1, 0.01); wait > time.Hour || wait < time.Hour-time.Minute*2 {
		t.Errorf("after an hour's calls the next one waits for %v", wait)
	}
	if wait := reserve("b", 1, 1); wait != 0 {
		t.Errorf("another node's call waits for %v", wait)
	}
	for _, pause := range []time.Duration{3 * time.Hour, time.Minute} { // the shorter one ends within the longer
		if err := r.HoldCalls(bounded(t), "b", pause); err != nil {
			t.Fatal(err)
		}
	}
	if wait := reserve("b", 1, 1); wait > 3*time.Hour || wait < 3*time.Hour-2*time.Minute {
		t.Errorf("after a pause of three hours a call waits for %v", wait)
	}
}

func TestUncoveredIsWhatNoCompleteRangeHas(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	r.commit(t, &Batch{Covers: []Covered{
		{From: 10, To: 19, Source: SourceBackfill}, {From: 30, To: 39, Source: SourceBackfill}, {From: 20, To: 24, Source: SourceBackfill, Reason: "withheld"},
	}})
	for _, c := range []struct {
		of   Span
		want []Span
	}{
		{Span{0, 50}, []Span{{40, 50}, {20, 29}, {0, 9}}},
		{Span{12, 35}, []Span{{20, 29}}},
		{Span{10, 19}, nil},
		{Span{19, 20}, []Span{{20, 20}}},
	} {
		got, err := r.Uncovered(bounded(t), c.of)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(c.want) {
			t.Errorf("of %v: %v, want %v", c.of, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("of %v: %v, want %v", c.of, got, c.want)
			}
		}
	}
}
