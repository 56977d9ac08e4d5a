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
		if j.start.lacks(FieldMinesCount) == 0 {
			j.report.MinesCount = int(j.start.MinesCount)
		}
		if j.start.lacks(FieldStake) == 0 {
			j.report.StakeBand = stakeBand(j.start.Stake)
		}
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
	k := -1
	if s.publishes(FieldRevealedMask) {
		k = bits.OnesCount32(s.RevealedMask & tilesMask)
	}
	fate := j.rules.fate(s)
	j.report.Revealed, j.report.Lost = k, fate == fateLost || fate == fateSeemsLost

	j.commit(s)
	j.slothashKept(s)
	board, unknown := j.derive(s)
	j.board(s, &board, unknown)
	j.mineCount(s)
	j.maskRange(s)
	j.revealsSafe(s, &board, unknown)
	if fate != fateWon {
		j.bustIsMine(s, &board, unknown)
		j.bustNotRevealed(s)
	}
	owed := j.rules.owed(j.start, k, fate)
	j.outcome(s, &owed)
	j.amount(CheckMultiplier, owed.multiplier, owed.multiplierGap, s.Multiplier, s.Missing&FieldMultiplier)
	j.amount(CheckPayout, owed.payout, owed.payoutGap, s.Payout, s.Missing&FieldPayout)
}

// derive gives the board of the revealed seed, or why there is none.
func (j *judgement) derive(s *Settled) (Board, gap) {
	in, why := j.game.inputs(j.start, s)
	if why.reason != "" {
		return Board{}, why
	}
	board, err := Derive(in.seed, in.slothash, in.user, in.nonce, in.mines)
	if err != nil { // nothing else can be wrong with it
		return Board{}, because(ReasonMinesCountRange)
	}
	return board, gap{}
}
