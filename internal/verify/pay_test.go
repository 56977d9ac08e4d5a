package verify

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The steps shown must lead to what Judge holds a settlement against.
func TestPayLeadsToWhatIsDue(t *testing.T) {
	u64 := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 1_000_000), rapid.SampledFrom([]uint64{0, 1, 1 << 63, math.MaxUint64}))
	rapid.Check(t, func(t *rapid.T) {
		r := Rules{
			EdgeScale:  BasisPoints,
			Scale:      rapid.SampledFrom([]uint64{1, 100, 10_000, MaxScale, math.MaxUint64}).Draw(t, "scale"),
			Rounding:   rapid.SampledFrom([]Rounding{FloorOnce, FloorEach, Nearest}).Draw(t, "rounding"),
			Cap:        rapid.SampledFrom([]CapMode{CapPayout, CapMultiplier, CapNone}).Draw(t, "cap"),
			PayoutFrom: rapid.SampledFrom([]PayoutFrom{FromExact, FromRounded}).Draw(t, "from"),
		}
		mines := rapid.IntRange(1, MaxMines).Draw(t, "mines")
		k := rapid.IntRange(0, Tiles-mines).Draw(t, "k")
		s := Start{
			MinesCount: uint8(mines), HouseEdge: rapid.Uint32Range(0, 10_000).Draw(t, "edge"),
			Stake: u64.Draw(t, "stake"), MaxPayout: u64.Draw(t, "max payout"),
		}
		p, owed := r.Pay(&s, k, false), r.due(&s, k, false)
		if p.Multiplier != owed.multiplier || p.Payout != owed.payout || p.MultiplierReason != owed.multiplierGap.reason || p.PayoutReason != owed.payoutGap.reason {
			t.Fatalf("%+v, due is %+v", p, owed)
		}
		multiplier, payout, fits, bounded := p.Rounded, p.Product, p.Fits, p.Bounded
		if r.Cap == CapMultiplier && (!fits || multiplier > s.MaxPayout) {
			multiplier, fits = s.MaxPayout, true
		}
		if r.Cap == CapPayout && (!bounded || payout > s.MaxPayout) {
			payout, bounded = s.MaxPayout, true
		}
		if fits != (owed.multiplierGap.reason == "") || fits && multiplier != owed.multiplier {
			t.Fatalf("the steps lead to multiplier %d (%v), due is %+v", multiplier, fits, owed)
		}
		if fits && (bounded != (owed.payoutGap.reason == "") || bounded && payout != owed.payout) {
			t.Fatalf("the steps lead to payout %d (%v), due is %+v", payout, bounded, owed)
		}
		if r.Rounding == FloorEach && p.Fits && (len(p.Floors) != k+1 || p.Floors[k] != p.Rounded) {
			t.Fatalf("floors %v end in %d", p.Floors, p.Rounded)
		}
	})
}

func TestPay(t *testing.T) {
	s := Start{MinesCount: 5, HouseEdge: 300, Stake: 1_000_001, MaxPayout: 1_500_000}
	p := (&Rules{EdgeScale: BasisPoints, Scale: 100, Rounding: FloorEach}).Pay(&s, 3, false)
	// 97, × 25/20 = 121.25, × 24/19 = 152.8…, × 23/18 = 194.2…
	if want := []uint64{97, 121, 152, 194}; !slices.Equal(p.Floors, want) {
		t.Errorf("floors %v, want %v", p.Floors, want)
	}
	// 0.97 × 25/20 × 24/19 × 23/18 = 22310/11400 = 1.957…
	if p.Exact.String() != "2231/1140" || p.Product != 1_957_019 || p.Payout != 1_500_000 {
		t.Errorf("%v of it is %d, %d paid", p.Exact, p.Product, p.Payout)
	}
	lost := (&Rules{EdgeScale: BasisPoints, Scale: 100}).Pay(&s, 3, true)
	if lost.Multiplier != 0 || lost.Payout != 0 || lost.Rounded != 195 {
		t.Errorf("lost: %+v", lost)
	}
	for name, p := range map[string]Pay{
		"no start":            (&Rules{EdgeScale: BasisPoints, Scale: 1}).Pay(nil, 3, false),
		"no scale":            (&Rules{}).Pay(&s, 3, false),
		"more than are safe":  (&Rules{EdgeScale: BasisPoints, Scale: 1}).Pay(&s, 21, false),
		"edge above a whole":  (&Rules{EdgeScale: BasisPoints, Scale: 1}).Pay(&Start{MinesCount: 5, HouseEdge: 10_001}, 1, false),
		"mines out of bounds": (&Rules{EdgeScale: BasisPoints, Scale: 1}).Pay(&Start{MinesCount: 25}, 0, false),
	} {
		if p.MultiplierReason == "" || p.PayoutReason == "" || p.Exact != (Ratio{}) {
			t.Errorf("%s: %+v", name, p)
		}
	}
}
