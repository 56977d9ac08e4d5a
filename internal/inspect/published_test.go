package inspect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// inspected is a game that passes, as it is known when its events lack fields.
func inspected(t *testing.T, rules verify.Rules, voids bool, lacks verify.Fields, change func(*verify.Settled)) *Result {
	t.Helper()
	seed := [32]byte{1, 2, 3}
	g := verify.Game{User: [32]byte{5}, Nonce: 6, Missing: lacks & (verify.FieldUser | verify.FieldNonce)}
	board, err := verify.Derive(seed, [32]byte{4}, g.User, g.Nonce, 5)
	if err != nil {
		t.Fatal(err)
	}
	start := verify.Start{
		MinesCount: 5, Stake: 1_000_000, CommitHash: verify.Commitment(seed), Slothash: [32]byte{4}, HouseEdge: rules.EdgeScale / 100 * 3,
		MaxPayout: 1 << 40, RefundTimeout: 3600, StartedAt: 1_000_000, Slot: 70, Missing: lacks,
	}
	end := verify.End{Slot: 71, BlockTime: 1_004_000, HasBlockTime: true, Kind: verify.EndSettled, Settled: verify.Settled{
		ServerSeed: seed, Slothash: [32]byte{4}, MinesMask: board.Mask, Multiplier: 9_700, Payout: 970_000, Missing: lacks,
	}}
	if change != nil {
		change(&end.Settled)
	}
	if voids {
		end.Kind, end.Voided = verify.EndVoided, verify.Voided{Refund: 1_000_000, Authority: [32]byte{9}, Missing: lacks}
	}
	g.Starts, g.Ends = []verify.Start{start}, []verify.End{end}
	c := Case{Game: g, Report: verify.Judge(&g, &rules)}
	c.Checks = c.Report.Details(&g)
	c.explain(&rules)
	return &Result{Audit: Audit{Rules: rules}, Cases: []Case{c}}
}

func textOf(t *testing.T, r *Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteText(&b, TextOptions{Explain: true}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func jsonOf(t *testing.T, r *Result) map[string]any {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteJSON(&b, true); err != nil {
		t.Fatal(err)
	}
	var all struct{ Games []map[string]any }
	if err := json.Unmarshal(b.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	return all.Games[0]
}

// A field that is not published is said to be, where it would stand, and is null
// in JSON: no zero is shown for it.
func TestWhatIsNotPublishedIsSaid(t *testing.T) {
	for _, test := range []struct {
		field verify.Fields
		voids bool
		text  string
		path  string // in JSON
	}{
		{verify.FieldUser, false, "  user            not published", "user"},
		{verify.FieldNonce, false, "  nonce           not published", "nonce"},
		{verify.FieldMinesCount, false, "  mines           not published", "terms.mines_count"},
		{verify.FieldStake, false, "  stake           not published", "terms.stake"},
		{verify.FieldStake, false, "floor(stake x 97/100); the stake is not published", "terms.stake"},
		{verify.FieldCommitHash, false, "  commit hash     not published", "terms.commit_hash"},
		{verify.FieldSlothash, false, "  slot hash       not published", "terms.slothash"},
		{verify.FieldSlothash, false, "  slot hash       not published", "settlement.slothash"},
		{verify.FieldHouseEdge, false, "  house edge      not published", "terms.house_edge_bps"},
		{verify.FieldHouseEdge, false, "edge, mines or revealed tiles are not published", "explain.pay.product"},
		{verify.FieldMaxPayout, false, "  payout cap      not published", "terms.max_payout"},
		{verify.FieldMaxPayout, false, "  cap on the payout: not published", "terms.max_payout"},
		{verify.FieldRefundTimeout, false, "  refund timeout  not published after 1970-01-12T13:46:40Z", "terms.refund_timeout"},
		{verify.FieldStartedAt, false, "  refund timeout  3600 s after a start whose time is not published", "terms.started_at"},
		{verify.FieldServerSeed, false, "  server seed     not published", "settlement.server_seed"},
		{verify.FieldServerSeed, false, "Board, as published; it could not be derived", "derived_board"},
		{verify.FieldMinesMask, false, "Board, derived; none is published", "settlement.board.mines"},
		{verify.FieldMinesMask | verify.FieldServerSeed, false, "neither published nor to be derived", "settlement.mines_mask"},
		{verify.FieldRevealedMask, false, "which tiles were revealed is not published", "settlement.revealed_mask"},
		{verify.FieldRevealedMask, false, "cashed out with an unknown number of tiles revealed", "settlement.board.revealed"},
		{verify.FieldBustTile, false, "  bust tile       not published", "settlement.bust_tile"},
		{verify.FieldBustTile, false, "whether it was lost is not published", "settlement.bust_tile"},
		{verify.FieldMultiplier, false, "  published: multiplier not published, payout 970000", "settlement.multiplier"},
		{verify.FieldPayout, false, "  payout          not published", "settlement.payout"},
		{verify.FieldRefund, true, "  refund          not published", "void.refund"},
		{verify.FieldAuthority, true, "  by              not published", "void.authority"},
	} {
		r := inspected(t, verify.DefaultRules(), test.voids, test.field, nil)
		// The headline is wrapped.
		if text := textOf(t, r); !strings.Contains(text, test.text) && !strings.Contains(strings.Join(strings.Fields(text), " "), test.text) {
			t.Errorf("%v: %q is not in\n%s", test.field, test.text, text)
		}
		var at any = jsonOf(t, r)
		for _, key := range strings.Split(test.path, ".") {
			if at != nil {
				at = at.(map[string]any)[key]
			}
		}
		if at != nil {
			t.Errorf("%v: %s is %v", test.field, test.path, at)
		}
	}
	r := inspected(t, verify.DefaultRules(), false, verify.FieldStake|verify.FieldPayout, nil)
	for _, part := range []string{"terms", "settlement"} {
		got := jsonOf(t, r)[part].(map[string]any)["not_published"]
		if want := []any{"stake", "payout"}; !slices.Equal(got.([]any), want) {
			t.Errorf("%s lacks %v, want %v", part, got, want)
		}
	}
	whole := inspected(t, verify.DefaultRules(), false, 0, nil)
	if text := textOf(t, whole); strings.Contains(text, notPublished) {
		t.Errorf("nothing is missing, and yet:\n%s", text)
	}
}

// What a settlement says of its outcome stands for the tile in the story.
func TestOutcomeThatIsSaid(t *testing.T) {
	lost := func(s *verify.Settled) { s.Says, s.Multiplier, s.Payout = verify.OutcomeLost, 0, 0 }
	r := inspected(t, verify.DefaultRules(), false, verify.FieldBustTile, lost)
	if text := textOf(t, r); !strings.Contains(text, "lost, with 0 tiles revealed") || !strings.Contains(text, "  outcome         lost, as it says") ||
		!strings.Contains(text, "the game is lost; the revealed tiles would have given") {
		t.Error(text)
	}
	if says := jsonOf(t, r)["settlement"].(map[string]any)["says"]; says != "lost" {
		t.Errorf("says %v", says)
	}
	r = inspected(t, verify.DefaultRules(), false, verify.FieldBustTile, func(s *verify.Settled) { s.Says = verify.OutcomeWon })
	if text := textOf(t, r); !strings.Contains(strings.Join(strings.Fields(text), " "), "cashed out with 0 tiles revealed") || !strings.Contains(text, "the game was not lost") {
		t.Error(text)
	}
}

// An edge in another scale is not shown as basis points.
func TestEdgeInItsScale(t *testing.T) {
	rules := verify.DefaultRules()
	rules.EdgeScale = 1_000_000_000
	r := inspected(t, rules, false, 0, nil)
	if text := textOf(t, r); !strings.Contains(text, "  house edge      30000000 / 1000000000") || !strings.Contains(text, "multiplier = 970000000/1000000000") {
		t.Error(text)
	}
	terms := jsonOf(t, r)["terms"].(map[string]any)
	edge, ok := terms["house_edge"].(map[string]any)
	if !ok || edge["parts"] != 30_000_000.0 || edge["of"] != 1e9 || terms["house_edge_bps"] != nil {
		t.Errorf("%v", terms)
	}
	if r.Verdict() != verify.VerdictPass {
		t.Errorf("%+v", r.Cases[0].Report.Findings)
	}
}

// The fields are named as the decoder names them.
func TestFieldNames(t *testing.T) {
	if got := names(verify.FieldStake | verify.FieldAuthority); !slices.Equal(got, []string{"stake", "authority"}) || decode.Fields(0).Names() != nil {
		t.Errorf("%q", got)
	}
}
