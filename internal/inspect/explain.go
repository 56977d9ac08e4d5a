package inspect

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"strings"

	"minesaudit/internal/verify"
)

// explain writes how the board and the pay come about.
func (p *page) explain(c *Case, rules *verify.Rules) {
	p.line("")
	switch {
	case c.voided() != nil:
		p.section("Derivation")
		p.line("  none: the seed of a cancelled game is not published")
		return
	case c.Trace == nil:
		p.section("Derivation")
		p.line("  none: it takes the start's terms, with 1 to 24 mines, and the seed of a settlement")
	default:
		p.derivation(c)
	}
	if c.Pay != nil {
		p.pay(c, rules)
	}
}

func (p *page) derivation(c *Case) {
	p.section("Derivation")
	if s := c.start(); s != nil && s.Missing.Has(verify.FieldSlothash) {
		p.line("  the slot hash is the settlement's: that of the start is not published")
	}
	for k := range c.Trace.Blocks {
		b := &c.Trace.Blocks[k]
		p.line("  block(%d) = sha256 of these 117 bytes:", k)
		for _, part := range b.Parts() {
			p.line("    %-12s %x%s", part.Name, part.Bytes, reading(part))
		}
		p.line("  = %x", b.Digest)
	}
	for _, d := range c.Trace.Draws {
		for _, word := range d.Rejected {
			p.line("  draw %2d: %08x = %d is not below the zone %d: rejected", d.At, word, word, d.Zone)
		}
		p.line("  draw %2d: %08x = %d < %d, mod %d = %d: swap places %d and %d, mine at tile %d",
			d.At, d.Word, d.Word, d.Zone, d.Bound, d.Word%d.Bound, d.At, d.With, d.Mine)
	}
}

// reading is what a part's bytes mean, where hex does not show it.
func reading(part verify.Part) string {
	switch part.Name {
	case "nonce", "counter":
		return fmt.Sprintf(" (%d)", binary.LittleEndian.Uint64(part.Bytes))
	case "tag":
		return fmt.Sprintf(" (%q)", part.Bytes)
	default:
		return ""
	}
}

func (p *page) pay(c *Case, rules *verify.Rules) {
	pay, start, settled := c.Pay, c.start(), c.settled()
	p.line("")
	p.section("Pay")
	switch none := pay.Exact == (verify.Ratio{}); {
	case none && (c.Report.Revealed < 0 || start.Missing&(verify.FieldHouseEdge|verify.FieldMinesCount) != 0):
		p.line("  it cannot be worked out: edge, mines or revealed tiles are not published")
		return
	case none:
		p.line("  the formula has no value: %s", pay.MultiplierReason)
		return
	case unsaid(settled):
		p.line("  whether the game is lost is not published; if it is not, the revealed tiles give:")
	case c.Report.Lost:
		p.line("  the game is lost; the revealed tiles would have given:")
	}
	p.line("  multiplier = %s", product(start, rules.EdgeScale, c.Report.Revealed))
	p.line("             = %s = %s", pay.Exact, decimal(pay.Exact))
	p.rounding(pay, rules)
	if rules.Cap == verify.CapMultiplier {
		p.line("  cap on the multiplier: %s / %d", amount(start.Missing, verify.FieldMaxPayout, start.MaxPayout), rules.Scale)
	}
	if start.Missing.Has(verify.FieldStake) {
		p.line("  payout     = floor(stake x %s); the stake is not published", pay.Factor)
	} else {
		p.line("  payout     = floor(%d x %s) = %s", start.Stake, pay.Factor, whole(pay.Product, pay.Bounded))
	}
	if rules.Cap == verify.CapPayout {
		p.line("  cap on the payout: %s", amount(start.Missing, verify.FieldMaxPayout, start.MaxPayout))
	}
	p.line("  owed:      multiplier %s, payout %s", known(pay.Multiplier, pay.MultiplierReason), known(pay.Payout, pay.PayoutReason))
	p.line("  published: multiplier %s, payout %s",
		amount(settled.Missing, verify.FieldMultiplier, settled.Multiplier), amount(settled.Missing, verify.FieldPayout, settled.Payout))
}

func (p *page) rounding(pay *verify.Pay, rules *verify.Rules) {
	switch rules.Rounding {
	case verify.FloorEach:
		p.line("             floor after each step, in units of 1/%d: %s", rules.Scale, list(pay.Floors))
	case verify.Nearest:
		p.line("             x %d, to the nearest integer: %s", rules.Scale, whole(pay.Rounded, pay.Fits))
	default:
		p.line("             floor of it x %d: %s", rules.Scale, whole(pay.Rounded, pay.Fits))
	}
}

// product is the formula with its numbers.
func product(s *verify.Start, edgeScale uint32, k int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d/%d", edgeScale-s.HouseEdge, edgeScale)
	for i := range k {
		fmt.Fprintf(&b, " x %d/%d", verify.Tiles-i, verify.Tiles-int(s.MinesCount)-i)
	}
	return b.String()
}

// decimal is a ratio in decimals, cut after ten of them.
func decimal(r verify.Ratio) string {
	const places = 10
	scaled := new(big.Int).Mul(new(big.Int).SetUint64(r.Num), big.NewInt(10_000_000_000))
	quotient, rest := new(big.Int).QuoRem(scaled, new(big.Int).SetUint64(r.Den), new(big.Int))
	digits := fmt.Sprintf("%0*s", places+1, quotient.String())
	text := digits[:len(digits)-places] + "." + digits[len(digits)-places:]
	if rest.Sign() != 0 {
		return text + "..."
	}
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

func whole(n uint64, fits bool) string {
	if !fits {
		return "more than 64 bits hold"
	}
	return fmt.Sprint(n)
}

func known(n uint64, unknown verify.Reason) string {
	if unknown != "" {
		return "unknown (" + string(unknown) + ")"
	}
	return fmt.Sprint(n)
}

func list(numbers []uint64) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = fmt.Sprint(n)
	}
	return strings.Join(texts, ", ")
}
