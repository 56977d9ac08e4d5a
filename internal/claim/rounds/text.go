package rounds

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
	case r.Rounds == 0:
		return "no round was given"
	case r.Verdict() == verify.VerdictPass && r.Claims == 0:
		return "every hash leads to the terminal; no outcome was claimed"
	case r.Verdict() == verify.VerdictPass:
		return "every hash leads to the terminal, and every outcome is what its hash gives"
	case r.Verdict() == verify.VerdictFail:
		return fmt.Sprintf("%d of %d rounds are not what the chain and the rules give", r.Verdicts[verify.VerdictFail], r.Rounds)
	case r.Bad.Count > 0 && r.Verdicts[verify.VerdictInconclusive] == 0:
		return "all that could be read is right, but there are lines that could not be read"
	default:
		return fmt.Sprintf("%d of %d rounds could not be checked completely", r.Verdicts[verify.VerdictInconclusive], r.Rounds)
	}
}

func (r *Result) writeCounts(b *strings.Builder) {
	line := func(name, format string, args ...any) { records.WriteLine(b, name, format, args...) }
	line("chain", "%s, which ends at %s", r.chainName(), r.Chain.Terminal)
	if r.Assumed {
		line("", "taken for %s, by the lowest rounds: nothing said which form it has", formName(r.Chain.Form))
	}
	if r.Rounds == 0 {
		return
	}
	line("rounds", "%d, from %d to %d; %d steps of the chain down to the terminal", r.Rounds, r.Lowest, r.Highest, r.Highest)
	for c := range NumChecks {
		line(c.String(), "%s", &r.Counts[c])
	}
	if r.Gaps > 0 {
		line("gaps", "%d, of %d rounds, bridged by hashing", r.Gaps, r.Missing)
	}
	if r.Repeated+r.Contradicting > 0 {
		line("given again", "%d times the same, %d times something else", r.Repeated, r.Contradicting)
	}
}

func (r *Result) chainName() string {
	if r.Chain.Name != "" {
		return r.Chain.Name + ", of " + string(r.Chain.Game)
	}
	if r.Chain.Game != None {
		return "a chain of " + string(r.Chain.Game)
	}
	return "a chain"
}

func formName(f verify.TerminalForm) string {
	if f == verify.FinalHash {
		return "the last hash itself"
	}
	return "the SHA-256 of the last hash"
}

func (r *Result) writeFindings(b *strings.Builder, most int) {
	if r.AllFindings == 0 {
		return
	}
	b.WriteString("\nFindings\n")
	for _, f := range r.Findings[:min(most, len(r.Findings))] {
		head := fmt.Sprintf("round %d (%s): %s %s: %s", f.Round, f.At.In(r.Names), f.Check, f.Result, f.Reason)
		records.WriteFinding(b, head, f.Expected, f.Observed)
	}
	records.WriteMore(b, r.AllFindings-min(most, len(r.Findings)))
}

func (r *Result) writeGaps(b *strings.Builder, most int) {
	if r.Gaps == 0 {
		return
	}
	b.WriteString("\nRounds that were not given\n")
	shown := r.GapList[:min(most, len(r.GapList))]
	for _, g := range shown {
		if g.From == g.To {
			fmt.Fprintf(b, "  %d\n", g.From)
		} else {
			fmt.Fprintf(b, "  %d to %d\n", g.From, g.To)
		}
	}
	records.WriteMore(b, r.Gaps-len(shown))
}

// Unproved says what the result does not prove.
func (r *Result) Unproved() []string {
	list := []string{
		"That a hash was secret until the bets were placed: whoever has it knows the outcome.",
		"That the secret was chosen blindly: the server knew the whole chain in advance.",
		"That these are the rounds as players saw them: they are what the files say.",
	}
	if r.Missing > 0 || r.Lowest > 1 {
		list = append(list, "Anything about the outcomes of rounds that were not given.")
	}
	switch {
	case r.Chain.Game == Platforms:
		list = append(list, "In which order the other platforms fell: no rule for it was published.")
	case r.Chain.Game == Battle:
		list = append(list, "That the chances are those of the bets.")
	}
	if r.Assumed {
		list = append(list, "That rounds are not counted one too high or too low: either form of the terminal would do.")
	}
	if r.FromPoints {
		list = append(list, "What the checkpoints skip: that rests on the program that wrote them.")
	}
	return list
}
