package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"
)

// A fixed honest game: 5 mines, 4 tiles revealed, cashed out at 3 % edge.
func sampleGame(t testing.TB) Game {
	t.Helper()
	seed := [32]byte{1, 2, 3}
	start := Start{
		MinesCount: 5, Stake: 1_000_000, CommitHash: sha256.Sum256(seed[:]), Slothash: [32]byte{4}, HouseEdge: 300,
		MaxPayout: math.MaxUint64, RefundTimeout: 3600, StartedAt: 1_000_000, Slot: 70,
	}
	g := Game{User: [32]byte{5}, Nonce: 6, Starts: []Start{start}}
	board, err := Derive(seed, start.Slothash, g.User, g.Nonce, 5)
	if err != nil {
		t.Fatal(err)
	}
	safe := tilesMask &^ board.Mask
	var revealed uint32
	for range 4 {
		revealed |= safe & -safe
		safe &= safe - 1
	}
	settled := Settled{ServerSeed: seed, Slothash: start.Slothash, MinesMask: board.Mask, RevealedMask: revealed}
	rules := DefaultRules()
	repay(&g, &rules, &settled)
	g.Ends = []End{{Kind: EndSettled, Slot: 71, Settled: settled}}
	return g
}

func TestJudgeSample(t *testing.T) {
	g := sampleGame(t)
	rules := DefaultRules()
	r := Judge(&g, &rules)
	want := Report{Verdict: VerdictPass, Kind: EndSettled, MinesCount: 5, Revealed: 4, StakeBand: 6}
	for _, c := range []Check{
		CheckCommit, CheckSlothashKept, CheckBoard, CheckMineCount, CheckMaskRange, CheckRevealsSafe,
		CheckOutcome, CheckMultiplier, CheckPayout, CheckLifecycle,
	} {
		want.Results[c] = ResultPass
	}
	if r.Results != want.Results || r.Verdict != want.Verdict || r.Kind != want.Kind || r.MinesCount != 5 || r.Revealed != 4 ||
		r.StakeBand != 6 || r.Lost || r.VoidWhen != NotVoid || r.Findings != nil {
		t.Errorf("got %+v, want %+v", r, want)
	}
	// 0.97 × (25·24·23·22)/(20·19·18·17) = 2.5326109….
	if s := g.Ends[0].Settled; s.Multiplier != 25_326 || s.Payout != 2_532_610 {
		t.Errorf("multiplier %d, payout %d", s.Multiplier, s.Payout)
	}
}

func TestJudgeWithoutStart(t *testing.T) {
	inconclusive := []Check{CheckCommit, CheckSlothashKept, CheckBoard, CheckMineCount, CheckRevealsSafe, CheckMultiplier, CheckPayout, CheckLifecycle}
	rules := DefaultRules()
	for _, complete := range []bool{false, true} {
		g := sampleGame(t)
		g.Starts, g.Complete = nil, complete
		r := Judge(&g, &rules)
		want := VerdictPending
		if complete {
			want = VerdictInconclusive
		}
		if r.Verdict != want || r.MinesCount != -1 || r.StakeBand != -2 || r.Revealed != 4 {
			t.Errorf("complete %v: %+v", complete, r)
		}
		var got []Check
		for _, f := range r.Findings {
			got = append(got, f.Check)
			if f.Reason != ReasonStartNotSeen || f.Result != ResultInconclusive {
				t.Errorf("%+v", f)
			}
		}
		if !slices.Equal(got, inconclusive) {
			t.Errorf("inconclusive %v, want %v", got, inconclusive)
		}
	}
}

// What needs no start is told without one, even before it may come.
func TestJudgeWithoutStartStillFails(t *testing.T) {
	rules := DefaultRules()
	for name, test := range map[string]struct {
		change func(*Settled)
		want   []Check
	}{
		"no mines":          {func(s *Settled) { s.MinesMask = 0 }, []Check{CheckMineCount}},
		"25 mines":          {func(s *Settled) { s.MinesMask = tilesMask }, []Check{CheckMineCount}},
		"mask out of range": {func(s *Settled) { s.RevealedMask |= 1 << 31 }, []Check{CheckMaskRange}},
		"bust tile 25":      {func(s *Settled) { s.HasBust, s.BustTile, s.Multiplier, s.Payout = true, 25, 0, 0 }, []Check{CheckBustIsMine}},
		"bust tile 31 revealed": {func(s *Settled) {
			s.RevealedMask |= 1 << 31
			s.HasBust, s.BustTile, s.Multiplier, s.Payout = true, 31, 0, 0
		}, []Check{CheckMaskRange, CheckBustIsMine, CheckBustNotRevealed}},
		"bust tile paid":          {func(s *Settled) { s.HasBust, s.BustTile = true, 24 }, []Check{CheckOutcome, CheckMultiplier, CheckPayout}},
		"bust tile also revealed": {func(s *Settled) { s.RevealedMask = 2; s.HasBust, s.BustTile, s.Multiplier, s.Payout = true, 1, 0, 0 }, []Check{CheckBustNotRevealed}},
	} {
		g := sampleGame(t)
		g.Starts = nil
		test.change(&g.Ends[0].Settled)
		if r := Judge(&g, &rules); !slices.Equal(failed(&r), test.want) || r.Verdict != VerdictFail {
			t.Errorf("%s: verdict %v, fails %v, want %v", name, r.Verdict, failed(&r), test.want)
		}
	}
}

// A win that shows as a loss cannot be told from an honest one without terms.
func TestJudgeUnpaidWinWithoutStart(t *testing.T) {
	g := sampleGame(t)
	g.Starts, g.Complete = nil, true
	g.Ends[0].Settled.Multiplier, g.Ends[0].Settled.Payout = 0, 0
	rules := DefaultRules()
	if r := Judge(&g, &rules); r.Results[CheckOutcome] != ResultInconclusive || r.Verdict != VerdictInconclusive {
		t.Errorf("outcome %v, verdict %v", r.Results[CheckOutcome], r.Verdict)
	}
}

func TestJudgeWinThatOwesNothing(t *testing.T) {
	rules := DefaultRules()
	g := sampleGame(t)
	g.Starts[0].HouseEdge = 10_000
	g.Ends[0].Settled.Multiplier, g.Ends[0].Settled.Payout = 0, 0
	if r := Judge(&g, &rules); r.Verdict != VerdictPass {
		t.Errorf("whole edge: %+v", r.Findings)
	}
	g = sampleGame(t)
	g.Starts[0].Stake = 0
	g.Ends[0].Settled.Payout = 0
	if r := Judge(&g, &rules); r.Verdict != VerdictPass || r.StakeBand != -1 {
		t.Errorf("no stake: band %d, %+v", r.StakeBand, r.Findings)
	}
	rules.LostMultiplier = LostAtBust // now a payout of 0 alone shows a loss
	if r := Judge(&g, &rules); r.Verdict != VerdictPass {
		t.Errorf("no stake, multiplier at the bust: %+v", r.Findings)
	}
}

func TestJudgeReasons(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Game)
		check  Check
		result Result
		reason Reason
	}{
		{"no mines at the start", func(g *Game) { g.Starts[0].MinesCount = 0 }, CheckBoard, ResultInconclusive, ReasonMinesCountRange},
		{"no mines at the start", func(g *Game) { g.Starts[0].MinesCount = 0 }, CheckMineCount, ResultFail, ReasonMinesCountRange},
		{"25 mines at the start", func(g *Game) { g.Starts[0].MinesCount = 25 }, CheckMineCount, ResultFail, ReasonMinesCountRange},
		{"25 mines at the start", func(g *Game) { g.Starts[0].MinesCount = 25 }, CheckPayout, ResultInconclusive, ReasonMinesCountRange},
		{"edge", func(g *Game) { g.Starts[0].HouseEdge = 10_001 }, CheckMultiplier, ResultInconclusive, ReasonEdgeRange},
		{"all revealed", func(g *Game) { g.Ends[0].Settled.RevealedMask = tilesMask }, CheckMultiplier, ResultInconclusive, ReasonTooManyRevealed},
		{"all revealed", func(g *Game) { g.Ends[0].Settled.RevealedMask = tilesMask }, CheckRevealsSafe, ResultFail, ReasonMineRevealed},
		{"end of no kind", func(g *Game) { g.Ends[0].Kind = EndNone }, CheckLifecycle, ResultInconclusive, ReasonUnknownEnd},
		{"truncated", func(g *Game) { g.Truncated = true }, CheckLifecycle, ResultInconclusive, ReasonLogTruncated},
		{"two ends, truncated", func(g *Game) { g.Truncated, g.Ends = true, append(g.Ends, g.Ends[0]) }, CheckLifecycle, ResultFail, ReasonSeveral},
		{"two starts", func(g *Game) { g.Starts = append(g.Starts, g.Starts[0]) }, CheckLifecycle, ResultFail, ReasonSeveral},
		{"end first", func(g *Game) { g.Ends[0].Slot = 69 }, CheckLifecycle, ResultFail, ReasonEndFirst},
	}
	rules := DefaultRules()
	for _, test := range tests {
		g := sampleGame(t)
		test.change(&g)
		r := Judge(&g, &rules)
		i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Check == test.check })
		if i < 0 || r.Findings[i].Result != test.result || r.Findings[i].Reason != test.reason {
			t.Errorf("%s: %v is %v, want %v for %s: %+v", test.name, test.check, r.Results[test.check], test.result, test.reason, r.Findings)
		}
	}
}

func TestJudgeSameSlotIsInOrder(t *testing.T) {
	g := sampleGame(t)
	g.Ends[0].Slot = g.Starts[0].Slot
	rules := DefaultRules()
	if r := Judge(&g, &rules); r.Verdict != VerdictPass {
		t.Errorf("%+v", r.Findings)
	}
}

func TestJudgeVerdicts(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Game)
		want   Verdict
	}{
		{"running", func(g *Game) { g.Ends = nil }, VerdictPending},
		{"running, truncated", func(g *Game) { g.Ends, g.Truncated = nil, true }, VerdictPending},
		{"running, an end may be hidden", func(g *Game) { g.Ends, g.HiddenIn = nil, 9 }, VerdictInconclusive},
		{"ended, another end may be hidden", func(g *Game) { g.HiddenIn = 9 }, VerdictPass},
		{"nothing known", func(g *Game) { g.Starts, g.Ends = nil, nil }, VerdictPending},
		{"nothing known, complete", func(g *Game) { g.Starts, g.Ends, g.Complete = nil, nil, true }, VerdictPending},
		{"started twice, running", func(g *Game) { g.Ends, g.Starts = nil, append(g.Starts, g.Starts[0]) }, VerdictFail},
		{"truncated", func(g *Game) { g.Truncated = true }, VerdictInconclusive},
		{"truncated and wrong", func(g *Game) { g.Truncated = true; g.Ends[0].Settled.Payout++ }, VerdictFail},
		{"truncated, start not seen", func(g *Game) { g.Truncated, g.Starts = true, nil }, VerdictPending},
		{"complete", func(g *Game) { g.Complete = true }, VerdictPass},
	}
	rules := DefaultRules()
	for _, test := range tests {
		g := sampleGame(t)
		test.change(&g)
		if r := Judge(&g, &rules); r.Verdict != test.want {
			t.Errorf("%s: verdict %v, want %v: %+v", test.name, r.Verdict, test.want, r.Findings)
		}
	}
}

// What is hidden is said of the game's life, and of nothing else.
func TestJudgeHiddenEnd(t *testing.T) {
	g := sampleGame(t)
	g.Ends, g.HiddenIn = nil, 77
	rules := DefaultRules()
	r := Judge(&g, &rules)
	want := Finding{CheckLifecycle, ResultInconclusive, ReasonLogTruncated, "", "the end may lie in slot 77, in a log that is cut short"}
	if len(r.Findings) != 1 || r.Findings[0] != want || r.Kind != EndNone {
		t.Errorf("%+v of an end of kind %v", r.Findings, r.Kind)
	}
}

// The checks are of the first end: a second one only fails lifecycle.
func TestJudgeFirstEndCounts(t *testing.T) {
	rules := DefaultRules()
	g := sampleGame(t)
	g.Ends = append(g.Ends, End{Kind: EndVoided, Slot: 72})
	if r := Judge(&g, &rules); r.Kind != EndSettled || r.VoidWhen != NotVoid || r.Results[CheckRefund] != ResultNA || !slices.Equal(failed(&r), []Check{CheckLifecycle}) {
		t.Errorf("%+v", r)
	}
	g = sampleGame(t)
	wrong := g.Starts[0]
	wrong.CommitHash[0]++
	g.Starts = append([]Start{wrong}, g.Starts...)
	if r := Judge(&g, &rules); !slices.Equal(failed(&r), []Check{CheckCommit, CheckLifecycle}) {
		t.Errorf("%+v", r)
	}
}

func TestFindingTexts(t *testing.T) {
	g := sampleGame(t)
	s := &g.Ends[0].Settled
	seed := s.ServerSeed
	mines, revealed := s.MinesMask, s.RevealedMask
	s.MinesMask ^= 1 << 30
	s.RevealedMask |= mines & -mines
	s.HasBust, s.BustTile = true, 3
	s.Slothash = [32]byte{0xab}
	g.Starts[0].CommitHash = [32]byte{0xcd}
	g.Ends = append(g.Ends, End{Kind: EndVoided})
	rules := DefaultRules()
	r := Judge(&g, &rules)

	sum := sha256.Sum256(seed[:])
	zeros := strings.Repeat("00", 31)
	want := map[Check][2]string{
		CheckCommit:       {"cd" + zeros, hex.EncodeToString(sum[:])},
		CheckSlothashKept: {"04" + zeros, "ab" + zeros},
		CheckBoard:        {maskText(mines), maskText(mines | 1<<30)},
		CheckMineCount:    {"5 mines", "6 mines"},
		CheckMaskRange:    {"no tile above 24", "mines " + maskText(mines|1<<30) + ", revealed " + maskText(revealed|mines&-mines)},
		CheckRevealsSafe:  {"0x0000000 {}", maskText(mines & -mines)},
		CheckOutcome:      {"lost, by bust tile 3", "multiplier 25326, payout 2532610"},
		CheckMultiplier:   {"0", "25326"},
		CheckPayout:       {"0", "2532610"},
		CheckLifecycle:    {"1 start, 1 end", "1 started, 2 ended"},
	}
	if mines>>3&1 == 0 {
		want[CheckBustIsMine] = [2]string{"one of " + maskText(mines), "tile 3"}
	}
	if s.RevealedMask>>3&1 == 1 {
		want[CheckBustNotRevealed] = [2]string{"tile 3 not revealed", maskText(s.RevealedMask)}
	}
	for _, f := range r.Findings {
		if got := [2]string{f.Expected, f.Observed}; got != want[f.Check] {
			t.Errorf("%v: %q, want %q", f.Check, got, want[f.Check])
		}
		delete(want, f.Check)
	}
	for c := range want {
		t.Errorf("%v was not found", c)
	}
}
