package verify

import "math/bits"

// Judge holds a game against the rules. It is a pure function of the game and
// the rules, and has an answer for every game, however broken.
func Judge(g *Game, r *Rules) Report {
	report := judge(g, r, 0, 0)
	if g.TiedStarts > 1 || g.TiedEnds > 1 {
		report.weighTies(g, r)
	}
	return report
}

// judge holds a game against the rules as if the given start and end were the
// first ones.
func judge(g *Game, r *Rules, start, end int) Report {
	j := judgement{game: g, rules: r, report: Report{Kind: EndNone, MinesCount: -1, Revealed: -1, StakeBand: -2}}
	if len(g.Starts) > 0 {
		j.start = &g.Starts[start]
		j.report.MinesCount = int(j.start.MinesCount)
		j.report.StakeBand = stakeBand(j.start.Stake)
	}
	if len(g.Ends) > 0 {
		j.end = &g.Ends[end]
		j.report.Kind = j.end.Kind
	}
	if j.report.Kind == EndSettled {
		j.settled(&j.end.Settled)
	}
	j.lifecycle()
	if j.report.Kind == EndVoided {
		j.voided(j.end)
	}
	j.report.Verdict = j.report.verdict(g)
	return j.report
}

// A judgement is a report in the making.
type judgement struct {
	game   *Game
	rules  *Rules
	start  *Start // the first one, nil if not seen
	end    *End   // the first one, nil if there is none
	report Report
}

// The checks call one of these each. The texts are made by the caller, and only
// for what did not pass: nearly every game does.

func (j *judgement) pass(c Check) { j.report.Results[c] = ResultPass }

func (j *judgement) fail(c Check, why Reason, expected, observed string) {
	j.find(Finding{c, ResultFail, why, expected, observed})
}

func (j *judgement) open(c Check, why Reason, observed string) {
	j.find(Finding{c, ResultInconclusive, why, "", observed})
}

func (j *judgement) find(f Finding) {
	j.report.Results[f.Check] = f.Result
	j.report.Findings = append(j.report.Findings, f)
}

// settled makes the checks of a settlement, in the order of their numbers.
func (j *judgement) settled(s *Settled) {
	k := bits.OnesCount32(s.RevealedMask & tilesMask)
	j.report.Revealed = k
	j.report.Lost = s.HasBust

	j.commit(s)
	j.slothashKept(s)
	board, unknown := j.derive(s)
	j.board(s, &board, unknown)
	j.mineCount(s)
	j.maskRange(s)
	j.revealsSafe(s, &board, unknown)
	if s.HasBust {
		j.bustIsMine(s, &board, unknown)
		j.bustNotRevealed(s)
	}
	owed := j.rules.due(j.start, k, s.HasBust)
	j.outcome(s, owed)
	j.amount(CheckMultiplier, owed.multiplier, owed.multiplierReason, s.Multiplier)
	j.amount(CheckPayout, owed.payout, owed.payoutReason, s.Payout)
}

// derive gives the board of the revealed seed and the start's slot hash, or the
// reason why there is none.
func (j *judgement) derive(s *Settled) (Board, Reason) {
	if j.start == nil {
		return Board{}, ReasonStartNotSeen
	}
	g := j.game
	board, err := Derive(s.ServerSeed, j.start.Slothash, g.User, g.Nonce, int(j.start.MinesCount))
	if err != nil { // nothing else can be wrong with it
		return Board{}, ReasonMinesCountRange
	}
	return board, ""
}
