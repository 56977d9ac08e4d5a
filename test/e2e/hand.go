//go:build e2e

package e2e

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"math"
	"math/bits"
)

// Terms are what a game is started on.
type Terms struct {
	Seed          [32]byte
	Mines         uint8
	Stake         uint64
	EdgeBPS       uint16
	MaxPayout     uint64
	RefundTimeout int64 // seconds
}

// Commit is the hash that binds the seed before play.
func (t Terms) Commit() [32]byte { return sha256.Sum256(t.Seed[:]) }

// plainTerms has a new seed and terms under which a win of four tiles pays more than the stake.
func plainTerms() Terms {
	return Terms{Seed: randomHash(), Mines: 5, Stake: 123_456_789, EdgeBPS: 300, MaxPayout: math.MaxUint64, RefundTimeout: 3600}
}

func randomHash() (h [32]byte) {
	rand.Read(h[:])
	return h
}

// A Hand is a started game and all that its operator knows of it.
type Hand struct {
	Started
	Seed   [32]byte
	Board  *Board // as the chain derived it; nil if the mine count has none
	oracle Oracle
}

func newHand(ctx context.Context, oracle Oracle, s Started, seed [32]byte) (*Hand, error) {
	h := &Hand{Started: s, Seed: seed, oracle: oracle}
	if s.Mines < 1 || s.Mines > 24 {
		return h, nil
	}
	var err error
	h.Board, err = oracle.Derive(ctx, seed, s.SlotHash, s.User, s.Nonce, s.Mines)
	return h, err
}

// Mask is the board's, 0 if there is none.
func (h *Hand) Mask() uint32 {
	if h.Board == nil {
		return 0
	}
	return h.Board.Mask
}

// Safe is the mask of the n lowest safe tiles (of all, if there are fewer).
func (h *Hand) Safe(n int) uint32 { return lowest(^h.Mask()&allTiles, n) }

// SafeTile is the i-th safe tile, from 0.
func (h *Hand) SafeTile(i int) int { return tile(^h.Mask()&allTiles, i) }

// MineTile is the i-th mine, from 0.
func (h *Hand) MineTile(i int) int { return tile(h.Mask(), i) }

// Won is the honest settlement of a cash-out after the tiles of revealed.
func (h *Hand) Won(ctx context.Context, revealed uint32) (Settled, error) {
	s := h.settled(revealed, NoBust)
	p, err := h.Pay(ctx, h.EdgeBPS, revealed)
	s.Multiplier, s.Payout = p.Multiplier, p.Payout
	return s, err
}

// Lost is the honest settlement of a game in which bust was hit after the tiles of revealed.
func (h *Hand) Lost(revealed uint32, bust int) Settled { return h.settled(revealed, bust) }

// Voided is the honest cancellation by an authority.
func (h *Hand) Voided(by [32]byte) Voided {
	return Voided{GameKey: h.GameKey, Refund: h.Stake, Authority: by}
}

// Pay is what the chain pays on this hand's terms but another edge.
func (h *Hand) Pay(ctx context.Context, edge uint16, revealed uint32) (Pay, error) {
	return h.oracle.Pay(ctx, Bet{
		EdgeBPS: edge, Mines: h.Mines, K: uint8(bits.OnesCount32(revealed)), Stake: h.Stake, MaxPayout: h.MaxPayout,
	})
}

func (h *Hand) settled(revealed uint32, bust int) Settled {
	return Settled{
		settledHead: settledHead{GameKey: h.GameKey, Seed: h.Seed, SlotHash: h.SlotHash, Mask: h.Mask(), Revealed: revealed},
		BustTile:    bust,
	}
}

const allTiles = 1<<25 - 1

func lowest(mask uint32, n int) uint32 {
	var out uint32
	for ; n > 0 && mask != 0; n-- {
		bit := mask & -mask
		out |= bit
		mask ^= bit
	}
	return out
}

// tile is the i-th set bit of mask; that it has one is for the caller to know.
func tile(mask uint32, i int) int {
	for ; i > 0; i-- {
		mask &= mask - 1
	}
	return bits.TrailingZeros32(mask)
}
