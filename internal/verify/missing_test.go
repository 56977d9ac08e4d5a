package verify

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A hidden is what the events of a game do not publish.
type hidden struct{ game, start, end Fields }

// The fields that each event can have.
const (
	ofGame    = FieldUser | FieldNonce
	ofStart   = FieldMinesCount | FieldStake | FieldCommitHash | FieldSlothash | FieldHouseEdge | FieldMaxPayout | FieldRefundTimeout | FieldStartedAt
	ofSettled = FieldServerSeed | FieldSlothash | FieldMinesMask | FieldRevealedMask | FieldBustTile | FieldMultiplier | FieldPayout
	ofVoided  = FieldRefund | FieldAuthority
)

// from gives the game as it is known when its events do not publish some fields:
// these have the values of rest, which is zero or anything.
func (h hidden) from(g, rest Game) Game {
	g.Starts, g.Ends = slices.Clone(g.Starts), slices.Clone(g.Ends)
	g.Missing |= h.game
	hide(&g.User, rest.User, h.game.Has(FieldUser))
	hide(&g.Nonce, rest.Nonce, h.game.Has(FieldNonce))
	start, from := &g.Starts[0], Start{}
	if len(rest.Starts) > 0 {
		from = rest.Starts[0]
	}
	start.Missing |= h.start
	hide(&start.MinesCount, from.MinesCount, h.start.Has(FieldMinesCount))
	hide(&start.Stake, from.Stake, h.start.Has(FieldStake))
	hide(&start.CommitHash, from.CommitHash, h.start.Has(FieldCommitHash))
	hide(&start.Slothash, from.Slothash, h.start.Has(FieldSlothash))
	hide(&start.HouseEdge, from.HouseEdge, h.start.Has(FieldHouseEdge))
	hide(&start.MaxPayout, from.MaxPayout, h.start.Has(FieldMaxPayout))
	hide(&start.RefundTimeout, from.RefundTimeout, h.start.Has(FieldRefundTimeout))
	hide(&start.StartedAt, from.StartedAt, h.start.Has(FieldStartedAt))
	var end End
	if len(rest.Ends) > 0 {
		end = rest.Ends[0]
	}
	s, v := &g.Ends[0].Settled, &g.Ends[0].Voided
	s.Missing |= h.end
	v.Missing |= h.end
	hide(&s.ServerSeed, end.Settled.ServerSeed, h.end.Has(FieldServerSeed))
	hide(&s.Slothash, end.Settled.Slothash, h.end.Has(FieldSlothash))
	hide(&s.MinesMask, end.Settled.MinesMask, h.end.Has(FieldMinesMask))
	hide(&s.RevealedMask, end.Settled.RevealedMask, h.end.Has(FieldRevealedMask))
	hide(&s.HasBust, end.Settled.HasBust, h.end.Has(FieldBustTile))
	hide(&s.BustTile, end.Settled.BustTile, h.end.Has(FieldBustTile))
	hide(&s.Multiplier, end.Settled.Multiplier, h.end.Has(FieldMultiplier))
	hide(&s.Payout, end.Settled.Payout, h.end.Has(FieldPayout))
	hide(&v.Refund, end.Voided.Refund, h.end.Has(FieldRefund))
	hide(&v.Authority, end.Voided.Authority, h.end.Has(FieldAuthority))
	return g
}

func hide[T any](field *T, with T, hidden bool) {
	if hidden {
		*field = with
	}
}

func drawHidden(t *rapid.T) hidden {
	part := func(of Fields, name string) Fields {
		if rapid.IntRange(0, 3).Draw(t, "any "+name) == 0 {
			return 0
		}
		return of & Fields(rapid.Uint32().Draw(t, name))
	}
	return hidden{part(ofGame, "hidden of the game"), part(ofStart, "hidden of the start"), part(ofSettled|ofVoided, "hidden of the end")}
}

// says draws whether a settlement tells its outcome beside the bust tile.
func says(t *rapid.T, g *Game) {
	s := &g.Ends[0].Settled
	switch {
	case rapid.Bool().Draw(t, "unsaid"):
	case s.HasBust:
		s.Says = OutcomeLost
	default:
		s.Says = OutcomeWon
	}
}

// isOpen reports whether a check is left open for want of a field.
func isOpen(r *Report, c Check) bool {
	return r.Results[c] == ResultInconclusive && slices.ContainsFunc(r.Findings, func(f Finding) bool {
		return f.Check == c && f.Reason == ReasonNotPublished && strings.HasPrefix(f.Observed, "not published: ")
	})
}

// Whatever an honest game does not publish, a check comes out as if it did or is
// left open for it. What stands in the place of the fields makes no difference.
func TestHiddenFieldsLeaveHonestGamesOpen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := drawRules(t)
		g := drawHonest(t, &rules)
		says(t, &g)
		whole := Judge(&g, &rules)
		if whole.Verdict != VerdictPass {
			t.Fatalf("an honest game: %+v", whole.Findings)
		}
		h := drawHidden(t)
		known, garbled := h.from(g, Game{}), h.from(g, drawAny(t))
		r := Judge(&known, &rules)
		checkReport(t, &known, &r)
		for c := range Check(NumChecks) {
			if r.Results[c] != whole.Results[c] && !isOpen(&r, c) {
				t.Fatalf("%v is %v with all fields, %v without %+v: %+v", c, whole.Results[c], r.Results[c], h, r.Findings)
			}
		}
		if again := Judge(&garbled, &rules); !slices.Equal(again.Findings, r.Findings) || again.Packed() != r.Packed() ||
			again.MinesCount != r.MinesCount || again.Revealed != r.Revealed || again.Lost != r.Lost ||
			again.StakeBand != r.StakeBand || again.VoidWhen != r.VoidWhen {
			t.Fatalf("a field that is not published was read: %+v, with zeros %+v", again, r)
		}
	})
}

// A rule that is broken is not excused by what is not published: a check that
// fails is never passed for want of a field. Two fields stand for others: the
// settlement's slot hash for the start's, and what was paid for the bust tile.
// Without them a fault is found by another check or not at all.
func TestHiddenFieldsExcuseNothing(t *testing.T) {
	for name, mutate := range mutations() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				rules := drawRules(t)
				g := drawSettled(t, &rules)
				if _, _, ok := mutate(t, &g, &rules); !ok {
					return
				}
				whole := Judge(&g, &rules)
				h := drawHidden(t)
				h.start &^= FieldSlothash
				h.end &^= FieldBustTile
				known := h.from(g, Game{})
				r := Judge(&known, &rules)
				for c := range Check(NumChecks) {
					if r.Results[c] != whole.Results[c] && !isOpen(&r, c) {
						t.Fatalf("%v is %v with all fields, %v without %+v: %+v", c, whole.Results[c], r.Results[c], h, r.Findings)
					}
				}
			})
		})
	}
}

// openedBy gives the checks whose results differ from those of the whole game,
// and fails the test where one is not left open for it.
func openedBy(t *testing.T, g Game, rules *Rules, h hidden) []Check {
	t.Helper()
	known := h.from(g, Game{})
	whole, r := Judge(&g, rules), Judge(&known, rules)
	var opened []Check
	for c := range Check(NumChecks) {
		if r.Results[c] == whole.Results[c] {
			continue
		}
		opened = append(opened, c)
		if !isOpen(&r, c) {
			t.Errorf("%v is %v: %+v", c, r.Results[c], r.Findings)
		}
	}
	return opened
}

// lostGame is the sample, lost on its first mine.
func lostGame(t testing.TB) Game {
	g := sampleGame(t)
	s := &g.Ends[0].Settled
	s.HasBust, s.BustTile = true, firstTile(s.MinesMask)
	s.Multiplier, s.Payout = 0, 0
	return g
}

func firstTile(mask uint32) (tile uint8) {
	for mask>>tile&1 == 0 {
		tile++
	}
	return tile
}

// Which field costs which checks, one at a time: no more and no fewer.
func TestWhatEachHiddenFieldOpens(t *testing.T) {
	const (
		commit, kept, board, count, masks = CheckCommit, CheckSlothashKept, CheckBoard, CheckMineCount, CheckMaskRange
		safe, isMine, notRevealed         = CheckRevealsSafe, CheckBustIsMine, CheckBustNotRevealed
		outcome, multiplier, payout       = CheckOutcome, CheckMultiplier, CheckPayout
		refund, right                     = CheckRefund, CheckVoidRight
	)
	won, lost, lostSaid, wonSaid := sampleGame(t), lostGame(t), lostGame(t), sampleGame(t)
	lostSaid.Ends[0].Settled.Says = OutcomeLost
	wonSaid.Ends[0].Settled.Says = OutcomeWon
	early := voidedGame(t, End{BlockTime: 1_000_001, HasBlockTime: true, Voided: Voided{Authority: operator()}})
	late := voidedGame(t, End{BlockTime: 1_003_600, HasBlockTime: true, Voided: Voided{Authority: [32]byte{7}}})
	stranger := voidedGame(t, End{BlockTime: 1_000_001, HasBlockTime: true, Voided: Voided{Authority: [32]byte{7}}})
	owesNothing := sampleGame(t)
	owesNothing.Starts[0].HouseEdge = BasisPoints
	owesNothing.Ends[0].Settled.Multiplier, owesNothing.Ends[0].Settled.Payout = 0, 0
	capped := func(mode CapMode) Rules { r := DefaultRules(); r.Cap = mode; return r }
	atBust := DefaultRules()
	atBust.LostMultiplier = LostAtBust
	lostAtBust := lostGame(t)
	lostAtBust.Ends[0].Settled.Multiplier = won.Ends[0].Settled.Multiplier

	type opens struct {
		h      hidden
		checks []Check
	}
	for _, test := range []struct {
		name  string
		game  Game
		rules Rules
		opens []opens
	}{
		{"won", won, DefaultRules(), []opens{
			{hidden{game: FieldUser}, []Check{board, safe}},
			{hidden{game: FieldNonce}, []Check{board, safe}},
			{hidden{start: FieldMinesCount}, []Check{board, count, safe, multiplier, payout}},
			{hidden{start: FieldStake}, []Check{payout}},
			{hidden{start: FieldCommitHash}, []Check{commit}},
			{hidden{start: FieldSlothash}, []Check{kept}},
			{hidden{start: FieldHouseEdge}, []Check{multiplier, payout}},
			{hidden{start: FieldMaxPayout}, []Check{payout}},
			{hidden{start: FieldRefundTimeout}, nil},
			{hidden{start: FieldStartedAt}, nil},
			{hidden{end: FieldServerSeed}, []Check{commit, board, safe}},
			{hidden{end: FieldSlothash}, []Check{kept}},
			{hidden{start: FieldSlothash, end: FieldSlothash}, []Check{kept, board, safe}},
			{hidden{end: FieldMinesMask}, []Check{board, count, masks}},
			{hidden{end: FieldRevealedMask}, []Check{masks, safe, multiplier, payout}},
			{hidden{end: FieldBustTile}, []Check{outcome}},
			{hidden{end: FieldMultiplier}, []Check{multiplier}}, // the payout alone shows that it is no loss
			{hidden{end: FieldPayout}, []Check{payout}},         // and so does the multiplier
			{hidden{end: FieldMultiplier | FieldPayout}, []Check{outcome, multiplier, payout}},
			{hidden{end: FieldBustTile | FieldMultiplier | FieldPayout}, []Check{isMine, notRevealed, outcome, multiplier, payout}},
		}},
		{"won, and said so", wonSaid, DefaultRules(), []opens{
			{hidden{end: FieldBustTile}, nil},
			{hidden{end: FieldBustTile | FieldMultiplier | FieldPayout}, []Check{outcome, multiplier, payout}},
		}},
		{"won, and owes nothing", owesNothing, DefaultRules(), []opens{
			{hidden{end: FieldBustTile}, []Check{isMine, notRevealed, outcome}}, // a loss would owe the same
			{hidden{start: FieldHouseEdge}, []Check{outcome, multiplier, payout}},
		}},
		{"cap on the multiplier", won, capped(CapMultiplier), []opens{{hidden{start: FieldMaxPayout}, []Check{multiplier, payout}}}},
		{"no cap", won, capped(CapNone), []opens{{hidden{start: FieldMaxPayout}, nil}}},
		{"lost", lost, DefaultRules(), []opens{
			{hidden{game: FieldUser}, []Check{board, safe, isMine}},
			{hidden{game: FieldNonce}, []Check{board, safe, isMine}},
			{hidden{start: FieldMinesCount}, []Check{board, count, safe, isMine}},
			{hidden{start: FieldStake}, nil},
			{hidden{start: FieldCommitHash}, []Check{commit}},
			{hidden{start: FieldSlothash}, []Check{kept}},
			{hidden{start: FieldHouseEdge}, nil},
			{hidden{start: FieldMaxPayout}, nil},
			{hidden{end: FieldServerSeed}, []Check{commit, board, safe, isMine}},
			{hidden{end: FieldMinesMask}, []Check{board, count, masks}},
			{hidden{end: FieldRevealedMask}, []Check{masks, safe, notRevealed}},
			{hidden{end: FieldBustTile}, []Check{isMine, notRevealed, outcome, multiplier, payout}}, // a win that was not paid looks the same
			{hidden{end: FieldMultiplier}, []Check{outcome, multiplier}},
			{hidden{end: FieldPayout}, []Check{outcome, payout}},
		}},
		{"lost, and said so", lostSaid, DefaultRules(), []opens{{hidden{end: FieldBustTile}, []Check{isMine, notRevealed}}}},
		{"lost, multiplier at the bust", lostAtBust, atBust, []opens{
			{hidden{start: FieldHouseEdge}, []Check{multiplier}},
			{hidden{start: FieldStake | FieldMaxPayout}, nil},
			{hidden{end: FieldRevealedMask}, []Check{masks, safe, notRevealed, multiplier}},
			{hidden{end: FieldBustTile}, []Check{isMine, notRevealed, outcome, payout}}, // the multiplier is the same either way
			{hidden{end: FieldMultiplier}, []Check{multiplier}},                         // it does not tell a loss
		}},
		{"voided early by an operator", early, rulesWithOperator(), []opens{
			{hidden{start: FieldStake}, []Check{refund}},
			{hidden{start: FieldStartedAt}, nil},
			{hidden{start: FieldRefundTimeout}, nil},
			{hidden{end: FieldRefund}, []Check{refund}},
			{hidden{end: FieldAuthority}, []Check{right}},
		}},
		{"voided late by a stranger", late, rulesWithOperator(), []opens{
			{hidden{start: FieldStartedAt}, []Check{right}},
			{hidden{start: FieldRefundTimeout}, []Check{right}},
			{hidden{end: FieldAuthority}, nil},
			{hidden{start: ofStart &^ FieldStake, end: FieldAuthority}, []Check{right}},
		}},
		{"voided early by a stranger", stranger, rulesWithOperator(), []opens{
			{hidden{start: FieldStartedAt}, []Check{right}},
			{hidden{end: FieldAuthority}, []Check{right}},
		}},
		{"voided, no operator known", late, DefaultRules(), []opens{{hidden{start: FieldStartedAt, end: FieldAuthority}, nil}}},
	} {
		for _, o := range test.opens {
			if got := openedBy(t, test.game, &test.rules, o.h); !slices.Equal(got, o.checks) {
				t.Errorf("%s, without %v%v%v: open are %v, want %v", test.name, o.h.game, o.h.start, o.h.end, got, o.checks)
			}
		}
	}
}

// What is left open names the fields that are wanting.
func TestHiddenFieldsAreNamed(t *testing.T) {
	rules := DefaultRules()
	g := hidden{game: FieldNonce, start: FieldCommitHash | FieldHouseEdge, end: FieldServerSeed | FieldRevealedMask | FieldMultiplier}.from(sampleGame(t), Game{})
	r := Judge(&g, &rules)
	want := map[Check]string{
		CheckCommit:      "not published: commit_hash, server_seed",
		CheckBoard:       "not published: nonce, server_seed",
		CheckMaskRange:   "not published: revealed_mask",
		CheckRevealsSafe: "not published: revealed_mask",
		CheckMultiplier:  "not published: multiplier",
		CheckPayout:      "not published: house_edge, revealed_mask",
	}
	for _, f := range r.Findings {
		if f.Reason != ReasonNotPublished || f.Observed != want[f.Check] || f.Expected != "" {
			t.Errorf("%+v, want %q", f, want[f.Check])
		}
		delete(want, f.Check)
	}
	if len(want) != 0 || r.Verdict != VerdictInconclusive {
		t.Errorf("verdict %v, not open are %v", r.Verdict, want)
	}
}

// What statistics need of a game is unknown where it is not published.
func TestHiddenFieldsOfTheReport(t *testing.T) {
	rules := DefaultRules()
	g := hidden{start: FieldMinesCount | FieldStake, end: FieldRevealedMask}.from(sampleGame(t), Game{})
	if r := Judge(&g, &rules); r.MinesCount != -1 || r.StakeBand != -2 || r.Revealed != -1 {
		t.Errorf("mines %d, band %d, revealed %d", r.MinesCount, r.StakeBand, r.Revealed)
	}
	for _, h := range []hidden{{start: FieldStartedAt}, {start: FieldRefundTimeout}} {
		g := h.from(voidedGame(t, End{BlockTime: 1_000_001, HasBlockTime: true}), Game{})
		if r := Judge(&g, &rules); r.VoidWhen != VoidWhenUnknown {
			t.Errorf("without %v it was voided %v", h.start, r.VoidWhen)
		}
	}
}

// Where the start's slot hash is not published the settlement's is held against
// the mines, but that it is the start's is not passed.
func TestSlothashOfTheSettlement(t *testing.T) {
	rules := DefaultRules()
	g := hidden{start: FieldSlothash}.from(sampleGame(t), Game{})
	if r := Judge(&g, &rules); r.Results[CheckBoard] != ResultPass || !isOpen(&r, CheckSlothashKept) {
		t.Errorf("%v: %+v", r.Results[CheckBoard], r.Findings)
	}
	trace, err := g.Trace()
	if err != nil || trace.Board.Mask != g.Ends[0].Settled.MinesMask {
		t.Errorf("explained %x: %v", trace.Board.Mask, err)
	}
	g.Ends[0].Settled.Slothash[0]++
	if r := Judge(&g, &rules); r.Results[CheckBoard] != ResultFail {
		t.Errorf("another slot hash: %v", r.Results[CheckBoard])
	}
}

// A number that no game allows is found in the one place where it is published.
func TestHalfOfAPairCanFail(t *testing.T) {
	rules := DefaultRules()
	for _, test := range []struct {
		name   string
		h      hidden
		change func(*Game)
		check  Check
	}{
		{"0 mines in the mask", hidden{start: FieldMinesCount}, func(g *Game) { g.Ends[0].Settled.MinesMask = 0 }, CheckMineCount},
		{"25 mines at the start", hidden{end: FieldMinesMask}, func(g *Game) { g.Starts[0].MinesCount = 25 }, CheckMineCount},
		{"a mine off the board", hidden{end: FieldRevealedMask}, func(g *Game) { g.Ends[0].Settled.MinesMask |= 1 << 25 }, CheckMaskRange},
		{"a tile off the board", hidden{end: FieldMinesMask}, func(g *Game) { g.Ends[0].Settled.RevealedMask |= 1 << 31 }, CheckMaskRange},
		{"a loss with a payout", hidden{end: FieldMultiplier | FieldBustTile}, func(g *Game) { g.Ends[0].Settled.Says = OutcomeLost }, CheckOutcome},
		{"a loss with a multiplier", hidden{end: FieldPayout | FieldBustTile}, func(g *Game) { g.Ends[0].Settled.Says = OutcomeLost }, CheckOutcome},
	} {
		g := sampleGame(t)
		test.change(&g)
		g = test.h.from(g, Game{})
		if r := Judge(&g, &rules); r.Results[test.check] != ResultFail || r.Verdict != VerdictFail {
			t.Errorf("%s: %v is %v, verdict %v", test.name, test.check, r.Results[test.check], r.Verdict)
		}
	}
}

// A cheat is found by its own check, whatever else is not published.
func TestCheatsAreFoundWithoutTheRest(t *testing.T) {
	for _, test := range []struct {
		check  Check
		game   Game
		needs  hidden // of all fields, those that stay
		change func(*Game)
	}{
		{CheckCommit, sampleGame(t), hidden{start: FieldCommitHash, end: FieldServerSeed}, func(g *Game) { g.Starts[0].CommitHash[0]++ }},
		{CheckSlothashKept, sampleGame(t), hidden{start: FieldSlothash, end: FieldSlothash}, func(g *Game) { g.Ends[0].Settled.Slothash[0]++ }},
		{CheckBoard, sampleGame(t), hidden{ofGame, FieldMinesCount | FieldSlothash, FieldServerSeed | FieldMinesMask}, func(g *Game) { g.Ends[0].Settled.MinesMask ^= 0b11 }},
		{CheckBoard, sampleGame(t), hidden{ofGame, FieldMinesCount, FieldSlothash | FieldServerSeed | FieldMinesMask}, func(g *Game) { g.Ends[0].Settled.MinesMask ^= 0b11 }},
		{CheckMineCount, sampleGame(t), hidden{start: FieldMinesCount, end: FieldMinesMask}, func(g *Game) { g.Starts[0].MinesCount++ }},
		{CheckRevealsSafe, sampleGame(t), hidden{ofGame, FieldMinesCount | FieldSlothash, FieldServerSeed | FieldRevealedMask}, func(g *Game) {
			g.Ends[0].Settled.RevealedMask |= g.Ends[0].Settled.MinesMask
		}},
		{CheckBustIsMine, lostGame(t), hidden{ofGame, FieldMinesCount | FieldSlothash, FieldServerSeed | FieldBustTile}, func(g *Game) {
			g.Ends[0].Settled.BustTile = firstTile(^g.Ends[0].Settled.MinesMask)
		}},
		{CheckBustNotRevealed, lostGame(t), hidden{end: FieldBustTile | FieldRevealedMask}, func(g *Game) {
			g.Ends[0].Settled.BustTile = firstTile(g.Ends[0].Settled.RevealedMask)
		}},
		{CheckOutcome, lostGame(t), hidden{end: FieldBustTile | FieldPayout}, func(g *Game) { g.Ends[0].Settled.Payout = 1 }},
		{CheckMultiplier, sampleGame(t), hidden{start: FieldMinesCount | FieldHouseEdge, end: FieldRevealedMask | FieldMultiplier}, func(g *Game) { g.Ends[0].Settled.Multiplier-- }},
		{CheckPayout, sampleGame(t), hidden{
			start: FieldMinesCount | FieldHouseEdge | FieldStake | FieldMaxPayout,
			end:   FieldRevealedMask | FieldPayout,
		}, func(g *Game) { g.Ends[0].Settled.Payout-- }},
		{CheckRefund, voidedGame(t, End{}), hidden{start: FieldStake, end: FieldRefund}, func(g *Game) { g.Ends[0].Voided.Refund-- }},
		{CheckVoidRight, voidedGame(t, End{BlockTime: 1_003_599, HasBlockTime: true}), hidden{
			start: FieldStartedAt | FieldRefundTimeout, end: FieldAuthority,
		}, func(g *Game) { g.Ends[0].Voided.Authority = [32]byte{7} }},
	} {
		rules := rulesWithOperator()
		test.change(&test.game)
		h := hidden{ofGame &^ test.needs.game, ofStart &^ test.needs.start, (ofSettled | ofVoided) &^ test.needs.end}
		g := h.from(test.game, Game{})
		if r := Judge(&g, &rules); !slices.Contains(failed(&r), test.check) || r.Verdict != VerdictFail {
			t.Errorf("%v: failed are %v, verdict %v: %+v", test.check, failed(&r), r.Verdict, r.Findings)
		}
	}
}

// silences are what a program may keep to itself without its games being
// inconclusive for it.
var silences = map[Check][]string{
	CheckSlothashKept: {"slothash"},
	CheckBoard:        {"mines_mask"}, CheckMineCount: {"mines_mask"}, CheckMaskRange: {"mines_mask"},
	CheckOutcome: {"multiplier"}, CheckMultiplier: {"multiplier"},
	CheckVoidRight: {"started_at", "refund_timeout", "authority"},
}

// silent reports whether a check is open only for such.
func silent(g *Game, r *Report, c Check) bool {
	if c == CheckSlothashKept && (len(g.Starts) == 0 || g.Starts[0].Missing.Has(FieldSlothash)) {
		return false // then nothing fixed the board
	}
	return slices.ContainsFunc(r.Findings, func(f Finding) bool {
		names, ok := strings.CutPrefix(f.Observed, "not published: ")
		if f.Check != c || f.Reason != ReasonNotPublished || !ok {
			return false
		}
		return !slices.ContainsFunc(strings.Split(names, ", "), func(name string) bool { return !slices.Contains(silences[c], name) })
	})
}

// A program that says enough has games that pass, with checks that are open. One
// that says less has none.
func TestVerdictsOverSilence(t *testing.T) {
	rules := DefaultRules()
	for _, c := range []struct {
		name string
		h    hidden
		want Verdict
	}{
		{"all is published", hidden{}, VerdictPass},
		{"no multiplier", hidden{end: FieldMultiplier}, VerdictPass},
		{"no mask", hidden{end: FieldMinesMask}, VerdictPass},
		{"no slot hash at the end", hidden{end: FieldSlothash}, VerdictPass},
		{"none of the three", hidden{end: FieldMultiplier | FieldMinesMask | FieldSlothash}, VerdictPass},
		{"no slot hash at the start", hidden{start: FieldSlothash}, VerdictInconclusive},
		{"no slot hash at all", hidden{start: FieldSlothash, end: FieldSlothash}, VerdictInconclusive},
		{"no payout", hidden{end: FieldPayout}, VerdictInconclusive},
		{"neither multiplier nor payout", hidden{end: FieldMultiplier | FieldPayout}, VerdictInconclusive},
		{"no seed", hidden{end: FieldServerSeed}, VerdictInconclusive},
		{"no commitment", hidden{start: FieldCommitHash}, VerdictInconclusive},
		{"no revealed tiles", hidden{end: FieldRevealedMask}, VerdictInconclusive},
		{"no stake", hidden{start: FieldStake}, VerdictInconclusive},
		{"no player", hidden{game: FieldUser}, VerdictInconclusive},
		{"no seed and no mask", hidden{end: FieldServerSeed | FieldMinesMask}, VerdictInconclusive},
	} {
		g := c.h.from(sampleGame(t), Game{})
		if r := Judge(&g, &rules); r.Verdict != c.want {
			t.Errorf("%s: %v, want %v: %+v", c.name, r.Verdict, c.want, r.Findings)
		}
	}
}
