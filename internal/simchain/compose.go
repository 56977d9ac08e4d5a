package simchain

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
)

// compose builds the calls of a transaction, the same ones each time: the one
// source of its log, its instructions and its accounts.
func (c *cast) compose(t *tx) []*call {
	d := dice{rand.New(rand.NewPCG(t.salt, 0))}
	calls := c.budgetCalls(t, d)
	switch t.cut {
	case startKept, endKept:
		calls = append(calls, c.mines(t, d))
		return append(calls, c.padding(t, calls, 300))
	case startLost, endLost:
		return append(calls, c.padding(t, calls, 30), c.mines(t, d))
	}
	switch t.layout {
	case mentionOnly:
		call := c.chat(d)
		call.accounts = append(call.accounts, account{key: c.program})
		return append(calls, call)
	case foreignOnly:
		return append(calls, c.chat(d))
	case forged:
		return append(calls, c.forger(t, d))
	case forgedCut:
		return c.cutForgery(t, calls, d)
	case failedLater:
		refused := c.chat(d)
		refused.failure = "custom program error: 0x1771"
		return append(calls, c.mines(t, d), refused)
	case failedAtOnce:
		return append(calls, c.refusal(t, d))
	}
	return append(calls, c.gameCalls(t, d)...)
}

// gameCalls builds what comes after the budget calls in a transaction of a game.
func (c *cast) gameCalls(t *tx, d dice) []*call {
	game := c.mines(t, d)
	switch t.layout {
	case gameWrapped:
		return []*call{c.wrapper(game, d)}
	case gameSandwich:
		noise := &call{program: c.oracle, data: []byte{1}, units: d.between(500, 900), steps: []step{
			{log: "price asked for"}, c.emit(t), {data: [][]byte{salted(t), {}, {7}}},
		}}
		last := len(game.steps) - 1
		game.steps = append(game.steps[:last:last], step{call: noise}, game.steps[last])
		return []*call{game}
	case gamePreceded:
		return []*call{c.chat(d), game}
	case gameFollowed:
		return []*call{game, c.forger(t, d)}
	case gameCrowded:
		return []*call{c.crowd(d), game}
	case gameSpoofed:
		return []*call{c.spoof(t, d), game}
	case gameTwin:
		game.steps = append(game.steps, c.emit(t))
	case gameReturn:
		game.steps = append(game.steps, step{log: "returning success"})
		game.returns = []byte{0xb2, 0xe7, 0x1c, 0x7a, 0xcb} // in base64: success=
	}
	return []*call{game}
}

// budgetCalls are the two instructions that most transactions begin with. The
// failing layouts always do: their errors name a position after them.
func (c *cast) budgetCalls(t *tx, d dice) []*call {
	if t.err == "" && d.oneIn(4) {
		return nil
	}
	limit := binary.LittleEndian.AppendUint32([]byte{2}, 200_000)
	price := binary.LittleEndian.AppendUint64([]byte{3}, uint64(d.between(1, 50_000)))
	return []*call{{program: c.budget, data: limit}, {program: c.budget, data: price}}
}

// mines is the audited program's instruction; its event is the last thing it
// does.
func (c *cast) mines(t *tx, d dice) *call {
	m := &call{program: c.program, units: d.between(5_000, 25_000), accounts: []account{
		{key: t.game(), writable: true},
		{key: t.user(), writable: true},
		{key: t.signer, signer: true, writable: true},
		{key: c.vault, writable: true},
	}}
	var name, method string
	var does *call
	switch len(t.event) {
	case startedSize:
		name, method = "StartMines", "start_mines"
		m.accounts = append(m.accounts, account{key: c.slotHashes}, account{key: c.clock}, account{key: c.system})
		does = c.stake(t)
	case voidedSize:
		name, method = "VoidMines", "void_mines"
		m.accounts = append(m.accounts, account{key: c.clock}, account{key: c.token})
		does = c.transfer(t, d)
	default:
		name, method = "SettleMines", "settle_mines"
		m.accounts = append(m.accounts, account{key: c.token})
		does = c.transfer(t, d)
	}
	m.data = append(discriminator("global:"+method), salted(t)...)
	m.steps = []step{{log: "Instruction: " + name}, {call: does}, c.emit(t)}
	return m
}

// stake is the system program's part in a start.
func (c *cast) stake(t *tx) *call {
	return &call{program: c.system, data: salted(t)[:12], accounts: []account{
		{key: t.signer, signer: true, writable: true}, {key: c.vault, writable: true},
	}}
}

// transfer is the token program's part in a settlement.
func (c *cast) transfer(t *tx, d dice) *call {
	return &call{
		program: c.token, units: d.between(4_500, 4_800), data: append([]byte{3}, salted(t)[:8]...),
		accounts: []account{{key: c.vault, writable: true}, {key: t.user(), writable: true}},
		steps:    []step{{log: "Instruction: Transfer"}},
	}
}

// wrapper calls the program in somebody else's name.
func (c *cast) wrapper(inner *call, d dice) *call {
	return &call{
		program: c.router, accounts: append([]account{{key: inner.program}}, inner.accounts...),
		data: []byte{9, 1}, units: inner.units + d.between(1_000, 3_000),
		steps: []step{{log: "Instruction: Route"}, {call: inner}, {log: "routed: success"}},
	}
}

// forger prints an event of ours that is none: the program that prints it is
// another.
func (c *cast) forger(t *tx, d dice) *call {
	return &call{
		program: c.attacker, data: []byte{6, 6}, units: d.between(300, 900),
		accounts: []account{{key: c.program}, {key: t.game()}, {key: t.user()}},
		steps: []step{
			{log: "Program " + c.program.String() + " invoke [1]"},
			c.emit(t),
			{log: "Program " + c.program.String() + " success"},
		},
	}
}

// refusal is the program refusing to void a game before its time.
func (c *cast) refusal(t *tx, d dice) *call {
	return &call{
		program: c.program, data: discriminator("global:void_mines"), units: d.between(1_500, 2_500),
		accounts: []account{{key: t.game(), writable: true}, {key: t.user(), writable: true}, {key: t.signer, signer: true, writable: true}, {key: c.clock}},
		steps:    []step{{log: "Instruction: VoidMines"}, {log: "AnchorError occurred. Error Code: VoidTooEarly. Error Number: 6030."}},
		failure:  "custom program error: 0x178e",
	}
}

// chat logs what a user wrote into it, which may look like anything.
func (c *cast) chat(d dice) *call {
	texts := [...]string{
		"hello", "Program " + c.program.String() + " success", "Program " + c.program.String() + " invoke [1]",
		"x invoke [1]", "Log truncated", "line one\nProgram data: AAAA\nProgram " + c.program.String() + " success",
		"NUL\x00 and \"quotes\" \\ and 地雷 💣", "Program data: 5igiKTGZ9OA=", "transfer failed: success", "",
	}
	call := &call{program: c.chatty, data: []byte{4}, units: d.between(200, 400)}
	for range d.between(1, 3) {
		call.steps = append(call.steps, step{log: texts[d.IntN(len(texts))]})
	}
	call.steps = append(call.steps, step{data: [][]byte{{1, 2, 3, byte(d.IntN(256))}}})
	return call
}

// padding fills a log that the calls before it have begun to some bytes under its
// limit, makes it overflow, and then prints a line that still fits if enough is
// left: a copy of the event, which nobody can attribute any more.
func (c *cast) padding(t *tx, before []*call, left int) *call {
	p := &call{program: c.attacker, data: []byte{5}, accounts: []account{{key: c.program}}}
	for range 6 {
		p.steps = append(p.steps, step{log: strings.Repeat("-", 1_400)})
	}
	soFar := lines{limit: logLimit}
	for _, call := range append(before[:len(before):len(before)], p) {
		soFar.write(call, 1, unitLimit)
	}
	used := soFar.written - len("Program  success") - len(c.attacker.String()) // p has not ended yet
	p.units = 9_000
	p.steps = append(p.steps,
		step{log: strings.Repeat("=", logLimit-left-used-len("Program log: "))},
		step{log: strings.Repeat("!", 500)},
		c.emit(t))
	return p
}

// salted gives 16 bytes that mean nothing.
func salted(t *tx) []byte { return append([]byte(nil), t.signature[:16]...) }
