package inspect

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"minesaudit/internal/rpc"
	"minesaudit/internal/verify"
)

// TextOptions says how a result is written for people.
type TextOptions struct {
	Colour  bool
	Explain bool // every hash, draw and step of the pay too
}

// WriteText writes the result for people, in plain ASCII but for colours.
func (r *Result) WriteText(w io.Writer, o TextOptions) error {
	p := &page{paint: paint(o.Colour)}
	p.head(r)
	for i := range r.Cases {
		p.line("")
		p.game(&r.Cases[i], r)
		if o.Explain {
			p.explain(&r.Cases[i], &r.Rules)
		}
	}
	p.line("")
	p.section("What this does not prove")
	for _, text := range r.unproved() {
		p.wrapped("  - ", text)
	}
	_, err := w.Write(p.Bytes())
	return err
}

// page is text in the making.
type page struct {
	bytes.Buffer
	paint paint
}

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *page) section(title string) { p.line("%s", p.paint.in(bold, title)) }

func (p *page) field(name, format string, args ...any) {
	p.line("  %-15s %s", name, fmt.Sprintf(format, args...))
}

// head says what was inspected, and what concerns no single game.
func (p *page) head(r *Result) {
	if r.Nothing != "" {
		p.wrapped("", p.paint.verdict(verify.VerdictInconclusive, "NO GAME: ")+r.Nothing)
		p.line("")
	}
	if len(r.Cases) > 1 {
		p.line("%d games, all together: %s", len(r.Cases), p.paint.verdict(r.Verdict(), r.Verdict().String()))
		p.line("")
	}
	if a := r.Asked; a != nil {
		p.field("transaction", "%s", a.Signature)
		if a.Commitment != "" {
			p.field("", "slot %d, %s", a.Slot, a.Commitment)
		}
	}
	if r.Program != "" {
		p.field("program", "%s", r.Program)
	}
	if r.ProgramFrom != "" {
		p.field("", "%s", r.ProgramFrom)
	}
	p.field("rules", "%s, version %d", Printable(r.Profile), verify.RulesVersion)
	for _, note := range r.Notes {
		p.wrapped("  note: ", note)
	}
}

func (p *page) game(c *Case, r *Result) {
	p.wrapped("", p.paint.verdict(c.Report.Verdict, c.headline()))
	for _, note := range c.Notes {
		p.wrapped("  note: ", note)
	}
	p.line("")
	p.field("game", "%s", rpc.KeyString(c.Game.Address))
	p.told(c.Game.Missing, verify.FieldUser, "user", "%s", rpc.KeyString(c.Game.User))
	p.told(c.Game.Missing, verify.FieldNonce, "nonce", "%d", c.Game.Nonce)
	for i, e := range c.Events {
		p.field(e.Event.Kind.String(), "slot %d%s%s", e.Slot, clock(e.BlockTime, e.HasBlockTime), c.level(i))
		p.field("", "%s", rpc.SignatureString(e.Signature))
	}
	if s := c.start(); s != nil {
		p.terms(s, &r.Rules)
	}
	if s := c.settled(); s != nil {
		p.settlement(s)
		p.board(c, s)
	}
	if v := c.voided(); v != nil {
		p.void(v, c)
	}
	p.checks(c)
}

// level is the commitment of an event, where it is known.
func (c *Case) level(i int) string {
	if i < len(c.Levels) {
		return ", " + string(c.Levels[i])
	}
	return ""
}

func clock(unix int64, known bool) string {
	if !known {
		return ""
	}
	return ", " + moment(unix)
}

// moment is a time of the chain; what no calendar holds stays a number.
func moment(unix int64) string {
	const year10000 = 253_402_300_800
	if unix < 0 || unix >= year10000 {
		return fmt.Sprintf("%d s", unix)
	}
	return time.Unix(unix, 0).UTC().Format(time.RFC3339)
}

func (p *page) terms(s *verify.Start, rules *verify.Rules) {
	p.line("")
	p.section("Terms, as the start fixed them")
	p.told(s.Missing, verify.FieldMinesCount, "mines", "%d", s.MinesCount)
	p.told(s.Missing, verify.FieldStake, "stake", "%d", s.Stake)
	p.told(s.Missing, verify.FieldHouseEdge, "house edge", "%s", edge(s, rules))
	p.told(s.Missing, verify.FieldMaxPayout, "payout cap", "%d", s.MaxPayout)
	p.timeout(s)
	p.told(s.Missing, verify.FieldCommitHash, "commit hash", "%x", s.CommitHash)
	p.told(s.Missing, verify.FieldSlothash, "slot hash", "%x", s.Slothash)
}

func (p *page) timeout(s *verify.Start) {
	length, from := fmt.Sprintf("%d s", s.RefundTimeout), moment(s.StartedAt)
	if s.Missing.Has(verify.FieldRefundTimeout) {
		length = notPublished
	}
	if s.Missing.Has(verify.FieldStartedAt) {
		from = "a start whose time is " + notPublished
	}
	p.field("refund timeout", "%s after %s", length, from)
}

func (p *page) settlement(s *verify.Settled) {
	p.line("")
	p.section("Settlement, as published")
	p.told(s.Missing, verify.FieldServerSeed, "server seed", "%x", s.ServerSeed)
	p.told(s.Missing, verify.FieldSlothash, "slot hash", "%x", s.Slothash)
	if s.HasBust {
		p.told(s.Missing, verify.FieldBustTile, "bust tile", "%d", s.BustTile)
	} else {
		p.told(s.Missing, verify.FieldBustTile, "bust tile", "none")
	}
	if s.Says != verify.OutcomeUnsaid {
		p.field("outcome", "%s, as it says", s.Says)
	}
	p.told(s.Missing, verify.FieldMultiplier, "multiplier", "%d", s.Multiplier)
	p.told(s.Missing, verify.FieldPayout, "payout", "%d", s.Payout)
}

func (p *page) void(v *verify.Voided, c *Case) {
	p.line("")
	p.section("Cancelled")
	p.told(v.Missing, verify.FieldRefund, "refund", "%d", v.Refund)
	p.told(v.Missing, verify.FieldAuthority, "by", "%s", rpc.KeyString(v.Authority))
	p.field("when", "%s", voidedWhen(c.Report.VoidWhen))
}
