package ingest

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"minesaudit/internal/simchain"
)

// faultLines plays one letter every five seconds, ! a failure and . a success,
// and writes F, M or - for the line that each was worth, with the failures
// told of.
func faultLines(script string) (lines string, notices []notice) {
	var f fault
	now := time.Unix(1_800_000_000, 0)
	for _, outcome := range script {
		var err error
		if outcome == '!' {
			err = errors.New("refused")
		}
		n := f.set(err, now)
		switch {
		case n.failing:
			lines += "F"
		case n.mended:
			lines += "M"
		default:
			lines += "-"
		}
		if n != (notice{}) {
			notices = append(notices, n)
		}
		now = now.Add(5 * time.Second)
	}
	return lines, notices
}

func TestAnOutageIsToldAtItsEndsAndOnceAMinute(t *testing.T) {
	lines, notices := faultLines("..!!!!!!!!!!!!!!!..")
	if want := "--F-----------F--M-"; lines != want[:len(lines)] {
		t.Errorf("%s, want %s", lines, want)
	}
	last := notices[len(notices)-1]
	if !last.mended || last.failures != 15 || last.lasted != 75*time.Second {
		t.Errorf("mended with %+v, want 15 failures in 75 s", last)
	}
	if again := notices[1]; again.failures != 13 || again.lasted != time.Minute {
		t.Errorf("after a minute: %+v, want 13 failures in 60 s", again)
	}
}

// However it flaps, there are two lines a minute, and no failure goes untold.
func TestFlappingIsSummarised(t *testing.T) {
	const rounds = 120 // a failure and a success at a time, for 20 minutes
	lines, notices := faultLines(strings.Repeat("!.", rounds) + strings.Repeat(".", 13))
	if len(notices) < 20 || len(notices) > 44 {
		t.Errorf("%d lines in 21 minutes: %s", len(notices), lines)
	}
	told := 0
	for _, n := range notices {
		if n.mended {
			told += n.failures
		}
	}
	if told != rounds {
		t.Errorf("%d failures told of, want %d: %s", told, rounds, lines)
	}
	if !strings.HasPrefix(lines, "FM-") {
		t.Errorf("the first outage was not told of at once: %s", lines)
	}
}

// A flap that ends before it was told of is told of once it stays well.
func TestTheLastFlapIsNotForgotten(t *testing.T) {
	lines, notices := faultLines("!." + "!!." + strings.Repeat(".", 12))
	if want := "FM----------"; !strings.HasPrefix(lines, want) || strings.Count(lines, "M") != 2 || strings.Count(lines, "F") != 1 {
		t.Errorf("%s", lines)
	}
	if last := notices[len(notices)-1]; last.failures != 2 || last.lasted != 10*time.Second {
		t.Errorf("%+v, want the 2 failures in the 10 s that they lasted", last)
	}
}

func TestHealthShowsTheOutageOnly(t *testing.T) {
	var f fault
	first := time.Unix(1_800_000_000, 0)
	f.set(errors.New("refused"), first)
	f.set(errors.New("timeout"), first.Add(time.Second))
	if h := health(f); h.OK || h.Error != "timeout" || h.Since != stamp(first) {
		t.Errorf("failing: %+v", h)
	}
	f.set(nil, first.Add(2*time.Second))
	if h := health(f); !h.OK || h.Error != "" || h.Since != "" {
		t.Errorf("mended: %+v", h)
	}
	f.set(errors.New("refused"), first.Add(3*time.Second))
	if h := health(f); h.Since != stamp(first.Add(3*time.Second)) {
		t.Errorf("the second outage began at %s", h.Since)
	}
}

// observed lets a test read what a daemon logs.
func observed(c *Config) *observer.ObservedLogs {
	core, logs := observer.New(zapcore.DebugLevel)
	c.Log = zap.New(core)
	return logs
}

// messages are the texts of lines at or above a level, in order.
func messages(logs *observer.ObservedLogs, least zapcore.Level) []string {
	var texts []string
	for _, e := range logs.All() {
		if e.Level >= least {
			texts = append(texts, e.Message)
		}
	}
	return texts
}

func count(texts []string, text string) (n int) {
	for _, t := range texts {
		if t == text {
			n++
		}
	}
	return n
}

func TestTheLogHoldsWhatAnOperatorActsOn(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(60, "wrong-seed"))
	n.chain.Faults.Withhold(0.5)
	n.chain.Faults.NullFirst(1 << 20)
	var logs *observer.ObservedLogs
	w := watch(t, n, database(t), func(c *Config) { logs = observed(c) })
	n.play(t)
	w.until(t, "the node's failure is shown", func(s Status) bool { return !s.Node.OK })
	for range 4 {
		was := w.Stream.State().Reconnects
		n.chain.DropSockets()
		w.until(t, "reconnected", func(s Status) bool { return s.Connection.Reconnects > was })
	}
	n.chain.Faults.NullFirst(0)
	w.catchUp(t, n)
	w.stop(t)

	lines := messages(logs, zapcore.InfoLevel)
	for _, once := range []string{"auditing", "subscribed"} {
		if got := count(lines, once); got != 1 {
			t.Errorf("%q %d times", once, got)
		}
	}
	// The first of each is told; what follows within a minute only counts.
	for _, few := range []string{"reconciling failed; trying again", "the node answers again", "subscription ended; the record fills the gap", "subscribed again"} {
		if got := count(lines, few); got < 1 || got > 2 {
			t.Errorf("%q %d times", few, got)
		}
	}
	failed := 0
	for _, truth := range n.chain.Truth() {
		if truth.Verdict == "fail" {
			failed++
		}
	}
	if got := count(lines, "mismatch"); failed == 0 || got < failed {
		t.Errorf("%d mismatches are logged of %d", got, failed)
	}
	if most := failed + 12; len(lines) > most {
		t.Errorf("%d lines, more than %d:\n%s", len(lines), most, strings.Join(lines, "\n"))
	}
	for _, e := range logs.FilterMessage("the node answers again").All() {
		if f := e.ContextMap(); f["failures"].(int64) < 1 || f["for"] == nil {
			t.Errorf("it does not say how often and how long: %v", f)
		}
	}
}

// A node that gives what it lists only when asked again is not asked again for one
// transaction before it has been asked for the others: a page costs one wait, and
// not one for each of its transactions.
func TestALaggingNodeIsAskedForAPageAtATime(t *testing.T) {
	n := serve(t, quick(60, ""))
	n.listen(t)
	n.play(t)
	select {
	case <-n.chain.Done():
	case <-time.After(patience):
		t.Fatal("the games do not end")
	}
	n.chain.Faults.NullFirst(2)
	w := watch(t, n, database(t), func(c *Config) { c.Interval = time.Hour })
	w.catchUp(t, n)
	w.stop(t)
	agree(t, n, w.dsn)
	asked, times := n.calls.asked(t), map[string]int{}
	for _, name := range asked {
		times[name]++
	}
	if len(times) < 2*fetchers {
		t.Fatalf("%d transactions were asked for; too few to tell", len(times))
	}
	for name, n := range times {
		if n != 3 {
			t.Errorf("%s was asked for %d times", name, n)
		}
	}
	// The lowest slot is another page's: there might be more of it.
	first := slices.MinFunc(n.chain.Truth(), func(a, b simchain.Truth) int { return cmp.Compare(a.StartSlot, b.StartSlot) }).StartSlot
	page := len(times)
	for _, game := range n.chain.Truth() {
		if game.StartSlot == first {
			page--
		}
	}
	clear(times)
	for i, name := range asked[:page] {
		if times[name]++; times[name] > 1 {
			t.Fatalf("call %d is for what was asked for before, and others were not", i+1)
		}
	}
}
