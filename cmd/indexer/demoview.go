package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"minesaudit/internal/ingest"
	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// demoView shows the demo: a table that is drawn again on a terminal, else a
// line a verdict.
type demoView struct {
	out, err io.Writer
	live     bool // out is a terminal
	json     bool

	mu     sync.Mutex
	counts map[verify.Verdict]int
	voids  int
	last   []string // the latest verdicts, as lines
	places []string
	drawn  int // lines of the table on the screen
}

// demoRows is how many verdicts the table shows.
const demoRows = 12

func newDemoView(s *streams, c *demoCmd) *demoView {
	return &demoView{out: s.Out, err: s.Err, json: c.JSON, live: !c.JSON && isTerminal(s.Out), counts: map[verify.Verdict]int{}}
}

// say prints a line for a person.
func (v *demoView) say(format string, args ...any) {
	_, _ = fmt.Fprintf(v.err, format+"\n", args...)
}

// where tells where to look while it runs.
func (v *demoView) where(api string, node *simchain.Server, psql string) {
	v.places = []string{"status   " + api + "/status", "metrics  " + api + "/metrics", "chain    " + node.RPCURL, "database " + psql}
	v.say("%s\n", strings.Join(v.places, "\n"))
}

// verdict hears of each verdict as it is committed.
func (v *demoView) verdict(g *store.Game, made *store.Verdict) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if made.Seq == 0 {
		v.counts[made.Verdict]++
		if made.Kind == verify.EndVoided {
			v.voids++
		}
	}
	line := verdictLine(g, made)
	if !v.live && !v.json {
		_, _ = fmt.Fprintln(v.out, line)
	}
	v.last = append(v.last, line)
	if len(v.last) > demoRows {
		v.last = v.last[1:]
	}
}

// verdictLine tells of one verdict: what became of the game, and what failed.
func verdictLine(g *store.Game, v *store.Verdict) string {
	what := "unknown"
	switch {
	case v.Verdict == verify.VerdictWithdrawn:
		what = "its end is not on the chain after all"
	case v.Kind == verify.EndVoided:
		what = "voided, " + strings.ReplaceAll(v.VoidWhen.String(), "_", " ")
		if v.VoidWhen == verify.VoidWhenUnknown {
			what = "voided"
		}
	case v.Lost:
		what = fmt.Sprintf("lost after %2d of %2d safe tiles", v.Revealed, 25-v.MinesCount)
	case v.MinesCount >= 0:
		what = fmt.Sprintf("won with %2d of %2d safe tiles", v.Revealed, 25-v.MinesCount)
	}
	line := fmt.Sprintf("%-12s %s… #%-4d %s", v.Verdict, rpc.KeyString(g.Key.Game)[:8], g.Key.Nonce, what)
	if failed := v.Failed(); len(failed) > 0 {
		line += "  ✗ " + strings.Join(failed, ", ")
	}
	return line
}

// progress draws the table again.
func (v *demoView) progress(chain *simchain.Chain, status ingest.Status) {
	if !v.live {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	started, ended := chain.Progress()
	frontier := int64(0)
	if status.FrontierSlot != nil {
		frontier = *status.FrontierSlot
	}
	lines := []string{
		fmt.Sprintf("games    %d started, %d ended; %d voided", started, ended, v.voids),
		fmt.Sprintf("verdicts %d pass, %d fail, %d inconclusive", v.counts[verify.VerdictPass], v.counts[verify.VerdictFail], v.counts[verify.VerdictInconclusive]),
		fmt.Sprintf("slots    head %d, complete and finalized up to %d", status.HeadSlot, frontier),
		"",
	}
	lines = append(lines, v.last...)
	if v.drawn > 0 {
		_, _ = fmt.Fprintf(v.out, "\x1b[%dA", v.drawn)
	}
	for _, l := range lines {
		_, _ = fmt.Fprintf(v.out, "\x1b[2K%s\n", l)
	}
	v.drawn = len(lines)
}

// finish prints the result: one JSON object, or a summary for a newcomer.
func (v *demoView) finish(r *demoResult, api, psql string) error {
	if v.json {
		line, err := r.json()
		if err != nil {
			return fmt.Errorf("encode the result: %w", err)
		}
		_, err = fmt.Fprintf(v.out, "%s\n", line)
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d games were played in %.1f seconds; %d of them were voided by the operator or after their timeout.\n", r.Games, r.Seconds, r.Voids)
	fmt.Fprintf(&b, "The auditor re-derived every board, multiplier and payout: %d pass, %d fail, %d inconclusive.\n", r.Verdicts["pass"], r.Verdicts["fail"], r.Verdicts["inconclusive"])
	if len(r.Cheats) == 0 {
		b.WriteString("The operator was honest.\n")
	} else {
		b.WriteString("The operator cheated, and the chain's own list says how often each cheat was found:\n\n")
		var kinds []string
		for kind := range r.Cheats {
			kinds = append(kinds, kind)
		}
		slices.Sort(kinds)
		for _, kind := range kinds {
			t := r.Cheats[kind]
			fmt.Fprintf(&b, "  %-20s %3d of %3d found\n", kind, t.Detected, t.Injected)
		}
	}
	fmt.Fprintf(&b, "\nMissed: %d. False alarms: %d.\n", r.Missed, r.FalseAlarms)
	if v.live {
		fmt.Fprintf(&b, "\nLook at it: %s/status\n            %s -c 'select * from audit_api.v1_mismatch_rate_hourly'\n", api, psql)
	}
	_, err := io.WriteString(v.out, b.String())
	return err
}
