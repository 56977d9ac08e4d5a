package fit

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// Text is the report for a person.
func (r *Report) Text() string {
	var b strings.Builder
	r.headText(&b)
	if len(r.Events) == 0 {
		b.WriteString("\nThe built-in events, which publish every field.\n")
	}
	for i := range r.Events {
		r.Events[i].text(&b)
	}
	r.endsText(&b)
	if len(r.Warnings) > 0 {
		b.WriteString("\nwarnings\n")
		for _, warning := range r.Warnings {
			fmt.Fprintf(&b, "  - %s\n", warning)
		}
	}
	return b.String()
}

func (r *Report) headText(b *strings.Builder) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) { fmt.Fprintf(t, name+"\t"+format+"\n", args...) }
	line("profile", "%s", r.Profile)
	if r.Program != "" {
		line("program", "%s", r.Program)
	}
	for _, file := range r.IDLs {
		line("idl", "%s, %d events, from slot %d", file.File, file.Events, file.FromSlot)
	}
	where := r.EventsIn
	if r.LogMessages {
		where += ", and in lines of text"
	}
	line("events in", "%s", where)
	if r.Balance != "" {
		line("payout", "where no event has it, what the player's account gains: %s", r.Balance)
	}
	line("key", "%s", strings.Join(r.Key, ", "))
	line("hash", "%s", r.Hash)
	_ = t.Flush() // a Builder takes everything
}

func (e *Event) text(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s by %s", e.Kind, comment(e.Event))
	if e.When != "" {
		fmt.Fprintf(b, " when %s", comment(e.When))
	}
	if e.Says != "" {
		fmt.Fprintf(b, ": %s", e.Says)
	}
	if e.FromSlot > 0 {
		fmt.Fprintf(b, " (from slot %d)", e.FromSlot)
	}
	b.WriteByte('\n')
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, f := range e.Fields {
		switch {
		case f.Path == "":
			fmt.Fprintf(t, "  %s\t= %s\tby this profile, not published\n", f.Role, comment(f.Value))
		case f.Optional:
			fmt.Fprintf(t, "  %s\t%s: %s\t%s, if there\n", f.Role, comment(f.Path), comment(f.Type), f.As)
		default:
			fmt.Fprintf(t, "  %s\t%s: %s\t%s\n", f.Role, comment(f.Path), comment(f.Type), f.As)
		}
	}
	for _, name := range e.Missing {
		fmt.Fprintf(t, "  %s\t-\tnot published\n", name)
	}
	_ = t.Flush()
}

// endsText says which checks are open, and says it once for ends that are alike.
func (r *Report) endsText(b *strings.Builder) {
	b.WriteString("\nchecks\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for i := 0; i < len(r.Ends); i++ {
		e := &r.Ends[i]
		name := e.Outcome
		if i+1 < len(r.Ends) && e.isAs(&r.Ends[i+1]) {
			i++
			name += " or " + r.Ends[i].Outcome
		}
		if e.Event != "" {
			name += " by " + comment(e.Event)
		}
		if e.Start != "" && r.startsDiffer() {
			name += " after " + comment(e.Start)
		}
		if len(e.Open) == 0 {
			fmt.Fprintf(t, "  %s\tevery check can be made\n", name)
			continue
		}
		for n, open := range e.Open {
			if n > 0 {
				name = ""
			}
			fmt.Fprintf(t, "  %s\t%s is inconclusive\t%s\n", name, open.Check, open.Needs)
		}
	}
	_ = t.Flush()
}

// isAs tells two outcomes of one event that leave the same open.
func (e *End) isAs(other *End) bool {
	return e.Event != "" && e.Event == other.Event && e.Start == other.Start && slices.Equal(e.Open, other.Open)
}

func (r *Report) startsDiffer() bool {
	return slices.ContainsFunc(r.Ends, func(e End) bool { return e.Start != r.Ends[0].Start })
}
