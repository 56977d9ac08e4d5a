package assemble

import (
	"slices"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// identify sets the user and the nonce of a game whose pieces are sorted. A part
// that is zero in the key may be one that the key does not have: the events say,
// if there are any.
func identify(game *verify.Game, key decode.GameKey, pieces []Piece) {
	game.User, game.Nonce = key.User, key.Nonce
	if len(pieces) == 0 {
		return
	}
	if key.User == [32]byte{} {
		if e := publisher(pieces, decode.FieldUser); e != nil {
			game.User = e.User
		} else {
			game.Missing |= verify.FieldUser
		}
	}
	if key.Nonce == 0 {
		if e := publisher(pieces, decode.FieldNonce); e != nil {
			game.Nonce = e.Nonce
		} else {
			game.Missing |= verify.FieldNonce
		}
	}
}

// publisher is the event that a field of the whole game is taken from: the first
// start, else the first end; nil if neither publishes it.
func publisher(pieces []Piece, f decode.Fields) *decode.Event {
	for _, wanted := range []func(Piece) bool{Piece.IsStart, Piece.IsEnd} {
		if i := slices.IndexFunc(pieces, wanted); i >= 0 && !pieces[i].Event.Missing.Has(f) {
			return &pieces[i].Event
		}
	}
	return nil
}
