package inspect

import (
	"fmt"
	"io"
	"strings"

	"minesaudit/internal/verify"
)

// ByHand is a game that somebody wrote down, maybe in part. What is missing of
// it is filled in as an honest settlement would have it.
type ByHand struct {
	Game    verify.Game // one start, one settlement
	Verdict verify.Verdict
	Checks  []verify.Finding
	Rules   *verify.Rules

	HasMines, HasPay bool // the mines, and what was paid by which terms, were given
}

// WriteText writes the game as that of a transaction is written, without what
// only a chain can tell.
func (h *ByHand) WriteText(w io.Writer, o TextOptions) error {
	p := &page{paint: paint(o.Colour)}
	c := h.judged()
	p.wrapped("", p.paint.verdict(h.Verdict, strings.ToUpper(h.Verdict.String())+": ")+h.reasons())
	if h.HasMines {
		p.board(&c, c.settled())
	} else {
		p.line("")
		p.section("Board, derived; no other was given")
		p.boards(played(c.settled().MinesMask, c.settled()))
		p.beyond(c.settled())
	}
	p.checks(&c)
	if o.Explain {
		p.line("")
		p.derivation(&c)
		if h.HasPay {
			p.pay(&c, h.Rules)
		}
	}
	p.line("")
	p.section("What this does not prove")
	p.wrapped("  - ", "That the values are those of a game that was played: they are taken as given.")
	for _, text := range (&Result{Cases: []Case{c}}).unproved()[:2] { // of clicks and of the board's choice; the rest is of a chain
		p.wrapped("  - ", text)
	}
	_, err := w.Write(p.Bytes())
	return err
}

// Steps is the derivation, and the pay where it was given, to be encoded as
// JSON.
func (h *ByHand) Steps() any {
	c := h.judged()
	if !h.HasPay {
		c.Pay = nil
	}
	return c.explainJSON()
}

func (h *ByHand) judged() Case {
	c := Case{Game: h.Game, Report: verify.Judge(&h.Game, h.Rules), Checks: h.Checks}
	c.explain(h.Rules)
	return c
}

// reasons says what the verdict rests on.
func (h *ByHand) reasons() string {
	var failed, open []string
	for _, f := range h.Checks {
		switch f.Result {
		case verify.ResultFail:
			failed = append(failed, f.Check.String())
		case verify.ResultInconclusive:
			open = append(open, f.Check.String())
		}
	}
	switch {
	case len(failed) > 0:
		return "failed: " + strings.Join(failed, ", ")
	case len(open) == len(h.Checks):
		return "nothing was given that could be checked"
	case len(open) > 0:
		return "could not be checked: " + strings.Join(open, ", ")
	default:
		return fmt.Sprintf("every check of the %d that applies passed", len(h.Checks))
	}
}
