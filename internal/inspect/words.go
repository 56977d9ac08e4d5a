package inspect

import (
	"fmt"
	"strings"

	"minesaudit/internal/verify"
)

// headline says a verdict in words.
func (c *Case) headline() string {
	switch c.Report.Verdict {
	case verify.VerdictFail:
		return fmt.Sprintf("FAIL: %s; failed: %s", c.story(), c.list(verify.ResultFail))
	case verify.VerdictPass:
		return fmt.Sprintf("PASS: %s; every check that applies passed", c.story())
	case verify.VerdictPending:
		return "PENDING: " + c.story()
	default:
		return fmt.Sprintf("INCONCLUSIVE: %s; could not be checked: %s", c.story(), c.list(verify.ResultInconclusive))
	}
}

// story says what the events tell, right or not.
func (c *Case) story() string {
	switch s := c.settled(); {
	case s == nil && c.voided() != nil:
		return "cancelled, " + voidedWhen(c.Report.VoidWhen)
	case s == nil && len(c.Game.Starts) == 0:
		return "neither start nor end is known"
	case s == nil:
		return "started, no end is known yet"
	case unsaid(s):
		return fmt.Sprintf("settled with %s revealed; whether it was lost is not published", tiles(c.Report.Revealed))
	case c.Report.Lost && s.Missing.Has(verify.FieldBustTile):
		return fmt.Sprintf("lost, with %s revealed", tiles(c.Report.Revealed))
	case s.HasBust:
		return fmt.Sprintf("lost at tile %d, with %s revealed", s.BustTile, tiles(c.Report.Revealed))
	default:
		return fmt.Sprintf("cashed out with %s revealed", tiles(c.Report.Revealed))
	}
}

func tiles(n int) string {
	switch {
	case n < 0: // not published
		return "an unknown number of tiles"
	case n == 1:
		return "1 tile"
	default:
		return fmt.Sprintf("%d tiles", n)
	}
}

func voidedWhen(w verify.VoidWhen) string {
	switch w {
	case verify.BeforeTimeout:
		return "before the refund timeout"
	case verify.AfterTimeout:
		return "after the refund timeout"
	default:
		return "it is not known whether before or after the refund timeout"
	}
}

// list names the checks with a result.
func (c *Case) list(result verify.Result) string {
	var names []string
	for i, r := range c.Report.Results {
		if r == result {
			names = append(names, verify.Check(i).String())
		}
	}
	return strings.Join(names, ", ")
}

// notApplicable says why a check had nothing to check.
func (c *Case) notApplicable(check verify.Check) string {
	s := c.settled()
	switch {
	case check == verify.CheckTermsKept:
		return "a settlement repeats no terms"
	case c.Report.Kind == verify.EndNone:
		return "the game has not ended"
	case check == verify.CheckVoidRight && c.voided() != nil:
		return "the profile names no operator keys"
	case c.voided() != nil:
		return "the game was cancelled"
	case check == verify.CheckRefund || check == verify.CheckVoidRight:
		return "the game was not cancelled"
	case s != nil && unsaid(s):
		return "it did not pay as a loss does"
	case s != nil && s.Missing.Has(verify.FieldBustTile):
		return "the game was not lost"
	default:
		return "there is no bust tile"
	}
}

// unproved lists what the verdicts of a result do not prove.
func (r *Result) unproved() []string {
	var settled, voided bool
	for i := range r.Cases {
		settled = settled || r.Cases[i].settled() != nil
		voided = voided || r.Cases[i].voided() != nil
	}
	var list []string
	if settled {
		list = append(list,
			"That the revealed tiles are those the player clicked: clicks happen off chain. A loss can be settled on a true mine that nobody clicked, safe tiles can be left out, and a game can be settled early.",
			"That the board was not chosen: the operator picks the seed and the moment of the start, and the player adds no secret. Only many games together can show that.",
			"That the slot hash is one of the chain: it is taken as the start event published it.")
	}
	if voided {
		list = append(list,
			"What the board of a cancelled game was: its seed is not published.",
			"That the money came back: the event tells of a refund, and no balance is looked at here.")
	}
	if len(r.Cases) > 0 {
		list = append(list, "That games are not cancelled selectively: only how often it happens can show that.")
	}
	if r.Asked != nil {
		return append(list, "That the node tells the truth: what it answered is believed.")
	}
	return append(list, "That the files are whole and true: they are believed, and what is not in them cannot count.")
}
