package assemble

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

func started(slot uint64, sig byte, ordinal uint32) Piece {
	return Piece{Signature: [64]byte{sig}, Slot: slot, Ordinal: ordinal, Event: decode.Event{
		Kind: decode.KindStarted, Started: &decode.Started{
			MinesCount: 3, Stake: slot*100 + uint64(sig)*10 + uint64(ordinal), CommitHash: [32]byte{1}, Slothash: [32]byte{2},
			HouseEdge: 4, MaxPayout: 5, RefundTimeout: 6, StartedAt: 7,
		},
	}}
}

func settledAt(slot uint64, sig byte, ordinal uint32) Piece {
	return Piece{Signature: [64]byte{sig}, Slot: slot, Ordinal: ordinal, BlockTime: 99, HasBlockTime: true, Event: decode.Event{
		Kind: decode.KindSettled, Settled: &decode.Settled{
			ServerSeed: [32]byte{1}, Slothash: [32]byte{2}, MinesMask: 3, RevealedMask: 4, BustTile: 5, HasBust: true, Multiplier: 6, Payout: 7,
		},
	}}
}

func voidedAt(slot uint64, sig byte, ordinal uint32) Piece {
	return Piece{Signature: [64]byte{sig}, Slot: slot, Ordinal: ordinal, BlockTime: 98, HasBlockTime: true, Event: decode.Event{
		Kind: decode.KindVoided, Voided: &decode.Voided{Refund: slot, Authority: [32]byte{8}},
	}}
}

// Every field arrives, and the order in which pieces come changes nothing.
func TestGame(t *testing.T) {
	key := decode.GameKey{Game: [32]byte{1}, User: [32]byte{2}, Nonce: 3}
	begin := func(slot uint64, stake uint64) verify.Start {
		return verify.Start{
			MinesCount: 3, Stake: stake, CommitHash: [32]byte{1}, Slothash: [32]byte{2}, HouseEdge: 4, MaxPayout: 5,
			RefundTimeout: 6, StartedAt: 7, Slot: slot,
		}
	}
	void := func(slot uint64) verify.End {
		return verify.End{Kind: verify.EndVoided, Slot: slot, BlockTime: 98, HasBlockTime: true, Voided: verify.Voided{Refund: slot, Authority: [32]byte{8}}}
	}
	want := verify.Game{
		Address: key.Game, User: key.User, Nonce: 3,
		Starts: []verify.Start{begin(10, 1020), begin(10, 1021), begin(10, 1030)},
		Ends: []verify.End{
			{Kind: verify.EndSettled, Slot: 11, BlockTime: 99, HasBlockTime: true, Settled: verify.Settled{
				ServerSeed: [32]byte{1}, Slothash: [32]byte{2}, MinesMask: 3, RevealedMask: 4, BustTile: 5, HasBust: true, Multiplier: 6, Payout: 7,
			}},
			void(12), void(12),
		},
		TiedStarts: 3, // the slot has two transactions with starts, the ends of a slot are in one
	}
	pieces := []Piece{
		started(10, 2, 0), started(10, 2, 1), started(10, 3, 0), settledAt(11, 1, 0), voidedAt(12, 0, 0), voidedAt(12, 0, 1),
	}
	order := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		order.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
		if got := Game(key, pieces); !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %+v\nwant %+v", got, want)
		}
	}
}

func TestTruncatedPieceMakesTruncatedGame(t *testing.T) {
	pieces := []Piece{started(10, 2, 0), settledAt(11, 1, 0)}
	if Game(decode.GameKey{}, pieces).Truncated {
		t.Error("truncated though no log was")
	}
	for i := range pieces {
		pieces[i].Truncated = true
		if !Game(decode.GameKey{}, pieces).Truncated {
			t.Errorf("not truncated though the log of piece %d was", i)
		}
		pieces[i].Truncated = false
	}
}

func TestWhatAPieceIs(t *testing.T) {
	for _, test := range []struct {
		kind       decode.Kind
		start, end bool
	}{
		{decode.KindStarted, true, false},
		{decode.KindSettled, false, true},
		{decode.KindVoided, false, true},
		{decode.KindUnknown, false, false},
		{decode.KindMalformed, false, false},
	} {
		p := Piece{Event: decode.Event{Kind: test.kind}}
		if p.IsStart() != test.start || p.IsEnd() != test.end {
			t.Errorf("%v: start %v, end %v", test.kind, p.IsStart(), p.IsEnd())
		}
	}
}
