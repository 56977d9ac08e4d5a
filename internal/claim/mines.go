package claim

import (
	"math"
	"strconv"

	"minesaudit/internal/verify"
)

// minesClaim is a request of mines, read. What was not given is nil, or has a
// field in missing.
type minesClaim struct {
	game    verify.Game
	board   verify.Board
	missing map[string]bool // fields that were not given; nil if all were
}

// minesOutcome is what it comes to.
type minesOutcome struct {
	claim   *minesClaim
	verdict verify.Verdict
	checks  []verify.Finding
	exact   *verify.Ratio // nil where k or the edge is not known, or k is too great
	payout  *uint64       // nil where it cannot be worked out
}

// The fields that may be left out.
const (
	fieldCommit     = "commit_hash"
	fieldMines      = "mines_mask"
	fieldRevealed   = "revealed_mask"
	fieldBust       = "bust_tile"
	fieldEdge       = "house_edge_bps"
	fieldStake      = "stake"
	fieldMaxPayout  = "max_payout"
	fieldMultiplier = "multiplier"
	fieldPayout     = "payout"
)

// minesChecks lists the checks that a request can be held against, by number.
func minesChecks() [10]verify.Check {
	return [...]verify.Check{
		verify.CheckCommit, verify.CheckBoard, verify.CheckMineCount, verify.CheckMaskRange, verify.CheckRevealsSafe,
		verify.CheckBustIsMine, verify.CheckBustNotRevealed, verify.CheckOutcome, verify.CheckMultiplier, verify.CheckPayout,
	}
}

func (a *Answer) mines(r *Request, rules *verify.Rules) {
	c, err := readMines(r)
	if err != nil {
		a.Err = err
		return
	}
	o := c.judge(rules)
	a.Verdict, a.outcome = o.verdict, o
}

// readMines reads a request into a game of one start and one settlement. What
// was not given is filled in as an honest settlement would have it.
func readMines(r *Request) (*minesClaim, error) {
	c := &minesClaim{}
	start := verify.Start{MaxPayout: math.MaxUint64}
	var settled verify.Settled
	if err := c.readBoard(r, &start, &settled); err != nil {
		return nil, err
	}
	start.CommitHash, settled.MinesMask = verify.Commitment(settled.ServerSeed), c.board.Mask
	if err := c.readClaims(r, &start, &settled); err != nil {
		return nil, err
	}
	if err := c.readTerms(r, &start, &settled); err != nil {
		return nil, err
	}
	c.game.Starts = []verify.Start{start}
	c.game.Ends = []verify.End{{Kind: verify.EndSettled, Settled: settled}}
	return c, nil
}

// readBoard reads what fixes the board, and derives it.
func (c *minesClaim) readBoard(r *Request, start *verify.Start, settled *verify.Settled) (err error) {
	if settled.ServerSeed, err = bytes32("server_seed", r.ServerSeed); err != nil {
		return err
	}
	if start.Slothash, err = key32("slothash", r.Slothash); err != nil {
		return err
	}
	settled.Slothash = start.Slothash
	if c.game.User, err = key32("user", r.User); err != nil {
		return err
	}
	if c.game.Nonce, err = r.Nonce.u64("nonce"); err != nil {
		return err
	}
	mines, err := r.MinesCount.within("mines_count", 1, verify.MaxMines)
	if err != nil {
		return err
	}
	start.MinesCount = uint8(mines)
	c.board, err = verify.Derive(settled.ServerSeed, start.Slothash, c.game.User, c.game.Nonce, int(mines))
	return err
}

// readClaims reads what is claimed of the board and the tiles.
func (c *minesClaim) readClaims(r *Request, start *verify.Start, settled *verify.Settled) (err error) {
	if c.has(fieldCommit, r.CommitHash != nil) {
		if start.CommitHash, err = bytes32(fieldCommit, r.CommitHash); err != nil {
			return err
		}
	}
	if c.has(fieldMines, r.MinesMask.given()) {
		if settled.MinesMask, err = r.MinesMask.mask(fieldMines); err != nil {
			return err
		}
	}
	if c.has(fieldRevealed, r.RevealedMask.given()) {
		if settled.RevealedMask, err = r.RevealedMask.mask(fieldRevealed); err != nil {
			return err
		}
	}
	c.has(fieldBust, r.BustTile.Given)
	settled.BustTile, settled.HasBust, err = r.BustTile.parse()
	return err
}

// readTerms reads the terms and what is claimed to have been paid.
func (c *minesClaim) readTerms(r *Request, start *verify.Start, settled *verify.Settled) error {
	if c.has(fieldEdge, r.HouseEdgeBPS.given()) {
		edge, err := r.HouseEdgeBPS.within(fieldEdge, 0, 10_000)
		if err != nil {
			return err
		}
		start.HouseEdge = uint32(edge)
	}
	for _, amount := range []struct {
		field string
		given Number
		into  *uint64
	}{
		{fieldStake, r.Stake, &start.Stake},
		{fieldMaxPayout, r.MaxPayout, &start.MaxPayout},
		{fieldMultiplier, r.Multiplier, &settled.Multiplier},
		{fieldPayout, r.Payout, &settled.Payout},
	} {
		if !c.has(amount.field, amount.given.given()) {
			continue
		}
		v, err := amount.given.u64(amount.field)
		if err != nil {
			return err
		}
		*amount.into = v
	}
	return nil
}

// has notes whether a field was given.
func (c *minesClaim) has(field string, given bool) bool {
	if !given {
		if c.missing == nil {
			c.missing = map[string]bool{}
		}
		c.missing[field] = true
	}
	return given
}

func (c *minesClaim) start() *verify.Start     { return &c.game.Starts[0] }
func (c *minesClaim) settled() *verify.Settled { return &c.game.Ends[0].Settled }

// judge judges the game as filled in, and takes back what rests on a field that
// was not given.
func (c *minesClaim) judge(rules *verify.Rules) *minesOutcome {
	report := verify.Judge(&c.game, rules)
	details := report.Details(&c.game)
	o := &minesOutcome{claim: c, verdict: verify.VerdictPass, checks: details[:0]} // a check is never written before it is read
	for _, check := range minesChecks() {
		f := details[check]
		if field := c.lacks(check, f.Result, rules); field != "" {
			f = verify.Finding{Check: check, Result: verify.ResultInconclusive, Reason: verify.Reason(field + "_not_given")}
		}
		o.checks = append(o.checks, f)
		switch {
		case f.Result == verify.ResultFail:
			o.verdict = verify.VerdictFail
		case f.Result == verify.ResultInconclusive && o.verdict == verify.VerdictPass:
			o.verdict = verify.VerdictInconclusive
		}
	}
	o.owed(report.Revealed, rules)
	return o
}

// owed works out the multiplier and the payout where what they rest on was given.
func (o *minesOutcome) owed(k int, rules *verify.Rules) {
	c := o.claim
	if c.first(fieldRevealed, fieldEdge) == "" {
		exact, err := rules.Multiplier(c.start().HouseEdge, int(c.start().MinesCount), k)
		if err == nil { // else a check says that too many are revealed
			o.exact = &exact
		}
	}
	if c.lacksForPay(rules) != "" {
		return
	}
	if pay := rules.Pay(c.start(), k, c.settled().HasBust); pay.PayoutReason == "" {
		o.payout = &pay.Payout
	}
}

// first names the first of some fields that was not given, if any.
func (c *minesClaim) first(fields ...string) string {
	for _, field := range fields {
		if c.missing[field] {
			return field
		}
	}
	return ""
}

// lacks names the field for want of which the result of a check proves nothing.
func (c *minesClaim) lacks(check verify.Check, result verify.Result, rules *verify.Rules) string {
	fails := result == verify.ResultFail
	switch check {
	case verify.CheckCommit:
		return c.first(fieldCommit)
	case verify.CheckBoard, verify.CheckMineCount:
		return c.first(fieldMines)
	case verify.CheckMaskRange:
		if fails { // one mask that was given is enough
			return ""
		}
		return c.first(fieldMines, fieldRevealed)
	case verify.CheckRevealsSafe:
		return c.first(fieldRevealed)
	case verify.CheckBustIsMine:
		return c.first(fieldBust)
	case verify.CheckBustNotRevealed:
		if c.settled().HasBust {
			return c.first(fieldRevealed)
		}
		return c.first(fieldBust)
	case verify.CheckOutcome:
		return c.lacksForOutcome(fails, rules)
	case verify.CheckMultiplier:
		return c.lacksForMultiplier(rules)
	default:
		if field := c.first(fieldPayout); field != "" {
			return field
		}
		return c.lacksForPay(rules)
	}
}

// lacksForOutcome: a loss that paid is proved by either amount. A win that paid
// nothing may have owed nothing.
func (c *minesClaim) lacksForOutcome(fails bool, rules *verify.Rules) string {
	s := c.settled()
	if s.HasBust && fails {
		return ""
	}
	if field := c.first(fieldBust, fieldMultiplier, fieldPayout); field != "" {
		return field
	}
	if !s.HasBust && s.Payout == 0 {
		return c.lacksForPay(rules)
	}
	return ""
}

func (c *minesClaim) lacksForMultiplier(rules *verify.Rules) string {
	if field := c.first(fieldMultiplier, fieldBust); field != "" {
		return field
	}
	if c.settled().HasBust && rules.LostMultiplier == verify.LostZero {
		return ""
	}
	if field := c.first(fieldRevealed, fieldEdge); field != "" {
		return field
	}
	if rules.Cap == verify.CapMultiplier {
		return c.first(fieldMaxPayout)
	}
	return ""
}

// lacksForPay names what is wanting to work out the payout.
func (c *minesClaim) lacksForPay(rules *verify.Rules) string {
	if field := c.first(fieldBust); field != "" || c.settled().HasBust {
		return field
	}
	if field := c.first(fieldRevealed, fieldEdge, fieldStake); field != "" {
		return field
	}
	if rules.Cap != verify.CapNone {
		return c.first(fieldMaxPayout)
	}
	return ""
}

func (o *minesOutcome) appendFields(b []byte) []byte {
	board := &o.claim.board
	b = appendInt(appendKey(b, "mines_mask"), int(board.Mask))
	b = appendInts(appendKey(b, "tiles"), board.Order[:board.N])
	b = appendInt(appendKey(b, "blocks"), board.Blocks)
	b = appendKey(b, "exact_multiplier")
	if o.exact == nil {
		b = append(b, "null"...)
	} else {
		b = appendString(b, o.exact.String())
	}
	b = appendKey(b, "payout")
	if o.payout == nil {
		b = append(b, "null"...)
	} else {
		b = append(strconv.AppendUint(append(b, '"'), *o.payout, 10), '"')
	}
	b = appendString(appendKey(b, "verdict"), o.verdict.String())
	b = append(appendKey(b, "checks"), '[')
	for i := range o.checks {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendCheck(b, &o.checks[i])
	}
	return append(b, ']')
}

func appendCheck(b []byte, f *verify.Finding) []byte {
	b = appendString(append(b, `{"name":`...), f.Check.String())
	b = appendString(appendKey(b, "result"), f.Result.String())
	b = appendString(appendKey(b, "reason"), string(f.Reason))
	b = appendString(appendKey(b, "expected"), f.Expected)
	b = appendString(appendKey(b, "observed"), f.Observed)
	return append(b, '}')
}
