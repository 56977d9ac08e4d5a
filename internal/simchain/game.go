package simchain

import (
	"math"
	"math/bits"
)

// fate is how a game ends.
type fate uint8

const (
	played      fate = iota // the player picks tiles and cashes out or hits a mine
	abandoned               // the player walks away; the operator cashes the board out
	voidedEarly             // the operator cancels it
	voidedLate              // a stranger cancels it after the refund timeout
	mustBeWon               // played, with a luck that a cheat needs
	mustBeLost
)

// game is a game from its start to its end: what the operator's backend knows.
type game struct {
	index int
	key   Key
	user  Key
	nonce uint64
	seed  Key

	mines     int
	stake     uint64 // lamports
	edgeBPS   uint16
	maxPayout uint64 // lamports
	timeout   int64  // seconds until anybody may void it

	fate  fate
	cheat Cheat
	cut   truncation

	slothash  Key   // of the slot before the start's
	startedAt int64 // unix seconds
	record    *record
}

// newGame deals game i, without its slot: who plays, with what terms and to what
// end. It depends on the seed and i alone, but for the nonce, which counts the
// player's games before it.
func (w *world) newGame(i int) *game {
	d := newDice(w.Seed, "game", uint64(i))
	player := d.IntN(len(w.users))
	if d.oneIn(2) {
		player /= 8 // some play much more than others
	}
	edges := [...]uint16{0, 50, 100, 200, 250, 300, 500, 875}
	g := &game{
		index: i, key: derive(w.Seed, "game account", uint64(i)), user: w.users[player], nonce: w.nonces[player],
		seed:    derive(w.Seed, "server seed", uint64(i)),
		mines:   d.between(1, 8),
		stake:   drawStake(d),
		edgeBPS: edges[d.IntN(len(edges))], maxPayout: 200_000_000_000, timeout: w.refundTimeout(),
		cheat: w.plan.cheat(i), record: &record{index: i},
	}
	w.nonces[player]++
	if d.oneIn(4) {
		g.mines = d.between(1, 24)
	}
	g.fate = drawFate(d)
	switch {
	case g.cheat != honest:
		g.bend(d)
	case d.oneIn(16):
		g.maxPayout = g.stake + g.stake/4 // the cap bites often
	case d.oneIn(200):
		g.stake = 0
	case d.oneIn(400):
		g.stake, g.maxPayout = math.MaxUint64-d.Uint64N(1000), math.MaxUint64
	}
	if n := w.TruncateEvery; n > 0 && g.cheat == honest && i%n == n-1 {
		g.cut = truncation(1 + (i/n)%int(lastTruncation))
	}
	g.record.deal(g)
	return g
}

// drawStake gives 1,000 to some 10^10 lamports, every power of ten as often.
func drawStake(d dice) uint64 {
	stake := uint64(d.between(1_000, 9_999))
	for range d.between(0, 6) {
		stake *= 10
	}
	return stake + d.Uint64N(stake/1_000)
}

func drawFate(d dice) fate {
	switch throw := d.IntN(100); {
	case throw < 2:
		return voidedEarly
	case throw < 3:
		return voidedLate
	case throw < 8:
		return abandoned
	default:
		return played
	}
}

// bend makes a game fit for its cheat: a stake from which something can be taken,
// no cap in the way, and the outcome that the cheat starts from.
func (g *game) bend(d dice) {
	g.stake = 1_000_000 + d.Uint64N(1_000_000_000)
	g.maxPayout = 1 << 62
	switch g.cheat {
	case shortRefund:
		g.fate = voidedEarly
	case fakeBust, bustRevealed:
		g.fate = mustBeLost
	case mineAsSafe, wrongMultiplier, wrongPayout, changedTerms:
		g.fate = mustBeWon
	default:
		g.fate = played
	}
}

// refundTimeout is long enough that a game which ends in time never meets it (26
// slots, and a second lost to rounding) and short enough that late voids come.
func (w *world) refundTimeout() int64 {
	return int64(math.Ceil(26*w.SlotTime.Seconds())) + 1
}

// start is the event of the game's start in a slot: its slot hash is that of the
// slot before.
func (g *game) start(slothash Key, now int64) started {
	g.slothash, g.startedAt = slothash, now
	return started{
		game: g.key, user: g.user, nonce: g.nonce, mines: uint8(g.mines), stake: g.stake,
		commit: hashOf(g.seed), slothash: slothash, edgeBPS: g.edgeBPS,
		maxPayout: g.maxPayout, refundTimeout: g.timeout, startedAt: now,
	}
}

// outcome is what became of a board.
type outcome struct {
	revealed uint32
	bust     int // noBust if it was not lost
}

func (o outcome) tiles() int { return bits.OnesCount32(o.revealed) }

// play finds an outcome of the game on a board, as its fate wants it.
func (g *game) play(b board, d dice) outcome {
	switch g.fate {
	case mustBeWon:
		return outcome{pick(b.safe(), d.between(1, min(6, tiles-g.mines)), d), noBust}
	case mustBeLost:
		return outcome{pick(b.safe(), d.between(0, min(6, tiles-g.mines-1)), d), b.order[d.IntN(g.mines)]}
	case abandoned:
		return outcome{pick(b.safe(), d.between(0, min(3, tiles-g.mines)), d), noBust}
	default:
		return picks(b, d.between(1, min(8, tiles-g.mines)), d)
	}
}

// picks lets a player open tiles at random until enough are safe or one is a mine.
func picks(b board, enough int, d dice) outcome {
	o := outcome{bust: noBust}
	for _, t := range d.Perm(tiles) {
		if b.isMine(t) {
			o.bust = t
			return o
		}
		o.revealed |= 1 << t
		if o.tiles() == enough {
			return o
		}
	}
	return o
}

// pick takes n of the tiles in list, as a mask.
func pick(list []int, n int, d dice) uint32 {
	var mask uint32
	for _, i := range d.Perm(len(list))[:n] {
		mask |= 1 << list[i]
	}
	return mask
}
