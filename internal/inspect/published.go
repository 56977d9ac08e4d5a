package inspect

import (
	"fmt"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

const notPublished = "not published"

// told writes a field of the game's events, or that the program does not publish
// it.
func (p *page) told(missing, f verify.Fields, name, format string, args ...any) {
	if missing.Has(f) {
		p.field(name, notPublished)
		return
	}
	p.field(name, format, args...)
}

// published is a field for JSON; null where the program does not publish it.
func published[T any](missing, f verify.Fields, v T) *T {
	if missing.Has(f) {
		return nil
	}
	return &v
}

// names lists fields for JSON; none is left out of it.
func names(missing verify.Fields) []string { return decode.Fields(missing).Names() }

// amount is a number, or that the program does not publish it.
func amount(missing, f verify.Fields, n uint64) string {
	if missing.Has(f) {
		return notPublished
	}
	return u64(n)
}

// edge writes a house edge: in basis points where the program does.
func edge(s *verify.Start, rules *verify.Rules) string {
	if rules.EdgeScale == verify.BasisPoints {
		return fmt.Sprintf("%d basis points", s.HouseEdge)
	}
	return fmt.Sprintf("%d / %d", s.HouseEdge, rules.EdgeScale)
}

// unsaid reports whether nothing tells if the settled game was won or lost.
func unsaid(s *verify.Settled) bool {
	return s.Missing.Has(verify.FieldBustTile) && s.Says == verify.OutcomeUnsaid
}
