package verify

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyHash draws what people type where a hash is asked for.
func anyHash(t *rapid.T, name string) string {
	return rapid.OneOf(
		rapid.StringMatching(`[0-9a-f]{64}`), rapid.StringMatching(`[+-]?[0-9a-fA-F_]{0,70}`), rapid.StringMatching(`f{8,16}[0-9a-f]*`), rapid.String(),
	).Draw(t, name)
}

func FuzzOffChain(f *testing.F) { f.Fuzz(rapid.MakeFuzz(offChainAny)) }

func TestOffChainAny(t *testing.T) { rapid.Check(t, offChainAny) }

// offChainAny asks every game for an answer to anything.
func offChainAny(t *rapid.T) {
	hash := anyHash(t, "hash")
	diceAny(t, hash)
	minesAny(t, hash)
	rocketAny(t, hash)
	platform, err := LastPlatform(hash)
	random, randomErr := BattleRandom(hash)
	if (err == nil) != (randomErr == nil) || (err == nil) != (platform >= 1 && platform <= Platforms) || random < 0 || random > 1 {
		t.Fatalf("platform %d, %v; random %v, %v", platform, err, random, randomErr)
	}
	battleAny(t, hash, random, randomErr)
}

// diceAny divides by math/big what the code under test folds.
func diceAny(t *rapid.T, hash string) {
	selected := rapid.SliceOfN(rapid.Int64Range(0, 7), 0, 7).Draw(t, "selected")
	face, win, err := Dice(hash, selected)
	number, ok := new(big.Int).SetString(hash, 16)
	if !ok || len(selected) < 1 || len(selected) > 5 {
		if err == nil || face != 0 || win {
			t.Fatalf("%q, %v: face %d, %v, no error", hash, selected, face, win)
		}
		return
	}
	want := new(big.Int).Mod(number, big.NewInt(6)).Int64() + 1
	if err != nil || face != want || win != slices.Contains(selected, want) {
		t.Fatalf("%q, %v: face %d, %v, %v; want %d", hash, selected, face, win, err, want)
	}
}

func minesAny(t *rapid.T, seed string) {
	mines := rapid.OneOf(rapid.IntRange(-1, 26), rapid.Int()).Draw(t, "mines")
	tiles, err := HMACMines(seed, mines)
	if err != nil {
		if mines <= Tiles || tiles != nil {
			t.Fatalf("%d mines: %v, %v", mines, tiles, err)
		}
		return
	}
	if len(tiles) != max(0, mines) {
		t.Fatalf("%d mines: %v", mines, tiles)
	}
	seen := map[int]bool{}
	for _, tile := range tiles {
		if tile < 1 || tile > Tiles || seen[tile] {
			t.Fatalf("%d mines: %v", mines, tiles)
		}
		seen[tile] = true
	}
	if mines > 1 {
		fewer, _ := HMACMines(seed, mines-1)
		for i := range fewer {
			if fewer[i] != tiles[i] {
				t.Fatalf("the mines of %d are not the first of %d", mines-1, mines)
			}
		}
	}
}

func rocketAny(t *rapid.T, hash string) {
	r, err := NewRocket(hash)
	number, ok := new(big.Int).SetString(hash, 16)
	instant := ok && new(big.Int).Mod(number, big.NewInt(40)).Sign() == 0
	switch {
	case !ok || !instant && len(hash) < 13:
		if err == nil || r != (Rocket{}) {
			t.Fatalf("%q: %+v, %v", hash, r, err)
		}
		return
	case instant:
		if want := (Rocket{Multiplier: 1, Instant: true}); err != nil || r != want {
			t.Fatalf("%q: %+v, %v", hash, r, err)
		}
		return
	}
	h, ok := new(big.Int).SetString(hash[:13], 16)
	if !ok || err != nil || r.H != h.Int64() {
		t.Fatalf("%q: %+v, %v, want h %v", hash, r, err, h)
	}
	if want := modelRocket(r.H); r.Multiplier != want || math.Abs(r.Hundredth-float64(r.Exact)) > math.Max(1, float64(r.Exact)*1e-15) {
		t.Fatalf("%q: %+v, want %v", hash, r, want)
	}
}

// modelRocket rounds the quotient by hand: to 64 bits, then to 53, ties to even.
func modelRocket(h int64) float64 {
	e := int64(1) << 52
	quotient := big.NewRat(100*e-h, e-h)
	return math.Floor(toFloat(roundTo(53, roundTo(64, quotient)))) / 100
}

func toFloat(r *big.Rat) float64 { f, _ := r.Float64(); return f }

// roundTo rounds a positive number to so many significant bits.
func roundTo(bits int, r *big.Rat) *big.Rat {
	scale := new(big.Rat).SetInt64(1)
	low, high := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(bits-1))), new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(bits)))
	x := new(big.Rat).Set(r)
	for x.Cmp(low) < 0 {
		x.Mul(x, big.NewRat(2, 1))
		scale.Mul(scale, big.NewRat(1, 2))
	}
	for x.Cmp(high) >= 0 {
		x.Mul(x, big.NewRat(1, 2))
		scale.Mul(scale, big.NewRat(2, 1))
	}
	floor, rest := new(big.Int).QuoRem(x.Num(), x.Denom(), new(big.Int))
	switch half := new(big.Int).Lsh(rest, 1).Cmp(x.Denom()); {
	case half > 0, half == 0 && floor.Bit(0) == 1:
		floor.Add(floor, big.NewInt(1))
	}
	return scale.Mul(scale, new(big.Rat).SetInt(floor))
}

func battleAny(t *rapid.T, hash string, random float64, randomErr error) {
	chances := rapid.OneOf(
		rapid.SampledFrom([][]float64{{100}, {50, 50}, {0, 100, 0}, {33.33, 33.33, 33.33}, {99.99}, {100.01}, {math.NaN()}, {10, 10, 10, 10, 10, 10, 10, 10, 10, 10}}),
		rapid.SliceOf(rapid.Float64()),
	).Draw(t, "chances")
	winner, err := BattleWinner(hash, chances)
	sums := BattleSums(chances)
	switch {
	case err == nil:
		before := math.Inf(-1)
		if winner > 0 {
			before = sums[winner-1]
		}
		if randomErr != nil || random >= sums[winner] || random < before {
			t.Fatalf("winner %d of sums %v by %v", winner, sums, random)
		}
	case winner != -1:
		t.Fatalf("winner %d with %v", winner, err)
	case errors.Is(err, ErrNoWinner):
		if random < sums[len(sums)-1] {
			t.Fatalf("no winner of sums %v by %v", sums, random)
		}
	}
}

// Just below each hundredth up to 200 the float quotient reaches it 171 times,
// and the exact one never.
func TestRocketFloorAboveExact(t *testing.T) {
	const e = int64(1) << 52
	above := 0
	for m := int64(101); m <= 20_000; m++ {
		// The least h whose multiplier is m hundredths is the ceiling of
		// (m − 100)·e / (m − 1).
		product := new(big.Int).Mul(big.NewInt(m-100), big.NewInt(e))
		least, rest := product.QuoRem(product, big.NewInt(m-1), new(big.Int))
		h := least.Int64()
		if rest.Sign() == 0 {
			h--
		}
		hash := hashOfH13(h)
		r, err := NewRocket(hash)
		if err != nil || r.H != h || r.Exact != m-1 {
			t.Fatalf("%s: %+v, %v, want %d hundredths", hash, r, err, m-1)
		}
		if r.Hundredth == float64(m) {
			above++
		}
	}
	if above != 171 {
		t.Errorf("%d times, want 171", above)
	}
}

// hashOfH13 makes a hash with these first 13 digits that is no multiple of 40.
func hashOfH13(h int64) string {
	digits := new(big.Int).SetInt64(h).Text(16)
	return strings.Repeat("0", rocketDigits-len(digits)) + digits + strings.Repeat("0", 50) + "1"
}

func TestDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := HashText(rapid.String().Draw(t, "secret"))
		n := rapid.Uint64Range(0, 200).Draw(t, "steps")
		to := from
		for range n {
			to = to.Next()
		}
		limit := rapid.Uint64Range(0, 250).Draw(t, "limit")
		steps, ok := Distance(from, to, limit)
		if ok != (n <= limit) || ok && steps != n {
			t.Fatalf("%d steps within %d, %v; want %d", steps, limit, ok, n)
		}
	})
}
