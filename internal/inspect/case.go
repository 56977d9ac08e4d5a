package inspect

import (
	"cmp"
	"fmt"
	"slices"

	"minesaudit/internal/assemble"
	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
	"minesaudit/internal/verify"
)

// ReasonHistoryNotRead leaves lifecycle open: the game's address has a history
// that was not read to its beginning.
const ReasonHistoryNotRead verify.Reason = "history_not_read"

// A Case is one game with everything that was found about it.
type Case struct {
	Game   verify.Game
	Report verify.Report
	Checks []verify.Finding // all of them, by number
	Events []assemble.Piece // by slot; inside a slot starts come first
	Trace  *verify.Trace    // of the board; nil where it cannot be derived
	Pay    *verify.Pay      // of a settlement whose start is known; else nil
	Notes  []string         // what else a reader should know; printable
	Levels []rpc.Commitment // of Events; nil where nobody asked a node
}

// reach says how far the evidence about a game goes.
type reach struct {
	complete bool   // nothing is missing below: a start not seen will not come
	unread   string // why not everything was read; empty if everything was
	final    uint64 // the node's finalized slot, where fromNode
	fromNode bool
}

// judge makes the case of a game.
func (e *evidence) judge(key decode.GameKey, rules *verify.Rules, r reach) Case {
	pieces := slices.Clone(e.pieces[key])
	c := Case{Game: assemble.Game(key, pieces), Events: pieces}
	c.Game.Complete = r.complete
	if cut := e.cutShort(key.Game); len(cut) > 0 {
		c.Game.Truncated = c.Game.Truncated || len(c.Game.Starts) == 0
		for _, t := range cut {
			c.note("the log of transaction %s is %s: it may hold more of this game", rpc.SignatureString(t.Signature), t.log.State)
		}
	}
	c.Report = verify.Judge(&c.Game, rules)
	if r.unread != "" {
		c.leaveOpen(r.unread)
	}
	c.Checks = c.Report.Details(&c.Game)
	slices.SortStableFunc(c.Events, asTold)
	c.explain(rules)
	if r.fromNode {
		c.grade(r.final)
	}
	return c
}

// asTold is the order for people: that of signatures inside a slot means nothing
// to them.
func asTold(a, b assemble.Piece) int {
	rank := func(p assemble.Piece) int {
		if p.IsStart() {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.Slot, b.Slot), rank(a)-rank(b))
}

func (c *Case) note(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}

// leaveOpen takes back what the judge could say only because it believes that
// it was shown everything. A fail stands: whatever else there is, it adds a
// second start or end, which fails too.
func (c *Case) leaveOpen(why string) {
	c.note("%s", why)
	r := &c.Report
	if r.Results[verify.CheckLifecycle] != verify.ResultFail {
		r.Findings = slices.DeleteFunc(r.Findings, func(f verify.Finding) bool { return f.Check == verify.CheckLifecycle })
		r.Results[verify.CheckLifecycle] = verify.ResultInconclusive
		r.Findings = append(r.Findings, verify.Finding{
			Check: verify.CheckLifecycle, Result: verify.ResultInconclusive, Reason: ReasonHistoryNotRead, Expected: "1 start, 1 end",
			Observed: fmt.Sprintf("%d started, %d ended, in the part that was read", len(c.Game.Starts), len(c.Game.Ends)),
		})
		slices.SortFunc(r.Findings, func(a, b verify.Finding) int { return int(a.Check) - int(b.Check) })
	}
	if r.Verdict != verify.VerdictFail {
		r.Verdict = verify.VerdictInconclusive
	}
}

// explain derives what --explain and the drawing show.
func (c *Case) explain(rules *verify.Rules) {
	settled, start := c.settled(), c.start()
	if settled == nil || start == nil {
		return
	}
	if trace, err := c.Game.Trace(); err == nil { // else the checks say why
		c.Trace = &trace
	}
	pay := rules.Pay(start, c.Report.Revealed, c.Report.Lost && !unsaid(settled))
	c.Pay = &pay
}

// grade says of each event whether it can still be taken back.
func (c *Case) grade(final uint64) {
	for _, p := range c.Events {
		level := rpc.Finalized
		if p.Slot > final {
			level = rpc.Confirmed
			c.note("transaction %s is confirmed, not finalized: a fork could still take it back", rpc.SignatureString(p.Signature))
		}
		c.Levels = append(c.Levels, level)
	}
}

// start is the first start, settled and voided what the first end is; nil for
// what there is not.
func (c *Case) start() *verify.Start {
	if len(c.Game.Starts) == 0 {
		return nil
	}
	return &c.Game.Starts[0]
}

func (c *Case) settled() *verify.Settled {
	if c.Report.Kind != verify.EndSettled {
		return nil
	}
	return &c.Game.Ends[0].Settled
}

func (c *Case) voided() *verify.Voided {
	if c.Report.Kind != verify.EndVoided {
		return nil
	}
	return &c.Game.Ends[0].Voided
}
