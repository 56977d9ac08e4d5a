package inspect

import (
	"fmt"
	"math/bits"
	"strings"

	"minesaudit/internal/verify"
)

// board draws what was derived and played and, where it differs, what was
// published.
func (p *page) board(c *Case, s *verify.Settled) {
	p.line("")
	hidden := s.Missing.Has(verify.FieldMinesMask)
	switch {
	case c.Trace == nil && hidden:
		p.section("Board")
		p.line("  neither published nor to be derived from what is")
		return
	case c.Trace == nil:
		p.section("Board, as published; it could not be derived")
		p.boards(played(s.MinesMask, s))
	case hidden:
		p.section("Board, derived; none is published")
		p.boards(played(c.Trace.Board.Mask, s))
	case s.MinesMask == c.Trace.Board.Mask:
		p.section("Board, derived; the published one is the same")
		p.boards(played(c.Trace.Board.Mask, s))
	default:
		p.section("Board, derived                   Published, where the mines differ")
		p.boards(played(c.Trace.Board.Mask, s), compared(s.MinesMask, c.Trace.Board.Mask))
	}
	if s.Missing.Has(verify.FieldRevealedMask) {
		p.line("  which tiles were revealed is not published")
	}
	p.beyond(s)
}

func (p *page) boards(boards ...marks) {
	for r := range side {
		var rows []string
		for i := range boards {
			rows = append(rows, boards[i].row(r, p.paint))
		}
		p.line("  %s", strings.Join(rows, "      "))
	}
	for _, text := range legend(boards...) {
		p.line("  %s", p.paint.in(dim, text))
	}
}

// beyond names the bits of the masks that are no tiles.
func (p *page) beyond(s *verify.Settled) {
	for _, m := range []struct {
		name string
		mask uint32
	}{{"mines_mask", s.MinesMask}, {"revealed_mask", s.RevealedMask}} {
		if list := bitList(m.mask >> verify.Tiles << verify.Tiles); len(list) > 0 {
			p.line("  %s", p.paint.in(red, fmt.Sprintf("%s has bits beyond the board: %v", m.name, list)))
		}
	}
}

func bitList(mask uint32) []int {
	list := []int{}
	for ; mask != 0; mask &= mask - 1 {
		list = append(list, bits.TrailingZeros32(mask))
	}
	return list
}
