package simchain

// open starts the next game.
func (w *world) open(b *block) {
	g := w.newGame(w.opened)
	w.opened++
	w.running++
	t := w.newTx(b, w.gameLayout(), w.operator, g.start(w.slothash(b.parent), b.time).bytes())
	if g.cut == startKept || g.cut == startLost {
		t.cut = g.cut
	}
	if w.fork(forkStart, t, deed{startAnew, g, t}) {
		return
	}
	w.begun(g, t)
}

// land puts a start that a fork dropped into another slot: the signature is the
// same, the slot hash, and with it the board, is another.
func (w *world) land(b *block, g *game, dropped *tx) {
	again := *dropped
	again.slot = b.slot
	again.event = g.start(w.slothash(b.parent), b.time).bytes()
	b.txs = append(b.txs, &again)
	w.begun(g, &again)
}

// begun enters a start that stands and sets the time of the game's end.
func (w *world) begun(g *game, t *tx) {
	g.record.start = t
	w.records = append(w.records, g.record)
	d := newDice(w.Seed, "length", uint64(g.index))
	slots := d.between(1, 20)
	if g.fate == voidedLate {
		slots = w.slotsToTimeout(g) + d.between(0, 10)
	}
	w.later(slots, deed{what: endGame, game: g})
}

// slotsToTimeout is how many slots from now a game's refund timeout is over.
func (w *world) slotsToTimeout(g *game) int {
	n := 0
	for w.timeOf(w.slot+uint64(n)) < g.startedAt+g.timeout {
		n++
	}
	return n
}

// end settles or voids a game, whatever its fate is.
func (w *world) end(b *block, g *game) {
	signer, r := w.operator, g.record
	var event []byte
	if g.fate == voidedEarly || g.fate == voidedLate {
		e, fails := w.void(g)
		event, r.fails, signer = e.bytes(), fails, e.authority
		r.void, r.late = true, g.fate == voidedLate
	} else {
		e, fails := w.settle(g)
		event, r.fails = e.bytes(), fails
		r.lost = e.bust != noBust
	}
	t := w.newTx(b, w.gameLayout(), signer, event)
	if g.cut == endKept || g.cut == endLost {
		t.cut = g.cut
	}
	if honest := w.uprightEnd(g); honest != nil {
		w.honest[t.short()] = honest
	}
	if w.fork(forkEnd, t, deed{landAnew, g, t}) {
		return
	}
	if w.twins(g) {
		t.layout, r.cheat, r.fails = gameTwin, twinEvents, []check{checkLifecycle}
	}
	w.ended(g, t)
}

// ended enters an end that stands. A game that is to have two goes on.
func (w *world) ended(g *game, t *tx) {
	g.record.end, g.record.lastEnd = t, t
	if g.cheat == doubleSettled || g.cheat == settledVoided {
		d := newDice(w.Seed, "second end", uint64(g.index))
		w.later(d.between(1, 10), deed{what: endAgain, game: g})
		return
	}
	w.finish(g)
}

// endTwice is the second end of a game: the same settlement again, or a void.
func (w *world) endTwice(b *block, g *game) {
	event := g.record.end.event
	if g.cheat == settledVoided {
		e, _ := w.void(g)
		event = e.bytes()
	}
	g.record.lastEnd = w.newTx(b, w.gameLayout(), w.operator, event)
	w.honest[g.record.lastEnd.short()] = nil
	w.finish(g)
}

func (w *world) finish(g *game) {
	w.running--
	w.truths.add(g.record)
}

// fork lets the plan of forks drop a transaction that has just been made. It is notified and
// listed as confirmed like any other, is gone in the next block, and, if its
// fault says so, lands again some slots later. A start that does not is a game
// that never was; an end that does not is sent again under another signature.
func (w *world) fork(kind forkKind, t *tx, again deed) bool {
	lands, forked := w.forks.take(kind, t)
	if !forked {
		return false
	}
	w.later(1, deed{what: vanish, tx: t})
	switch {
	case lands:
		w.later(3, again)
	case kind == forkEnd:
		w.later(3, deed{what: endGame, game: again.game})
	default:
		w.running--
	}
	return true
}
