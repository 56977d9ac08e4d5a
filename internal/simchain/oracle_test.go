package simchain

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"minesaudit/internal/verify"
)

// The derivation and the pay that this package plays by and those that games
// are judged by were written apart, from the published rules. They must agree.

func FuzzOracle(f *testing.F) { f.Fuzz(rapid.MakeFuzz(oracleAgrees)) }

func TestOracle(t *testing.T) { rapid.Check(t, oracleAgrees) }

func oracleAgrees(t *rapid.T) {
	seed, slothash, user := drawKey(t, "seed"), drawKey(t, "slothash"), drawKey(t, "user")
	nonce, mines := rapid.Uint64().Draw(t, "nonce"), rapid.IntRange(1, tiles-1).Draw(t, "mines")
	ours := deriveBoard(seed, slothash, user, nonce, mines)
	theirs, err := verify.Derive(seed, slothash, user, nonce, mines)
	if err != nil {
		t.Fatal(err)
	}
	var order []int
	for _, tile := range theirs.Order[:theirs.N] {
		order = append(order, int(tile))
	}
	if ours.mask != theirs.Mask || !slices.Equal(ours.order, order) || !slices.Equal(ours.thrown, theirs.Rejected) || ours.blocks != theirs.Blocks {
		t.Fatalf("textbook %+v, verify %+v", ours, theirs)
	}

	edge, k := rapid.Uint16Range(0, 10_000).Draw(t, "edge"), rapid.IntRange(0, tiles-mines).Draw(t, "k")
	exact := multiplier(edge, mines, k)
	rules := verify.DefaultRules()
	ratio, err := rules.Multiplier(uint32(edge), mines, k)
	if err != nil {
		t.Fatal(err)
	}
	if got := exact.String(); got != ratio.String() {
		t.Fatalf("textbook multiplier %s, verify %s", got, ratio)
	}
	start := verify.Start{MinesCount: uint8(mines), HouseEdge: uint32(edge), Stake: rapid.Uint64().Draw(t, "stake"), MaxPayout: rapid.Uint64().Draw(t, "max payout")}
	pay := rules.Pay(&start, k, false)
	if m, p := scaled(exact), payout(start.Stake, exact, start.MaxPayout); pay.Multiplier != m || pay.Payout != p || pay.PayoutReason != "" {
		t.Fatalf("textbook pay %d, %d, verify %+v", m, p, pay)
	}
}

func drawKey(t *rapid.T, name string) (k Key) {
	copy(k[:], rapid.SliceOfN(rapid.Byte(), len(k), len(k)).Draw(t, name))
	return k
}
