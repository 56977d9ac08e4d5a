package assemble

import (
	"testing"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// by sets what an event publishes of the user and the nonce.
func by(p Piece, user byte, nonce uint64, missing decode.Fields) Piece {
	p.Event.User, p.Event.Nonce, p.Event.Missing = [32]byte{user}, nonce, missing
	return p
}

func TestIdentity(t *testing.T) {
	const both = decode.FieldUser | decode.FieldNonce
	whole := decode.GameKey{Game: [32]byte{1}, User: [32]byte{2}, Nonce: 3}
	address := decode.GameKey{Game: [32]byte{1}}
	for _, test := range []struct {
		name    string
		key     decode.GameKey
		pieces  []Piece
		user    byte
		nonce   uint64
		missing verify.Fields
	}{
		{"in the key", whole, []Piece{by(started(1, 1, 0), 2, 3, 0), by(settledAt(2, 1, 0), 2, 3, 0)}, 2, 3, 0},
		{"in the key, with a nonce of 0", decode.GameKey{User: [32]byte{2}}, []Piece{by(started(1, 1, 0), 2, 0, 0)}, 2, 0, 0},
		{"by the start", address, []Piece{by(settledAt(2, 1, 0), 7, 8, 0), by(started(1, 1, 0), 2, 3, 0)}, 2, 3, 0},
		{"by the first start", address, []Piece{by(started(2, 1, 0), 7, 8, 0), by(started(1, 1, 0), 2, 3, 0)}, 2, 3, 0},
		{"by the end alone", address, []Piece{by(started(1, 1, 0), 0, 0, both), by(settledAt(2, 1, 0), 2, 3, 0)}, 2, 3, 0},
		{"by a void", address, []Piece{by(voidedAt(2, 1, 0), 2, 3, 0)}, 2, 3, 0},
		{"one by each", address, []Piece{by(started(1, 1, 0), 2, 0, decode.FieldNonce), by(settledAt(2, 1, 0), 0, 3, decode.FieldUser)}, 2, 3, 0},
		{"half in the key", decode.GameKey{User: [32]byte{2}}, []Piece{by(started(1, 1, 0), 2, 0, decode.FieldNonce)}, 2, 0, verify.FieldNonce},
		{"by none", address, []Piece{by(started(1, 1, 0), 0, 0, both), by(settledAt(2, 1, 0), 0, 0, both)}, 0, 0, verify.FieldUser | verify.FieldNonce},
		{"no events", whole, nil, 2, 3, 0},
		{"no events, a nonce of 0", decode.GameKey{User: [32]byte{2}}, nil, 2, 0, 0},
	} {
		g := Game(test.key, test.pieces)
		if g.User != [32]byte{test.user} || g.Nonce != test.nonce || g.Missing != test.missing || g.Address != test.key.Game {
			t.Errorf("%s: user %d, nonce %d, missing %v, want %d, %d, %v", test.name, g.User[0], g.Nonce, g.Missing, test.user, test.nonce, test.missing)
		}
	}
}

// What an event does not publish, and what it says beside, reaches the judge.
func TestMissingFieldsArrive(t *testing.T) {
	pieces := []Piece{started(1, 1, 0), settledAt(2, 1, 0), voidedAt(3, 1, 0)}
	pieces[0].Event.Missing = decode.FieldStake
	pieces[1].Event.Missing = decode.FieldBustTile | decode.FieldPayout
	pieces[1].Event.Settled.Says = decode.OutcomeLost
	pieces[2].Event.Missing = decode.FieldAuthority
	g := Game(decode.GameKey{}, pieces)
	if g.Starts[0].Missing != verify.FieldStake || g.Ends[0].Settled.Missing != verify.FieldBustTile|verify.FieldPayout ||
		g.Ends[0].Settled.Says != verify.OutcomeLost || g.Ends[1].Voided.Missing != verify.FieldAuthority {
		t.Errorf("%+v", g)
	}
}
