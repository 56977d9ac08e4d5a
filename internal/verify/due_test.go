package verify

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// bigRatio is the product as the texts have it, literally.
func bigRatio(edge, scale uint32, mines, k int) *big.Rat {
	m := big.NewRat(int64(scale)-int64(edge), int64(scale))
	for i := range k {
		m.Mul(m, big.NewRat(int64(25-i), int64(25-mines-i)))
	}
	return m
}

// bigDue works out what is owed with numbers of any size. ok is false where a
// value needs more than 64 bits and nothing caps it.
func bigDue(r *Rules, s *Start, k int) (multiplier, payout *big.Int, multiplierOK, payoutOK bool) {
	scale := new(big.Rat).SetInt(new(big.Int).SetUint64(r.Scale))
	limit := new(big.Int).SetUint64(s.MaxPayout)
	exact := bigRatio(s.HouseEdge, r.EdgeScale, int(s.MinesCount), k)
	scaled := new(big.Rat).Mul(exact, scale)
	switch r.Rounding {
	case FloorOnce:
		multiplier = ratFloor(scaled)
	case Nearest:
		multiplier = ratFloor(new(big.Rat).Add(scaled, big.NewRat(1, 2)))
	case FloorEach:
		step := new(big.Rat).Mul(scale, big.NewRat(int64(r.EdgeScale)-int64(s.HouseEdge), int64(r.EdgeScale)))
		multiplier = ratFloor(step)
		for i := range k {
			step.SetInt(multiplier)
			step.Mul(step, big.NewRat(int64(25-i), int64(25-int(s.MinesCount)-i)))
			multiplier = ratFloor(step)
		}
	}
	if r.Cap == CapMultiplier {
		if multiplier.Cmp(limit) > 0 {
			multiplier = limit
		}
		if capped := new(big.Rat).Quo(new(big.Rat).SetInt(limit), scale); exact.Cmp(capped) > 0 {
			exact = capped
		}
	}
	if r.PayoutFrom == FromRounded {
		exact = new(big.Rat).Quo(new(big.Rat).SetInt(multiplier), scale)
	}
	payout = ratFloor(new(big.Rat).Mul(exact, new(big.Rat).SetInt(new(big.Int).SetUint64(s.Stake))))
	if r.Cap == CapPayout && payout.Cmp(limit) > 0 {
		payout = limit
	}
	return multiplier, payout, multiplier.IsUint64(), multiplier.IsUint64() && payout.IsUint64()
}

func TestDueAgainstBigNumbers(t *testing.T) {
	u64 := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 1_000_000), rapid.SampledFrom([]uint64{0, 1, 1 << 63, math.MaxUint64 - 1, math.MaxUint64}))
	rapid.Check(t, func(t *rapid.T) {
		r := Rules{
			EdgeScale:  rapid.OneOf(rapid.SampledFrom([]uint32{1, BasisPoints, MaxEdgeScale, math.MaxUint32}), rapid.Uint32Range(1, MaxEdgeScale)).Draw(t, "edge scale"),
			Scale:      rapid.OneOf(rapid.SampledFrom([]uint64{1, 100, 10_000, 1_000_000_000, MaxScale, math.MaxUint64}), rapid.Uint64Range(1, MaxScale)).Draw(t, "scale"),
			Rounding:   rapid.SampledFrom([]Rounding{FloorOnce, FloorEach, Nearest}).Draw(t, "rounding"),
			Cap:        rapid.SampledFrom([]CapMode{CapPayout, CapMultiplier, CapNone}).Draw(t, "cap"),
			PayoutFrom: rapid.SampledFrom([]PayoutFrom{FromExact, FromRounded}).Draw(t, "from"),
		}
		mines := rapid.IntRange(1, MaxMines).Draw(t, "mines")
		k := rapid.IntRange(0, Tiles-mines).Draw(t, "k")
		s := Start{
			MinesCount: uint8(mines), HouseEdge: rapid.Uint32Range(0, r.EdgeScale).Draw(t, "edge"),
			Stake: u64.Draw(t, "stake"), MaxPayout: u64.Draw(t, "max payout"),
		}
		multiplier, payout, multiplierOK, payoutOK := bigDue(&r, &s, k)
		got := r.due(&s, k, false)
		if (got.multiplierGap.reason == "") != multiplierOK || multiplierOK && got.multiplier != multiplier.Uint64() {
			t.Fatalf("multiplier %d (%s), want %v", got.multiplier, got.multiplierGap.reason, multiplier)
		}
		if (got.payoutGap.reason == "") != payoutOK || payoutOK && got.payout != payout.Uint64() {
			t.Fatalf("payout %d (%s), want %v", got.payout, got.payoutGap.reason, payout)
		}
	})
}

func TestDue(t *testing.T) {
	half := Start{MinesCount: 24, HouseEdge: 9_800, Stake: 10, MaxPayout: math.MaxUint64}     // k = 1: 25 × 0.02 = 0.5
	fifth := Start{MinesCount: 1, HouseEdge: 0, Stake: 1e12 + 7, MaxPayout: math.MaxUint64}   // k = 3: 25/22
	whale := Start{MinesCount: 12, HouseEdge: 0, Stake: math.MaxUint64, MaxPayout: 1_000_000} // k = 13: 5,200,300
	tests := []struct {
		name  string
		rules Rules
		start Start
		k     int
		lost  bool
		want  due
	}{
		{"floor", Rules{Scale: 10_000}, fifth, 3, false, due{multiplier: 11_363, payout: 1_136_363_636_371}},
		{"payout from the rounded multiplier", Rules{Scale: 10_000, PayoutFrom: FromRounded}, fifth, 3, false, due{multiplier: 11_363, payout: 1_136_300_000_007}},
		{"a half goes up", Rules{Scale: 1, Rounding: Nearest}, half, 1, false, due{multiplier: 1, payout: 5}},
		{"a half goes down", Rules{Scale: 1}, half, 1, false, due{multiplier: 0, payout: 5}},
		{"floor of each step", Rules{Scale: 1, Rounding: FloorEach}, half, 1, false, due{multiplier: 0, payout: 5}},
		{"payout over 64 bits is the cap", Rules{Scale: 10_000}, whale, 13, false, due{multiplier: 52_003_000_000, payout: 1_000_000}},
		{"payout over 64 bits without cap", Rules{Scale: 10_000, Cap: CapNone}, whale, 13, false, due{multiplier: 52_003_000_000, payoutGap: because(ReasonPayoutOverflow)}},
		{"capped multiplier", Rules{Scale: 10_000, Cap: CapMultiplier}, Start{MinesCount: 24, Stake: 3, MaxPayout: 15_000}, 1, false, due{multiplier: 15_000, payout: 4}},
		{"a cap between the exact and the rounded multiplier", Rules{Scale: 1, Cap: CapMultiplier}, Start{MinesCount: 24, HouseEdge: 300, Stake: 100, MaxPayout: 24}, 1, false, due{multiplier: 24, payout: 2400}},
		{"multiplier over 64 bits", Rules{Scale: math.MaxUint64}, fifth, 3, false, unknownDue(because(ReasonMultiplierOverflow))},
		{"multiplier over 64 bits is over its cap", Rules{Scale: math.MaxUint64, Cap: CapMultiplier}, fifth, 3, false, due{multiplier: math.MaxUint64, payout: 1e12 + 7}},
		{"lost", Rules{Scale: 10_000}, fifth, 3, true, due{}},
		{"lost, multiplier at the bust", Rules{Scale: 10_000, LostMultiplier: LostAtBust}, fifth, 3, true, due{multiplier: 11_363}},
		{"lost, nothing to work out", Rules{Scale: 10_000}, Start{MinesCount: 99, HouseEdge: 20_000}, 25, true, due{}},
		{"untouched", Rules{Scale: 10_000}, Start{MinesCount: 5, HouseEdge: 300, Stake: 101, MaxPayout: 1000}, 0, false, due{multiplier: 9_700, payout: 97}},
		{"whole edge", Rules{Scale: 10_000}, Start{MinesCount: 5, HouseEdge: 10_000, Stake: 101, MaxPayout: 1000}, 5, false, due{}},
		{"edge over the whole", Rules{Scale: 10_000}, Start{MinesCount: 5, HouseEdge: 10_001, Stake: 101}, 5, false, unknownDue(because(ReasonEdgeRange))},
		{"no mines", Rules{Scale: 10_000}, Start{MinesCount: 0}, 0, false, unknownDue(because(ReasonMinesCountRange))},
		{"all mines", Rules{Scale: 10_000}, Start{MinesCount: 25}, 0, false, unknownDue(because(ReasonMinesCountRange))},
		{"more tiles than are safe", Rules{Scale: 10_000}, Start{MinesCount: 5}, 21, false, unknownDue(because(ReasonTooManyRevealed))},
		{"no scale", Rules{}, fifth, 3, false, unknownDue(because(ReasonNoScale))},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.rules.EdgeScale = BasisPoints
			if got := test.rules.due(&test.start, test.k, test.lost); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
	if got := (&Rules{EdgeScale: BasisPoints, Scale: 1}).due(nil, 3, false); got != unknownDue(because(ReasonStartNotSeen)) {
		t.Errorf("without a start: %+v", got)
	}
}

// Rounding matters: the modes must not be the same thing under three names.
func TestRoundingsDiffer(t *testing.T) {
	count := map[Rounding]int{}
	n := 0
	for mines := 1; mines <= MaxMines; mines++ {
		for k := 0; k <= Tiles-mines; k++ {
			start := Start{MinesCount: uint8(mines), HouseEdge: 250}
			base := (&Rules{EdgeScale: BasisPoints, Scale: 10_000}).due(&start, k, false).multiplier
			for _, rounding := range []Rounding{FloorEach, Nearest} {
				if (&Rules{EdgeScale: BasisPoints, Scale: 10_000, Rounding: rounding}).due(&start, k, false).multiplier != base {
					count[rounding]++
				}
			}
			n++
		}
	}
	if count[FloorEach] < n/2 || count[Nearest] < n/5 || count[Nearest] > n*3/4 {
		t.Errorf("of %d multipliers %d differ by a floor at each step, %d by the nearest", n, count[FloorEach], count[Nearest])
	}
}

func TestRatioText(t *testing.T) {
	for ratio, want := range map[Ratio]string{{6, 4}: "3/2", {0, 5}: "0/1", {5, 5}: "1/1", {7, 3}: "7/3"} {
		if got := ratio.String(); got != want {
			t.Errorf("%#v: %s, want %s", ratio, got, want)
		}
	}
}
