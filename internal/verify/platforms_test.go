package verify

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"pgregory.net/rapid"
)

// The four numbers of firstInt31, worked out from what math/rand gives. Its n-th
// draw adds word 607 − n to word 334 − n and keeps the sum in the place of the
// latter, so that draw 335 adds word 606 and what draw 62 left.
func TestFirstInt31Numbers(t *testing.T) {
	const p = math.MaxInt32
	power := func(n int) uint64 {
		x := uint64(1)
		for range n {
			x = x * 48271 % p
		}
		return x
	}
	source := rand.NewSource(1).(rand.Source64)
	var draws [336]uint64
	for n := 1; n <= 335; n++ {
		draws[n] = source.Uint64()
	}
	made := func(steps int) uint64 { return power(steps)<<40 ^ power(steps+1)<<20 ^ power(steps+2) }
	word606 := draws[335] - draws[62]
	word333 := draws[1] - word606
	if power(1020) != to333 || power(1839) != to606 {
		t.Errorf("the powers are %d and %d", power(1020), power(1839))
	}
	if a, b := word333^made(1020), word606^made(1839); a != with333 || b != with606 {
		t.Errorf("the words are combined with %#x and %#x", a, b)
	}
}

func TestLastPlatformIsTheLibrarys(t *testing.T) {
	check := func(t rapid.TB, seed int64) {
		want := rand.New(rand.NewSource(seed))
		if got := int32(firstInt31(seed)); got != want.Int31() {
			t.Fatalf("seed %d: first word %d", seed, got)
		}
		got, err := LastPlatform(fmt.Sprintf("%016x", uint64(seed)))
		if want := rand.New(rand.NewSource(seed)).Intn(Platforms) + 1; err != nil || got != want {
			t.Fatalf("seed %d: platform %d, %v, want %d", seed, got, err, want)
		}
	}
	for _, seed := range []int64{
		0, 1, -1, math.MaxInt32, -math.MaxInt32, 2 * math.MaxInt32, math.MaxInt32 - 1, math.MaxInt32 + 1, math.MinInt64, math.MaxInt64, 89482311,
	} {
		check(t, seed)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.Int64().Draw(t, "seed")) })
}
