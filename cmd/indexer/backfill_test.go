package main

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"minesaudit/internal/backfill"
	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/store"
)

func TestABackfillTellsWhatItTakes(t *testing.T) {
	t.Parallel()
	b := backfilled{From: 5, To: 90}
	for _, n := range []int{1000, 998, 2} {
		b.add(backfill.Page{Count: n})
	}
	b.reckon(4)
	if b.Calls != 2003 || b.Seconds != 500.75 {
		t.Errorf("%d calls in %v seconds", b.Calls, b.Seconds)
	}
	text := b.text(true, false)
	for _, want := range []string{"slots 5 to 90", "2000 signatures in 3 pages", "2003 calls at most", "8m21s at 4 calls a second"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	b.reckon(0)
	if text := b.text(true, false); !strings.Contains(text, "--rpc-rate") {
		t.Errorf("without a rate: %q", text)
	}
}

// What could not be had is told with the reason, and in the exit code.
func TestABackfillTellsWhatItLacks(t *testing.T) {
	t.Parallel()
	b := backfilled{From: 0, To: 90}
	b.lack([]store.Span{{From: 60, To: 70}, {From: 0, To: 9}}, []store.Covered{
		{From: 0, To: 9, Reason: "pruned"}, {From: 10, To: 59}, {From: 71, To: 90},
	})
	for _, asJSON := range []bool{false, true} {
		var out bytes.Buffer
		err := b.show(&streams{Out: &out}, asJSON, false, false)
		if coded := (*exitError)(nil); !errors.As(err, &coded) || coded.code != exitInconclusive || coded.err != nil {
			t.Errorf("%v, want exit code %d", err, exitInconclusive)
		}
		for _, want := range []string{"pruned", "it was not asked for", "60", "70"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is not in %s", want, out.String())
			}
		}
	}
	whole := backfilled{From: 0, To: 90, Pages: 1, Signatures: 3}
	var out bytes.Buffer
	if err := whole.show(&streams{Out: &out}, false, false, false); err != nil || !strings.Contains(out.String(), "complete; 3 signatures") {
		t.Errorf("%v: %s", err, out.String())
	}
}

func TestABackfillEndsAtTheFrontier(t *testing.T) {
	t.Parallel()
	watch := store.Watch{Frontier: 100}
	for _, c := range []struct {
		cmd  backfillCmd
		want store.Span
		ok   bool
	}{
		{backfillCmd{All: true, FromSlot: -1, ToSlot: -1}, store.Span{From: 0, To: 100}, true},
		{backfillCmd{FromSlot: 7, ToSlot: 50}, store.Span{From: 7, To: 50}, true},
		{backfillCmd{FromSlot: 7, ToSlot: 500}, store.Span{From: 7, To: 100}, true},
		{backfillCmd{FromSlot: 100, ToSlot: -1}, store.Span{From: 100, To: 100}, true},
		{backfillCmd{FromSlot: 101, ToSlot: -1}, store.Span{}, false},
		{backfillCmd{FromSlot: 60, ToSlot: 50}, store.Span{}, false},
	} {
		got, err := c.cmd.span(watch)
		if (err == nil) != c.ok || c.ok && got != c.want || err != nil && !isUsageCode(err) {
			t.Errorf("from %d to %d: %v, %v", c.cmd.FromSlot, c.cmd.ToSlot, got, err)
		}
	}
}

// What cannot be meant is told before anything is connected to.
func TestSlotsOfABackfillInTheWrongOrder(t *testing.T) {
	withoutEnv(t)
	code, _, stderr := indexer("backfill", "--from-slot", "250000010", "--to-slot", "250000005", "--rpc-url", "http://127.0.0.1:1", "--database-url", "postgres://127.0.0.1:1/x")
	if code != exitUsage || !strings.Contains(stderr, "--to-slot 250000005 lies below --from-slot 250000010") {
		t.Errorf("exit %d\n%s", code, stderr)
	}
}

// Ended while it plans, it says what it says later.
func TestABackfillThatIsEndedWhilePlanning(t *testing.T) {
	withoutEnv(t)
	n := newPagedNode(t)
	dsn := pgtest.URL(t)
	n.later(t, dsn).stop(t)
	const goesOn = "stopped; the same command goes on from here: "
	for flag, says := range map[string]string{"--all": goesOn, "--enqueue-only": goesOn, "--dry-run": "stopped before all was listed: "} {
		n.silent = make(chan struct{})
		n.stop.Store(n.pages.Load() + 1)
		c := spawn(t, "indexer", nil, slices.Compact([]string{"backfill", "--all", flag, "--rpc-url", n.url, "--database-url", dsn})...)
		select {
		case <-n.silent:
		case <-time.After(patience):
			t.Fatal(c.text())
		}
		code := c.stop(t)
		if code != exitUnavailable || !strings.Contains(c.text(), says) || strings.Contains(c.text(), "list signatures") {
			t.Errorf("%s: exit %d\n%s", flag, code, c.text())
		}
	}
}

func isUsageCode(err error) bool {
	coded := (*exitError)(nil)
	return errors.As(err, &coded) && coded.code == exitUsage
}
