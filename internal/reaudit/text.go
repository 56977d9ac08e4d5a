package reaudit

import (
	"fmt"
	"io"
	"strings"

	"github.com/gagliardetto/solana-go"

	"minesaudit/internal/verify"
)

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d games, %d events judged again by rules %d: %d as they stand, %d changed, %d altered\n",
		r.games, r.events, verify.RulesVersion, r.same, r.Changes(), r.tally.altered)
	if r.newer > 0 {
		fmt.Fprintf(&b, "%d were judged by newer rules and are left alone; use the newer indexer\n", r.newer)
	}
	if r.regrouped > 0 {
		fmt.Fprintf(&b, "%d have events that this profile divides into other games; they were not judged\n", r.regrouped)
	}
	for _, t := range r.sortedTurns() {
		fmt.Fprintf(&b, "  %s -> %s: %d games\n", t.was, t.now, r.turns[t])
	}
	for _, t := range r.sortedChecks() {
		fmt.Fprintf(&b, "  %s: %s -> %s in %d games\n", t.check, t.was, t.now, r.checks[t])
	}
	if r.olderRules > 0 {
		fmt.Fprintf(&b, "%d of the changed verdicts had been made by older rules\n", r.olderRules)
	}
	r.changedText(&b)
	r.alteredText(&b)
	b.WriteString(r.done())
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

func (r *Report) changedText(b *strings.Builder) {
	if len(r.Changed) > 0 {
		fmt.Fprintf(b, "\nchanged, the first %d of %d\n", len(r.Changed), r.Changes())
	}
	for i := range r.Changed {
		c := &r.Changed[i]
		fmt.Fprintf(b, "  %s: %s -> %s, ended in slot %d\n", &c.GameKey, c.Was, c.Now, c.EndSlot)
		for _, x := range c.Checks {
			fmt.Fprintf(b, "    %s: %s -> %s%s\n", x.Check, x.Was, x.Now, findingText(&x.Finding))
		}
	}
}

func findingText(f *verify.Finding) string {
	text := ""
	if f.Reason != "" {
		text = " (" + string(f.Reason) + ")"
	}
	if f.Expected != "" || f.Observed != "" {
		text += fmt.Sprintf(", expected %s, observed %s", f.Expected, f.Observed)
	}
	return text
}

func (r *Report) alteredText(b *strings.Builder) {
	if len(r.Altered) > 0 {
		fmt.Fprintf(b, "\naltered after they were written: the first %d findings\n", len(r.Altered))
	}
	for i := range r.Altered {
		a := &r.Altered[i]
		fmt.Fprintf(b, "  %s: %s: %s; verdict %s stands\n", &a.GameKey, a.What, a.Detail, a.Standing)
		if a.Signature != nil {
			fmt.Fprintf(b, "    its true bytes: indexer verify tx %s\n", solana.Signature(*a.Signature))
		}
	}
}

// done says what came of it.
func (r *Report) done() string {
	switch {
	case r.Other:
		return "\nnothing was written: this is what another profile would say\n"
	case !r.Wrote:
		return "\nnothing was written\n"
	case r.Superseded+r.Mended+r.tally.altered == 0:
		return "\nnothing was to be written\n"
	default:
		return fmt.Sprintf("\n%d verdicts superseded, %d altered games on record in audit_api.v1_altered, %d in order again\n", r.Superseded, r.tally.altered, r.Mended)
	}
}

// String is for messages.
func (k *GameKey) String() string {
	return fmt.Sprintf("game %s, user %s, nonce %d", base58(k.Game), base58(k.User), k.Nonce)
}
