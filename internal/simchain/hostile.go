package simchain

import (
	"encoding/base64"
	"strings"
)

// A hostile chain is one whose logs are attacked. Strangers print exact copies
// of events in programs of their own, in failed transactions, and behind the cut
// of a log that they have filled; games are played in transactions that hold a
// thousand foreign lines, or text with newlines and NULs that holds whole lines
// of structure. None of this may change a verdict. The program itself errs as
// well, now and then: it ends a game twice in one transaction, which is a fault
// of the game's life.
//
// A log that was cut hides what came after, whoever filled it, so a game that it
// names may be inconclusive for a while: until its end is seen.

// addAttacks adds transactions of attackers, about one to three of a block.
func (w *world) addAttacks(b *block) {
	d := newDice(w.Seed, "hostile", w.slot)
	for _, t := range b.txs {
		if t.event == nil || t.err != "" || !d.oneIn(3) {
			continue
		}
		switch d.IntN(4) {
		case 0:
			w.newTx(b, forged, w.stranger(d), t.event)
		case 1:
			w.newTx(b, failedLater, w.stranger(d), t.event).err = errForeignRefused
		case 2, 3:
			w.newTx(b, forgedCut, w.stranger(d), t.event)
		}
	}
}

// twins tells whether a game is one of those that the program ends twice.
func (w *world) twins(g *game) bool {
	return w.Hostile && g.cheat == honest && g.cut == uncut && newDice(w.Seed, "twins", uint64(g.index)).oneIn(25)
}

// crowd logs a thousand lines that are none of the runtime's, as old loaders do.
func (c *cast) crowd(d dice) *call {
	crowd := &call{program: c.chatty, data: []byte{8}, units: d.between(200, 400)}
	for range 1_000 {
		crowd.steps = append(crowd.steps, step{raw: [...]string{"gas", "ok", "sol_log", "0x1"}[d.IntN(4)]})
	}
	return crowd
}

// spoof logs text that would be a forged event if it were taken for lines.
func (c *cast) spoof(t *tx, d dice) *call {
	p := c.program.String()
	lines := []string{
		"x", "Program " + c.chatty.String() + " success", "Program " + p + " invoke [1]",
		"Program data: " + base64.StdEncoding.EncodeToString(t.event), "Program " + p + " success", "Log truncated",
	}
	return &call{program: c.chatty, data: []byte{7}, units: d.between(200, 400), steps: []step{
		{log: strings.Join(lines, "\n")},
		{log: strings.Join(lines, "\x00\n")},
		{log: lines[3]},
		{data: [][]byte{t.event}},
	}}
}

// cutForgery fills a log up to some bytes under its limit, has our program
// called without an event, and prints a copy of an event while lines still get
// lost. What exactly is lost depends on how much was left.
func (c *cast) cutForgery(t *tx, calls []*call, d dice) []*call {
	calls = append(calls, c.padding(t, calls, d.between(20, 600)))
	calls = append(calls, &call{
		program: c.program, data: discriminator("global:ping"), units: d.between(300, 500),
		accounts: []account{{key: t.game()}, {key: t.user()}}, steps: []step{{log: "Instruction: Ping"}},
	})
	return append(calls, c.forger(t, d))
}
