package simchain

import "math/big"

// multiplierScale is what the program multiplies its multipliers by before it
// rounds them down: 10,000 is 1.0000×.
const multiplierScale = 10_000

// multiplier is the exact factor of a game with M mines after k safe tiles:
// (1 − edge) × Π (25 − i) / (25 − M − i), i from 0 to k − 1.
// It needs k ≤ 25 − M.
func multiplier(edgeBPS uint16, mines, k int) *big.Rat {
	m := big.NewRat(int64(10_000-int(edgeBPS)), 10_000)
	for i := range k {
		m.Mul(m, big.NewRat(int64(tiles-i), int64(tiles-mines-i)))
	}
	return m
}

// scaled is the multiplier as an event states it: × 10,000, rounded down once.
func scaled(m *big.Rat) uint64 {
	return floor(new(big.Rat).Mul(m, big.NewRat(multiplierScale, 1))).Uint64()
}

// payout is min(⌊stake × m⌋, limit).
func payout(stake uint64, m *big.Rat, limit uint64) uint64 {
	exact := new(big.Rat).SetInt(new(big.Int).SetUint64(stake))
	whole := floor(exact.Mul(exact, m))
	if most := new(big.Int).SetUint64(limit); whole.Cmp(most) > 0 {
		return limit
	}
	return whole.Uint64()
}

// floor rounds a number that is not negative down.
func floor(x *big.Rat) *big.Int { return new(big.Int).Quo(x.Num(), x.Denom()) }

// payTable remembers exact multipliers: a chain has a few edges, and building a
// product of fractions is the dearest step of a game.
type payTable map[[3]int]*big.Rat

func (p payTable) multiplier(edgeBPS uint16, mines, k int) *big.Rat {
	at := [3]int{int(edgeBPS), mines, k}
	if m, known := p[at]; known {
		return m
	}
	m := multiplier(edgeBPS, mines, k)
	p[at] = m
	return m
}
