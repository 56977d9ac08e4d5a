package verify

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// An edge written finer is the same edge: the report of a game in billionths is
// that in basis points.
func TestEdgeScalesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := drawRules(t)
		g := drawHonest(t, &rules)
		if rapid.Bool().Draw(t, "cheat") {
			g.Ends[0].Settled.Multiplier++
			g.Ends[0].Settled.Payout--
		}
		fine, finer := rules, g
		fine.EdgeScale = MaxEdgeScale
		finer.Starts = slices.Clone(g.Starts)
		finer.Starts[0].HouseEdge *= MaxEdgeScale / BasisPoints
		a, b := Judge(&g, &rules), Judge(&finer, &fine)
		if a.Packed() != b.Packed() || a.Verdict != b.Verdict || !slices.Equal(a.Findings, b.Findings) {
			t.Fatalf("in basis points %+v, in billionths %+v", a, b)
		}
	})
}

// Every multiplier of every edge scale fits its ratio and is exact.
func TestMultiplierIsExactInAnyScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Rules{EdgeScale: rapid.OneOf(rapid.Uint32Range(1, math.MaxUint32), rapid.SampledFrom([]uint32{MaxEdgeScale, math.MaxUint32})).Draw(t, "edge scale")}
		edge := rapid.OneOf(rapid.Uint32Range(0, r.EdgeScale), rapid.Just(uint32(0)), rapid.Just(r.EdgeScale)).Draw(t, "edge")
		mines := rapid.IntRange(1, MaxMines).Draw(t, "mines")
		k := rapid.IntRange(0, Tiles-mines).Draw(t, "k")
		ratio, err := r.Multiplier(edge, mines, k)
		if err != nil {
			t.Fatal(err)
		}
		got := new(big.Rat).SetFrac(new(big.Int).SetUint64(ratio.Num), new(big.Int).SetUint64(ratio.Den))
		if want := bigRatio(edge, r.EdgeScale, mines, k); got.Cmp(want) != 0 {
			t.Fatalf("%v, want %v", got, want)
		}
		if ratio.Num >= 1<<55 || ratio.Den >= 1<<55 {
			t.Fatalf("%#v is above its bound", ratio)
		}
	})
}

func TestEdgesThatAreNoWholeBasisPoints(t *testing.T) {
	rules := Rules{EdgeScale: 1_000_000_000, Scale: 1_000_000_000_000}
	start := Start{MinesCount: 3, HouseEdge: 27_500_001, Stake: 1_000_000_000_000, MaxPayout: math.MaxUint64}
	// 0.972499999 × 25·24/(22·21) = 1.262987011688311688…
	if got, want := rules.due(&start, 2, false), (due{multiplier: 1_262_987_011_688, payout: 1_262_987_011_688}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	start.HouseEdge = 1_000_000_001
	if got := rules.due(&start, 2, false); got != unknownDue(because(ReasonEdgeRange)) {
		t.Errorf("an edge above the whole: %+v", got)
	}
	if got := (&Rules{Scale: 1}).due(&start, 2, false); got != unknownDue(because(ReasonNoScale)) {
		t.Errorf("no scale of the edge: %+v", got)
	}
}
