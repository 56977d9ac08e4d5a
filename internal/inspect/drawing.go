package inspect

import (
	"fmt"
	"strings"

	"minesaudit/internal/verify"
)

// side is the length of a board's side in tiles.
const side = 5

// A mark is how a tile is drawn.
type mark byte

// The marks of a board that was derived and played on.
const (
	closed       mark = '.'
	revealed     mark = 'o'
	mine         mark = '*'
	bust         mark = 'X'
	minePaid     mark = '!'
	bustSafe     mark = '?'
	bustRevealed mark = '#'
)

// The marks of the published board beside it.
const (
	onlyPublished mark = '+'
	onlyDerived   mark = '-'
)

func meaning(m mark) string {
	switch m {
	case closed:
		return "safe, not revealed"
	case revealed:
		return "revealed, safe"
	case mine:
		return "mine"
	case bust:
		return "bust: the mine that was hit"
	case minePaid:
		return "a mine that was counted as revealed"
	case bustSafe:
		return "bust tile that is no mine"
	case bustRevealed:
		return "bust tile that was counted as revealed too"
	case onlyPublished:
		return "published as a mine, is none"
	case onlyDerived:
		return "a mine that was not published"
	default:
		return ""
	}
}

// marks tells how each tile of a board is drawn.
type marks [verify.Tiles]mark

// played draws a board of mines with what the settlement says was played.
func played(mines uint32, s *verify.Settled) marks {
	var m marks
	for tile := range m {
		isMine, isRevealed := mines>>tile&1 == 1, s.RevealedMask>>tile&1 == 1
		switch isBust := s.HasBust && int(s.BustTile) == tile; {
		case isBust && isRevealed:
			m[tile] = bustRevealed
		case isBust && isMine:
			m[tile] = bust
		case isBust:
			m[tile] = bustSafe
		case isMine && isRevealed:
			m[tile] = minePaid
		case isMine:
			m[tile] = mine
		case isRevealed:
			m[tile] = revealed
		default:
			m[tile] = closed
		}
	}
	return m
}

// compared draws published mines against derived ones.
func compared(published, derived uint32) marks {
	var m marks
	for tile := range m {
		switch was, is := published>>tile&1 == 1, derived>>tile&1 == 1; {
		case was && is:
			m[tile] = mine
		case was:
			m[tile] = onlyPublished
		case is:
			m[tile] = onlyDerived
		default:
			m[tile] = closed
		}
	}
	return m
}

// row draws one row of tiles: number and mark of each.
func (m *marks) row(r int, p paint) string {
	var b strings.Builder
	for tile := r * side; tile < (r+1)*side; tile++ {
		fmt.Fprintf(&b, "%3d %s", tile, p.tile(m[tile]))
	}
	return b.String()
}

func (p paint) tile(m mark) string {
	switch m {
	case revealed:
		return p.in(green, string(m))
	case mine:
		return p.in(bold, string(m))
	case closed:
		return p.in(dim, string(m))
	default:
		return p.in(red, string(m))
	}
}

// legend explains the marks that occur, in the order of first sight.
func legend(boards ...marks) []string {
	var lines []string
	seen := map[mark]bool{}
	for _, board := range boards {
		for _, m := range board {
			if !seen[m] {
				seen[m] = true
				lines = append(lines, fmt.Sprintf("%c %s", m, meaning(m)))
			}
		}
	}
	return lines
}
