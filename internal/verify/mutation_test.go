package verify

import (
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A mutation makes one thing of an honest settled game false. It returns the
// checks that must fail then and those that may, or false where it does not
// apply.
type mutation func(t *rapid.T, g *Game, r *Rules) (must, may []Check, ok bool)

func settledOf(g *Game) (*Start, *Settled) { return &g.Starts[0], &g.Ends[0].Settled }

// tileOf draws a tile of a mask that is not empty.
func tileOf(t *rapid.T, mask uint32) uint8 {
	n := rapid.IntRange(0, bits.OnesCount32(mask)-1).Draw(t, "which tile")
	for range n {
		mask &= mask - 1
	}
	return uint8(bits.TrailingZeros32(mask))
}

func mutations() map[string]mutation {
	return map[string]mutation{
		"commit": func(t *rapid.T, g *Game, _ *Rules) ([]Check, []Check, bool) {
			start, _ := settledOf(g)
			start.CommitHash[rapid.IntRange(0, 31).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			return []Check{CheckCommit}, nil, true
		},
		"seed": func(t *rapid.T, g *Game, _ *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			s.ServerSeed[rapid.IntRange(0, 31).Draw(t, "byte")] ^= 1
			return []Check{CheckCommit}, []Check{CheckBoard, CheckRevealsSafe, CheckBustIsMine}, true
		},
		"published slot hash": func(t *rapid.T, g *Game, _ *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			s.Slothash[rapid.IntRange(0, 31).Draw(t, "byte")] ^= 1
			return []Check{CheckSlothashKept}, nil, true
		},
		"moved mine": func(t *rapid.T, g *Game, _ *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			from, to := tileOf(t, s.MinesMask), tileOf(t, tilesMask&^s.MinesMask)
			s.MinesMask ^= 1<<from | 1<<to
			return []Check{CheckBoard}, nil, true
		},
		"added or dropped mine": func(t *rapid.T, g *Game, _ *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			s.MinesMask ^= 1 << rapid.IntRange(0, 24).Draw(t, "tile")
			return []Check{CheckBoard, CheckMineCount}, nil, true
		},
		"mine off the board": func(t *rapid.T, g *Game, _ *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			s.MinesMask |= 1 << rapid.IntRange(25, 31).Draw(t, "tile")
			return []Check{CheckBoard, CheckMineCount, CheckMaskRange}, nil, true
		},
		"mine moved off the board": func(t *rapid.T, g *Game, _ *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			s.MinesMask ^= 1<<tileOf(t, s.MinesMask) | 1<<rapid.IntRange(25, 31).Draw(t, "tile")
			return []Check{CheckBoard, CheckMaskRange}, nil, true
		},
		"revealed off the board": func(t *rapid.T, g *Game, _ *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			s.RevealedMask |= 1 << rapid.IntRange(25, 31).Draw(t, "tile")
			return []Check{CheckMaskRange}, nil, true
		},
		"revealed mine": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			start, s := settledOf(g)
			s.RevealedMask |= 1 << tileOf(t, s.MinesMask)
			if bits.OnesCount32(s.RevealedMask) > Tiles-int(start.MinesCount) {
				return nil, nil, false // what it pays has no value
			}
			repay(g, r, s)
			return []Check{CheckRevealsSafe}, []Check{CheckBustNotRevealed}, true
		},
		"more revealed than safe": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			s.RevealedMask = tilesMask
			if s.HasBust {
				return []Check{CheckRevealsSafe, CheckBustNotRevealed}, nil, true
			}
			return []Check{CheckRevealsSafe}, nil, true
		},
		"safe bust tile": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			left := tilesMask &^ s.MinesMask &^ s.RevealedMask
			if !s.HasBust || left == 0 {
				return nil, nil, false
			}
			s.BustTile = tileOf(t, left)
			return []Check{CheckBustIsMine}, nil, true
		},
		"bust tile off the board": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			s.BustTile = rapid.Uint8Range(25, 255).Draw(t, "tile")
			return []Check{CheckBustIsMine}, nil, s.HasBust
		},
		"revealed bust tile": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			if !s.HasBust || s.RevealedMask == 0 {
				return nil, nil, false
			}
			s.BustTile = tileOf(t, s.RevealedMask)
			return []Check{CheckBustIsMine, CheckBustNotRevealed}, nil, true
		},
		"win settled as a loss": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			paid := s.Payout > 0
			s.Multiplier, s.Payout = 0, 0
			return []Check{CheckPayout, CheckOutcome}, []Check{CheckMultiplier}, !s.HasBust && paid
		},
		"loss paid": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			s.Payout += rapid.Uint64Range(1, 1<<60).Draw(t, "payout")
			return []Check{CheckPayout, CheckOutcome}, nil, s.HasBust
		},
		"multiplier": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			s.Multiplier += rapid.SampledFrom([]uint64{1, 1<<64 - 1, 1 << 40}).Draw(t, "by")
			return []Check{CheckMultiplier}, []Check{CheckOutcome}, true
		},
		"payout": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			s.Payout += rapid.SampledFrom([]uint64{1, 1<<64 - 1, 1 << 40}).Draw(t, "by")
			return []Check{CheckPayout}, []Check{CheckOutcome}, true
		},
		"one tile not counted": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			_, s := settledOf(g)
			revealed, multiplier, payout := s.RevealedMask, s.Multiplier, s.Payout
			s.RevealedMask &= s.RevealedMask - 1
			repay(g, r, s)
			differs := s.Multiplier != multiplier && s.Payout != payout
			s.RevealedMask = revealed
			return []Check{CheckMultiplier, CheckPayout}, []Check{CheckOutcome}, differs
		},
		"edge changed": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			start, s := settledOf(g)
			edge, multiplier, payout := start.HouseEdge, s.Multiplier, s.Payout
			start.HouseEdge = min(BasisPoints, edge*2+1)
			repay(g, r, s)
			differs := s.Multiplier != multiplier && s.Payout != payout
			start.HouseEdge = edge
			return []Check{CheckMultiplier, CheckPayout}, []Check{CheckOutcome}, differs
		},
		"mines_count of the start": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			start, _ := settledOf(g)
			old := start.MinesCount
			start.MinesCount = rapid.Uint8Range(1, MaxMines).Draw(t, "mines count")
			return []Check{CheckBoard, CheckMineCount}, []Check{CheckRevealsSafe, CheckBustIsMine, CheckMultiplier, CheckPayout, CheckOutcome}, start.MinesCount != old
		},
		"mines_count out of range": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			start, _ := settledOf(g)
			start.MinesCount = rapid.SampledFrom([]uint8{0, 25, 26, 255}).Draw(t, "mines count")
			return []Check{CheckMineCount}, nil, true
		},
		"settled again": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			g.Ends = append(g.Ends, g.Ends[0])
			return []Check{CheckLifecycle}, nil, true
		},
		"voided after": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			g.Ends = append(g.Ends, End{Kind: EndVoided, Slot: g.Ends[0].Slot})
			return []Check{CheckLifecycle}, nil, true
		},
		"started again": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			other, _ := drawStart(t)
			g.Starts = append(g.Starts, other)
			return []Check{CheckLifecycle}, nil, true
		},
		"ended before it started": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			g.Starts[0].Slot = g.Ends[0].Slot + 1
			return []Check{CheckLifecycle}, nil, true
		},
		"user": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			g.User[0] ^= 1
			return nil, []Check{CheckBoard, CheckRevealsSafe, CheckBustIsMine}, true
		},
		"nonce": func(t *rapid.T, g *Game, r *Rules) ([]Check, []Check, bool) {
			g.Nonce ^= 1 << rapid.IntRange(0, 63).Draw(t, "bit")
			return nil, []Check{CheckBoard, CheckRevealsSafe, CheckBustIsMine}, true
		},
	}
}

func TestEachMutationFails(t *testing.T) {
	for name, mutate := range mutations() {
		t.Run(name, func(t *testing.T) {
			applied := 0
			rapid.Check(t, func(t *rapid.T) {
				rules := drawRules(t)
				g := drawSettled(t, &rules)
				must, may, ok := mutate(t, &g, &rules)
				if !ok {
					return
				}
				applied++
				report := Judge(&g, &rules)
				checkReport(t, &g, &report)
				got := failed(&report)
				for _, c := range must {
					if !slices.Contains(got, c) {
						t.Fatalf("%v is %v: %+v", c, report.Results[c], report.Findings)
					}
				}
				for _, c := range got {
					if !slices.Contains(must, c) && !slices.Contains(may, c) {
						t.Fatalf("%v fails: %+v", c, report.Findings)
					}
				}
				if len(must) > 0 && report.Verdict != VerdictFail {
					t.Fatalf("verdict %v", report.Verdict)
				}
			})
			if applied == 0 {
				t.Error("the mutation was never applied")
			}
		})
	}
}

// The user and the nonce enter the board. A single game may have the same mines
// by chance, many do not.
func TestUserAndNonceEnterTheBoard(t *testing.T) {
	rules := DefaultRules()
	for _, name := range []string{"user", "nonce"} {
		tried, caught := 0, 0
		rapid.Check(t, func(t *rapid.T) {
			tried++
			g := drawSettled(t, &rules)
			mutations()[name](t, &g, &rules)
			if report := Judge(&g, &rules); report.Results[CheckBoard] == ResultFail {
				caught++
			}
		})
		if caught < tried/2 { // with 1 or 24 mines one board of 25 is the same
			t.Errorf("%s: %d of %d caught", name, caught, tried)
		}
	}
}
