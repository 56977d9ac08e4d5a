package bets

import (
	"fmt"
	"io"
	"strings"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

// WriteText writes the result for people, in ASCII, with at most so many
// findings, gaps and bad lines each.
func (r *Result) WriteText(w io.Writer, most int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n", strings.ToUpper(r.Verdict().String()), r.headline())
	r.writeCounts(&b)
	r.writeFindings(&b, most)
	r.writeGaps(&b, most)
	r.Bad.WriteText(&b, r.Names, most)
	records.WriteUnproved(&b, r.Unproved())
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Result) headline() string {
	switch {
	case r.Bets == 0:
		return "no bet was given"
	case r.Verdict() == verify.VerdictPass:
		return "every server seed is the one whose hash was given, and every outcome is what the seeds give"
	case r.Verdict() == verify.VerdictFail:
		return fmt.Sprintf("%d of %d bets are not what their seeds and the rules give", r.Verdicts[verify.VerdictFail], r.Bets)
	case r.Verdicts[verify.VerdictInconclusive] == 0:
		return "all that could be read is right, but there are lines that could not be read"
	default:
		return fmt.Sprintf("%d of %d bets could not be checked completely", r.Verdicts[verify.VerdictInconclusive], r.Bets)
	}
}

func (r *Result) writeCounts(b *strings.Builder) {
	line := func(name, format string, args ...any) { records.WriteLine(b, name, format, args...) }
	line("bets", "%d, under %d pairs of seeds", r.Bets, r.Pairs)
	for c := range NumChecks {
		line(c.String(), "%s", &r.Counts[c])
	}
	if r.OfBytes > 0 {
		line("", "%d server seeds were hashed as bytes, not as text", r.OfBytes)
	}
	if r.Repeated > 0 {
		line("given again", "%d times the same", r.Repeated)
	}
	if r.Gaps > 0 {
		line("gaps", "%d, of %d nonces: bets that were not given", r.Gaps, r.Missing)
	}
}

func (r *Result) writeFindings(b *strings.Builder, most int) {
	if r.AllFindings == 0 {
		return
	}
	b.WriteString("\nFindings\n")
	shown := r.Findings[:min(most, len(r.Findings))]
	for _, f := range shown {
		head := fmt.Sprintf("%s: %s %s: %s", f.At.In(r.Names), f.Check, f.Result, f.Reason)
		records.WriteFinding(b, head, f.Expected, f.Observed)
	}
	records.WriteMore(b, r.AllFindings-len(shown))
}

func (r *Result) writeGaps(b *strings.Builder, most int) {
	if r.Gaps == 0 {
		return
	}
	b.WriteString("\nNonces that were not given\n")
	shown := r.GapList[:min(most, len(r.GapList))]
	for _, g := range shown {
		fmt.Fprintf(b, "  %d to %d, of server seed %s and client seed %s\n", g.From, g.To, g.ServerSeed, g.ClientSeed)
	}
	records.WriteMore(b, r.Gaps-len(shown))
}
