package fit

import (
	"crypto/sha256"
	"slices"

	"minesaudit/internal/config"
	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// An End is one way in which games end, with the checks that its events leave
// open.
type End struct {
	Start   string `json:"start"` // event; empty: none is mapped
	Event   string `json:"event"`
	Outcome string `json:"outcome"` // won, lost or voided
	Open    []Open `json:"open"`
}

// An Open is a check that cannot be made, and why.
type Open struct {
	Check string `json:"check"`
	Needs string `json:"needs"`
}

// costs judges a sample game of each start with each end that a version has.
func costs(p *config.Profile, bounds []decode.Bound) (ends []End, checkable bool) {
	rules := p.Rules()
	if p.Layout.IsBuiltin() {
		bounds = []decode.Bound{{Kind: decode.KindStarted}, {Kind: decode.KindSettled}, {Kind: decode.KindVoided}}
	}
	for _, end := range bounds {
		if p.PayoutFromBalance != decode.BalanceNone {
			end.Missing &^= decode.FieldPayout
		}
		if end.Kind == decode.KindStarted {
			continue
		}
		starts := slices.DeleteFunc(slices.Clone(bounds), func(b decode.Bound) bool {
			return b.Kind != decode.KindStarted || b.FromSlot != end.FromSlot
		})
		for _, outcome := range outcomes(&end) {
			if len(starts) == 0 {
				ends = append(ends, cost(nil, &end, outcome, &rules, &checkable))
			}
			for n := range starts {
				ends = append(ends, cost(&starts[n], &end, outcome, &rules, &checkable))
			}
		}
	}
	return ends, checkable
}

func outcomes(end *decode.Bound) []string {
	switch {
	case end.Kind == decode.KindVoided:
		return []string{"voided"}
	case end.Says != decode.OutcomeUnsaid:
		return []string{end.Says.String()}
	default:
		return []string{"won", "lost"}
	}
}

func cost(start, end *decode.Bound, outcome string, rules *verify.Rules, checkable *bool) End {
	e := End{Event: end.Event, Outcome: outcome, Open: []Open{}}
	game := sample(start, end, outcome, rules)
	if start != nil {
		e.Start = start.Event
	}
	report := verify.Judge(&game, rules)
	for _, f := range report.Findings {
		if f.Result == verify.ResultInconclusive {
			e.Open = append(e.Open, Open{f.Check.String(), f.Observed})
			if f.Observed == "" {
				e.Open[len(e.Open)-1].Needs = string(f.Reason)
			}
		}
	}
	for c, result := range report.Results {
		made := result == verify.ResultPass || result == verify.ResultFail
		if made && verify.Check(c) != verify.CheckLifecycle && verify.Check(c) != verify.CheckOutcome && verify.Check(c) != verify.CheckMaskRange {
			*checkable = true
		}
	}
	return e
}

// sample is a game that could be honest but for its amounts, with that missing
// which its events do not publish. What cannot be checked of it cannot be checked
// of any.
func sample(start, end *decode.Bound, outcome string, rules *verify.Rules) verify.Game {
	const mines = 3
	g := verify.Game{
		Address: [32]byte{1}, User: [32]byte{2}, Nonce: 3, Complete: true,
		Missing: verify.Fields(end.Missing) & (verify.FieldUser | verify.FieldNonce),
	}
	seed, slothash := [32]byte{4}, [32]byte{5}
	if start != nil {
		g.Missing &= verify.Fields(start.Missing)
		g.Starts = []verify.Start{{
			MinesCount: mines, Stake: 1000, CommitHash: sha256.Sum256(seed[:]), Slothash: slothash, HouseEdge: rules.EdgeScale / 50,
			MaxPayout: 1_000_000, RefundTimeout: 60, StartedAt: 1000, Slot: 1, Missing: verify.Fields(start.Missing),
		}}
	}
	e := verify.End{Slot: 2, BlockTime: 1010, HasBlockTime: true}
	if outcome == "voided" {
		e.Kind = verify.EndVoided
		e.Voided = verify.Voided{Refund: 1000, Authority: [32]byte{6}, Missing: verify.Fields(end.Missing)}
		g.Ends = []verify.End{e}
		return g
	}
	e.Settled = verify.Settled{ServerSeed: seed, Slothash: slothash, Missing: verify.Fields(end.Missing)}
	s := &e.Settled
	if board, err := verify.Derive(seed, slothash, g.User, g.Nonce, mines); err == nil {
		s.MinesMask = board.Mask
	}
	for tile := range uint8(25) {
		if isMine := s.MinesMask>>tile&1 == 1; isMine && outcome == "lost" {
			s.BustTile, s.HasBust = tile, true
		} else if !isMine && s.RevealedMask == 0 {
			s.RevealedMask = 1 << tile
		}
	}
	if outcome == "won" {
		s.Multiplier, s.Payout = 1, 1
	}
	s.Says = verify.Outcome(end.Says)
	hide(s)
	g.Ends = []verify.End{e}
	return g
}

// hide takes out what is missing and would count: a field that is missing is zero.
func hide(s *verify.Settled) {
	if s.Missing.Has(verify.FieldBustTile) {
		s.BustTile, s.HasBust = 0, false
	}
	if s.Missing.Has(verify.FieldMultiplier) {
		s.Multiplier = 0
	}
	if s.Missing.Has(verify.FieldPayout) {
		s.Payout = 0
	}
}
