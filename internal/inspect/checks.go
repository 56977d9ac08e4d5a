package inspect

import (
	"fmt"
	"strings"

	"minesaudit/internal/verify"
)

// checks writes every check: what passed by equality on one line, the rest with
// what was expected and observed.
func (p *page) checks(c *Case) {
	p.line("")
	p.section("Checks")
	for _, f := range c.Checks {
		result := p.paint.result(f.Result, fmt.Sprintf("%-12s", strings.ToUpper(f.Result.String())))
		switch name := f.Check.String(); {
		case f.Result == verify.ResultNA:
			p.line("  %s  %-17s  %s", result, name, p.paint.in(dim, c.notApplicable(f.Check)))
		case f.Result == verify.ResultPass && f.Expected == f.Observed:
			p.line("  %s  %-17s  %s", result, name, f.Observed)
		default:
			p.line("%s", strings.TrimRight(fmt.Sprintf("  %s  %-17s  %s", result, name, f.Reason), " "))
			p.compared("expected", f.Expected)
			p.compared("observed", f.Observed)
		}
	}
}

func (p *page) compared(what, text string) {
	if text != "" {
		p.line("  %12s  %s  %s", "", what, text)
	}
}

// width is that of a terminal that nobody made wider.
const width = 80

// wrapped writes text in lines of at most width, the first with a prefix and
// the others below it. Words are never split, colours are counted as text.
func (p *page) wrapped(prefix, text string) {
	indent := strings.Repeat(" ", len(prefix))
	line := prefix
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case len(line)+1+len(word) > width:
			p.line("%s", line)
			line = indent + word
		default:
			line += " " + word
		}
	}
	p.line("%s", line)
}
