package simchain

import "crypto/sha256"

func hashOf(seed Key) Key { return sha256.Sum256(seed[:]) }

// check is a check that an auditor makes of a game, by the name under which
// verdicts report it.
type check string

const (
	checkCommit     check = "commit"
	checkSlothash   check = "slothash_kept"
	checkBoard      check = "board"
	checkMineCount  check = "mine_count"
	checkMaskRange  check = "mask_range"
	checkReveals    check = "reveals_safe"
	checkBust       check = "bust_is_mine"
	checkBustHidden check = "bust_not_revealed"
	checkMultiplier check = "multiplier"
	checkPayout     check = "payout"
	checkLifecycle  check = "lifecycle"
	checkRefund     check = "refund"
)

// settle ends a started game, honestly or as its cheat has it, and says which
// checks that must fail.
func (w *world) settle(g *game) (settled, []check) {
	d := newDice(w.Seed, "settlement", uint64(g.index))
	b := deriveBoard(g.seed, g.slothash, g.user, g.nonce, g.mines)
	e := w.settlement(g, g.seed, g.slothash, b, g.play(b, d))
	return w.corrupt(g, e, b, d)
}

// uprightEnd is the event that a cheat's game would have ended with if nobody
// cheated; nil for other games, and where the end itself is upright.
func (w *world) uprightEnd(g *game) []byte {
	switch {
	case g.cheat == honest || g.cheat == doubleSettled || g.cheat == settledVoided:
		return nil
	case g.cheat == shortRefund:
		upright := *g
		upright.cheat = honest
		e, _ := w.void(&upright)
		return e.bytes()
	}
	upright := *g
	upright.cheat = honest
	e, _ := w.settle(&upright)
	return e.bytes()
}

// settlement is what an honest program says of an outcome on a board.
func (w *world) settlement(g *game, seed, slothash Key, b board, o outcome) settled {
	e := settled{
		game: g.key, user: g.user, nonce: g.nonce, serverSeed: seed, slothash: slothash,
		mines: b.mask, revealed: o.revealed, bust: o.bust,
	}
	if o.bust == noBust {
		e.multiplier, e.payout = w.pay(g, g.edgeBPS, o.tiles())
	}
	return e
}

// pay is what a cash-out after k safe tiles is worth.
func (w *world) pay(g *game, edgeBPS uint16, k int) (factor, lamports uint64) {
	m := w.table.multiplier(edgeBPS, g.mines, k)
	return scaled(m), payout(g.stake, m, g.maxPayout)
}

// void gives a game's stake back, or as much as its cheat leaves of it.
func (w *world) void(g *game) (voided, []check) {
	d := newDice(w.Seed, "void", uint64(g.index))
	e := voided{game: g.key, user: g.user, nonce: g.nonce, refund: g.stake, authority: w.operator}
	if g.fate == voidedLate {
		e.authority = w.strangers[d.IntN(len(w.strangers))]
	}
	if g.cheat == shortRefund {
		e.refund -= 1 + d.Uint64N(g.stake)
		return e, []check{checkRefund}
	}
	return e, nil
}
