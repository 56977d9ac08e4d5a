package simchain

// corrupt turns an honest settlement of board b into the game's cheat and names
// the checks that a perfect auditor fails, all of them and no others.
func (w *world) corrupt(g *game, e settled, b board, d dice) (settled, []check) {
	safe := b.safe()
	switch g.cheat {
	case wrongSeed:
		// Another seed is a whole other game, right in itself.
		seed := derive(w.Seed, "other seed", uint64(g.index))
		other := deriveBoard(seed, g.slothash, g.user, g.nonce, g.mines)
		return w.settlement(g, seed, g.slothash, other, g.play(other, d)), []check{checkCommit}

	case changedSlothash:
		return w.moveBoard(g, b, d)

	case wrongMask:
		e.mines ^= 1<<b.order[d.IntN(g.mines)] | 1<<safe[d.IntN(len(safe))]
		return e, []check{checkBoard}

	case maskOutOfRange:
		e.mines |= 1 << d.between(tiles, 31)
		return e, []check{checkBoard, checkMineCount, checkMaskRange}

	case mineAsSafe:
		// As many tiles as before, so the pay is right for what is claimed.
		for _, t := range safe {
			if e.revealed>>t&1 == 1 {
				e.revealed ^= 1<<t | 1<<b.order[d.IntN(g.mines)]
				break
			}
		}
		return e, []check{checkReveals}

	case fakeBust:
		hidden := hiddenOf(safe, e.revealed)
		e.bust = hidden[d.IntN(len(hidden))]
		return e, []check{checkBust}

	case bustRevealed:
		e.revealed |= 1 << e.bust
		return e, []check{checkBustHidden, checkReveals}

	case wrongMultiplier:
		e.multiplier -= 1 + d.Uint64N(e.multiplier-1)
		return e, []check{checkMultiplier}

	case wrongPayout:
		e.payout -= 1 + d.Uint64N(e.payout/2)
		return e, []check{checkPayout}

	case changedTerms:
		// The edge goes up until it shows in both numbers.
		right := e
		for edge := g.edgeBPS + 50; e.multiplier == right.multiplier || e.payout == right.payout; edge += 50 {
			e.multiplier, e.payout = w.pay(g, edge, outcome{e.revealed, e.bust}.tiles())
		}
		return e, []check{checkMultiplier, checkPayout}

	case doubleSettled, settledVoided:
		return e, []check{checkLifecycle} // the second end does it: see world.end
	}
	return e, nil
}

// moveBoard settles with a slot hash that gives another board. What was played
// is right by that board; by the one that the start fixed it may be wrong.
func (w *world) moveBoard(g *game, fixed board, d dice) (settled, []check) {
	for n := uint64(0); ; n++ {
		slothash := derive(w.Seed, "other slot hash "+g.key.String(), n)
		moved := deriveBoard(g.seed, slothash, g.user, g.nonce, g.mines)
		if moved.mask == fixed.mask {
			continue
		}
		o := g.play(moved, d)
		fails := []check{checkSlothash, checkBoard}
		if o.revealed&fixed.mask != 0 {
			fails = append(fails, checkReveals)
		}
		if o.bust != noBust && !fixed.isMine(o.bust) {
			fails = append(fails, checkBust)
		}
		return w.settlement(g, g.seed, slothash, moved, o), fails
	}
}

// hiddenOf lists the tiles of list that mask does not hold.
func hiddenOf(list []int, mask uint32) []int {
	var hidden []int
	for _, t := range list {
		if mask>>t&1 == 0 {
			hidden = append(hidden, t)
		}
	}
	return hidden
}
