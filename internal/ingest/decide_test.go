package ingest

import (
	"slices"
	"testing"

	"minesaudit/internal/assemble"
	"minesaudit/internal/decode"
	"minesaudit/internal/store"
)

// A game with countless ends is judged by its first events, the same ones
// whichever way they came.
func TestAGameWithCountlessEndsStaysBounded(t *testing.T) {
	t.Parallel()
	id := store.NewGameID(decode.GameKey{Nonce: 1})
	void := func(slot uint64) piece {
		return piece{Tx: int64(slot), Slot: slot, Event: decode.Event{Kind: decode.KindVoided, Key: decode.GameKey{Nonce: 1}, Voided: &decode.Voided{}}}
	}
	var all []piece
	for slot := uint64(1000); slot > 0; slot-- {
		all = append(all, void(slot))
	}
	want := slices.Clone(all)
	slices.SortFunc(want, assemble.ChainOrder)
	want = want[:store.MostEvents]
	for _, cut := range []int{0, 1, 500, 999, 1000} {
		// The record gives the first of what it holds.
		held := slices.Clone(all[cut:])
		slices.SortFunc(held, assemble.ChainOrder)
		got := gather(id, nil, &changes{fresh: map[store.GameID][]piece{id: append(slices.Clone(all[:cut]), held[:min(len(held), store.MostEvents)]...)}})
		if len(got.pieces) != store.MostEvents || !slices.EqualFunc(got.pieces, want, func(a, b piece) bool { return a.Slot == b.Slot }) {
			t.Errorf("with %d fresh events the game is judged by %d pieces from slot %d on", cut, len(got.pieces), got.pieces[0].Slot)
		}
	}
}
