package verify

import (
	"crypto/sha256"
	"math"
	"math/bits"

	"pgregory.net/rapid"
)

// drawHash draws 32 bytes.
func drawHash(t *rapid.T, name string) (h [32]byte) {
	copy(h[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, name))
	return h
}

func drawRules(t *rapid.T) Rules {
	r := Rules{
		EdgeScale:      BasisPoints,
		Scale:          rapid.SampledFrom([]uint64{100, 10_000, 1_000_000_000, MaxScale}).Draw(t, "scale"),
		Rounding:       rapid.SampledFrom([]Rounding{FloorOnce, FloorEach, Nearest}).Draw(t, "rounding"),
		Cap:            rapid.SampledFrom([]CapMode{CapPayout, CapMultiplier, CapNone}).Draw(t, "cap"),
		PayoutFrom:     rapid.SampledFrom([]PayoutFrom{FromExact, FromRounded}).Draw(t, "from"),
		LostMultiplier: rapid.SampledFrom([]LostMultiplier{LostZero, LostAtBust}).Draw(t, "lost multiplier"),
	}
	for range rapid.IntRange(0, 2).Draw(t, "operators") {
		r.Operators = append(r.Operators, drawHash(t, "operator"))
	}
	return r
}

func drawStart(t *rapid.T) (Start, [32]byte) {
	seed := drawHash(t, "seed")
	return Start{
		MinesCount: rapid.Uint8Range(1, MaxMines).Draw(t, "mines"),
		// A stake of which no multiplier makes more than 64 bits.
		Stake:         rapid.OneOf(rapid.Uint64Range(0, 10), rapid.Uint64Range(0, math.MaxUint64/5_200_300)).Draw(t, "stake"),
		CommitHash:    sha256.Sum256(seed[:]),
		Slothash:      drawHash(t, "slothash"),
		HouseEdge:     rapid.Uint32Range(0, BasisPoints).Draw(t, "edge"),
		MaxPayout:     rapid.Uint64().Draw(t, "max payout"),
		RefundTimeout: rapid.Int64Range(0, 1<<32).Draw(t, "timeout"),
		StartedAt:     rapid.Int64Range(0, 1<<40).Draw(t, "started at"),
		Slot:          rapid.Uint64Range(0, 1<<50).Draw(t, "slot"),
	}, seed
}

// drawSettled plays a game to its end as the rules have it. What it pays is
// worked out with big numbers.
func drawSettled(t *rapid.T, r *Rules) Game {
	start, seed := drawStart(t)
	g := Game{User: drawHash(t, "user"), Nonce: rapid.Uint64().Draw(t, "nonce"), Starts: []Start{start}}
	board, err := Derive(seed, start.Slothash, g.User, g.Nonce, int(start.MinesCount))
	if err != nil {
		t.Fatal(err)
	}
	s := Settled{ServerSeed: seed, Slothash: start.Slothash, MinesMask: board.Mask}
	s.RevealedMask = rapid.Uint32Range(0, tilesMask).Draw(t, "revealed") &^ board.Mask
	if rapid.Bool().Draw(t, "cleared") {
		s.RevealedMask = tilesMask &^ board.Mask
	}
	if s.HasBust = rapid.Bool().Draw(t, "lost"); s.HasBust {
		s.BustTile = board.Order[rapid.IntRange(0, board.N-1).Draw(t, "bust")]
	}
	repay(&g, r, &s)
	g.Ends = []End{{Kind: EndSettled, Slot: start.Slot + rapid.Uint64Range(0, 1000).Draw(t, "slots"), Settled: s}}
	return g
}

// repay sets what a settlement pays to what its terms and tiles come to.
func repay(g *Game, r *Rules, s *Settled) {
	start := &g.Starts[0]
	multiplier, payout, _, _ := bigDue(r, start, bits.OnesCount32(s.RevealedMask&tilesMask))
	s.Multiplier, s.Payout = multiplier.Uint64(), payout.Uint64()
	if s.HasBust {
		s.Payout = 0
		if r.LostMultiplier == LostZero {
			s.Multiplier = 0
		}
	}
}

// drawVoided cancels a game as the rules have it: by an operator at any time or
// by anyone after the timeout.
func drawVoided(t *rapid.T, r *Rules) Game {
	start, _ := drawStart(t)
	v := Voided{Refund: start.Stake, Authority: drawHash(t, "authority")}
	end := End{Kind: EndVoided, Slot: start.Slot + 1, HasBlockTime: true}
	deadline := start.StartedAt + start.RefundTimeout
	if len(r.Operators) > 0 && rapid.Bool().Draw(t, "by operator") {
		v.Authority = rapid.SampledFrom(r.Operators).Draw(t, "operator")
		end.BlockTime = rapid.Int64Range(start.StartedAt, deadline+10).Draw(t, "block time")
	} else {
		end.BlockTime = rapid.Int64Range(deadline, math.MaxInt64).Draw(t, "block time")
	}
	end.Voided = v
	return Game{User: drawHash(t, "user"), Starts: []Start{start}, Ends: []End{end}}
}

func drawHonest(t *rapid.T, r *Rules) Game {
	if rapid.IntRange(0, 3).Draw(t, "void") == 0 {
		return drawVoided(t, r)
	}
	return drawSettled(t, r)
}

// drawAny draws a game without regard to any rule, from values that often meet.
func drawAny(t *rapid.T) Game {
	u64 := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 100_000), rapid.SampledFrom([]uint64{0, math.MaxUint64}))
	i64 := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 3), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64}))
	hash := func(name string) (h [32]byte) {
		h[0] = rapid.Uint8Range(0, 2).Draw(t, name)
		return h
	}
	mask := rapid.OneOf(rapid.Uint32(), rapid.Uint32Range(0, tilesMask), rapid.SampledFrom([]uint32{0, tilesMask, math.MaxUint32}))
	tile := rapid.OneOf(rapid.Uint8(), rapid.Uint8Range(0, 33))
	g := Game{
		User: hash("user"), Nonce: u64.Draw(t, "nonce"),
		Truncated: rapid.Bool().Draw(t, "truncated"), Complete: rapid.Bool().Draw(t, "complete"),
	}
	for range rapid.IntRange(0, 2).Draw(t, "starts") {
		seed := hash("committed")
		g.Starts = append(g.Starts, Start{
			MinesCount: rapid.OneOf(rapid.Uint8Range(0, 26), rapid.Uint8()).Draw(t, "mines"), Stake: u64.Draw(t, "stake"),
			CommitHash: sha256.Sum256(seed[:]), Slothash: hash("slothash"), HouseEdge: rapid.Uint32().Draw(t, "edge"),
			MaxPayout: u64.Draw(t, "max payout"), RefundTimeout: i64.Draw(t, "timeout"), StartedAt: i64.Draw(t, "started at"), Slot: u64.Draw(t, "slot"),
		})
	}
	for range rapid.IntRange(0, 2).Draw(t, "ends") {
		g.Ends = append(g.Ends, End{
			Kind: EndKind(rapid.Uint8Range(0, 3).Draw(t, "kind")), Slot: u64.Draw(t, "slot"),
			BlockTime: i64.Draw(t, "block time"), HasBlockTime: rapid.Bool().Draw(t, "has block time"),
			Settled: Settled{
				ServerSeed: hash("seed"), Slothash: hash("slothash"), MinesMask: mask.Draw(t, "mask"), RevealedMask: mask.Draw(t, "revealed"),
				BustTile: tile.Draw(t, "bust"), HasBust: rapid.Bool().Draw(t, "lost"), Multiplier: u64.Draw(t, "multiplier"), Payout: u64.Draw(t, "payout"),
			},
			Voided: Voided{Refund: u64.Draw(t, "refund"), Authority: hash("authority")},
		})
	}
	return g
}
