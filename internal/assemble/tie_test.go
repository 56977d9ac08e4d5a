package assemble

import (
	"testing"

	"minesaudit/internal/decode"
)

func end(slot uint64, signature byte, ordinal uint32) Piece {
	return Piece{Slot: slot, Signature: [64]byte{signature}, Ordinal: ordinal, Event: decode.Event{Kind: decode.KindVoided, Voided: &decode.Voided{}}}
}

func TestTies(t *testing.T) {
	for _, c := range []struct {
		name   string
		pieces []Piece
		want   int
	}{
		{"one end", []Piece{end(5, 1, 0)}, 0},
		{"two in one transaction: their order is known", []Piece{end(5, 1, 0), end(5, 1, 1)}, 0},
		{"two in one slot", []Piece{end(5, 2, 0), end(5, 1, 0)}, 2},
		{"two slots", []Piece{end(6, 1, 0), end(5, 2, 0)}, 0},
		{"two in the first slot, one later", []Piece{end(5, 1, 0), end(6, 1, 0), end(5, 2, 0)}, 2},
		{"a tie that is not the first", []Piece{end(4, 9, 0), end(5, 1, 0), end(5, 2, 0)}, 0},
	} {
		if got := Game(decode.GameKey{}, c.pieces); got.TiedEnds != c.want || got.TiedStarts != 0 {
			t.Errorf("%s: %d ends and %d starts are tied, want %d and none", c.name, got.TiedEnds, got.TiedStarts, c.want)
		}
	}
}
