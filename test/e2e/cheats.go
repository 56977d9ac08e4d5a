//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"
)

// A Cheat is one kind of dishonest game, settled on the build that checks nothing.
type Cheat struct {
	Name  string
	Fails string       // checks that must fail, blank-separated; none: the game passes
	May   string       // checks that may fail besides
	Open  string       // checks that cannot be made, as no board has such a mine count
	Terms func(*Terms) // changes plainTerms; nil: as they are
	End   func(*cheater) error
	When  string // of a void, see Judgement
}

// A cheater settles one hand dishonestly. Its methods send; the ledger notes what they emit.
type cheater struct {
	House
	*desk
	*Hand
	ctx context.Context
}

const (
	early   = "before_timeout"
	maskBit = 1 << 25 // the first bit that is no tile
)

// Cheats are all kinds, and honest controls that the dishonest build settles too.
func Cheats() []Cheat {
	return append(append(append(honestControls(), boardCheats()...), payCheats()...), lifeCheats()...)
}

func honestControls() []Cheat {
	return []Cheat{
		{Name: "honest win", End: forge(func(*cheater, *Settled) error { return nil })},
		{Name: "honest loss", End: forge(lose(func(c *cheater) int { return c.MineTile(0) }))},
		{Name: "honest void", When: early, End: func(c *cheater) error { return c.cancel(c.Stake, c.operator) }},
	}
}

// boardCheats lie about seed, board, reveals or bust tile. Where a tile is moved it is safe tile 7:
// the honest settlement that they start from reveals safe tiles 0 to 3.
func boardCheats() []Cheat {
	return []Cheat{
		{Name: "other seed", Fails: "commit", May: "board reveals_safe", End: func(c *cheater) error { return c.onOtherBoard(randomHash(), c.SlotHash) }},
		{Name: "other seed, old board", Fails: "commit board", May: "reveals_safe", End: forge(func(_ *cheater, s *Settled) error {
			s.Seed = randomHash()
			return nil
		})},
		{Name: "mine moved under the pick", Fails: "board", May: "bust_is_mine", End: forge(func(c *cheater, s *Settled) error {
			s.Mask = s.Mask&^(1<<c.MineTile(0)) | 1<<c.SafeTile(7)
			return lose(func(c *cheater) int { return c.SafeTile(7) })(c, s)
		})},
		{Name: "one mine more", Fails: "board mine_count", End: forge(func(c *cheater, s *Settled) error {
			s.Mask |= 1 << c.SafeTile(7)
			return nil
		})},
		{Name: "mask with bit 25", Fails: "board mine_count mask_range", End: forge(func(_ *cheater, s *Settled) error {
			s.Mask |= maskBit
			return nil
		})},
		{Name: "revealed with bit 25", Fails: "mask_range", May: "multiplier payout reveals_safe", End: forge(func(_ *cheater, s *Settled) error {
			s.Revealed |= maskBit
			return nil
		})},
		{Name: "mine revealed", Fails: "reveals_safe", End: forge(func(c *cheater, s *Settled) error {
			return c.repay(s, s.Revealed|1<<c.MineTile(0))
		})},
		{Name: "false bust", Fails: "bust_is_mine", End: forge(lose(func(c *cheater) int { return c.SafeTile(7) }))},
		{Name: "bust revealed", Fails: "bust_not_revealed reveals_safe", End: forge(func(c *cheater, s *Settled) error {
			s.Revealed |= 1 << c.MineTile(0)
			return lose(func(c *cheater) int { return c.MineTile(0) })(c, s)
		})},
		{Name: "safe bust revealed", Fails: "bust_not_revealed bust_is_mine", End: forge(lose(func(c *cheater) int { return c.SafeTile(0) }))},
		{Name: "bust 25", Fails: "bust_is_mine", End: forge(lose(func(*cheater) int { return 25 }))},
		{Name: "slot hash changed", Fails: "slothash_kept", May: "board reveals_safe", End: func(c *cheater) error { return c.onOtherBoard(c.Seed, randomHash()) }},
		{Name: "no mines", Fails: "mine_count", Open: "board reveals_safe multiplier payout", Terms: func(t *Terms) { t.Mines = 0 }, End: func(c *cheater) error {
			s := c.settled(0, NoBust)
			s.Multiplier, s.Payout = c.desk.oracle.scale*97/100, c.Stake*97/100
			return c.emit(s)
		}},
		{Name: "25 mines", Fails: "mine_count", Open: "board reveals_safe bust_is_mine", Terms: func(t *Terms) { t.Mines = 25 }, End: func(c *cheater) error {
			s := c.settled(0, 0)
			s.Mask = allTiles
			return c.emit(s)
		}},
	}
}

// payCheats settle the right board for the wrong money.
func payCheats() []Cheat {
	capped := func(t *Terms) { t.MaxPayout = 200_000_000 } // below what four tiles pay
	return []Cheat{
		{Name: "loss paid", Fails: "multiplier payout", May: "outcome", End: forge(func(c *cheater, s *Settled) error {
			s.BustTile = c.MineTile(0)
			return nil
		})},
		{Name: "win unpaid", Fails: "multiplier payout", May: "outcome", End: forge(func(_ *cheater, s *Settled) error {
			s.Multiplier, s.Payout = 0, 0
			return nil
		})},
		{Name: "multiplier short by one", Fails: "multiplier", End: forge(func(_ *cheater, s *Settled) error {
			s.Multiplier--
			return nil
		})},
		{Name: "multiplier rounded up", Fails: "multiplier", End: forge(func(_ *cheater, s *Settled) error {
			s.Multiplier++
			return nil
		})},
		{Name: "edge doubled", Fails: "multiplier payout", End: forge(func(c *cheater, s *Settled) error {
			p, err := c.Pay(c.ctx, 2*c.EdgeBPS, s.Revealed)
			s.Multiplier, s.Payout = p.Multiplier, p.Payout
			return err
		})},
		{Name: "one tile not counted", Fails: "multiplier payout", End: forge(func(c *cheater, s *Settled) error {
			p, err := c.Pay(c.ctx, c.EdgeBPS, lowest(s.Revealed, 3))
			s.Multiplier, s.Payout = p.Multiplier, p.Payout
			return err
		})},
		{Name: "payout short by one", Fails: "payout", End: forge(func(_ *cheater, s *Settled) error {
			s.Payout--
			return nil
		})},
		{Name: "payout from the rounded multiplier", Fails: "payout", Terms: func(t *Terms) { t.Stake = 1e12 + 7 }, End: forge(func(c *cheater, s *Settled) error {
			s.Payout = c.Stake * s.Multiplier / c.desk.oracle.scale
			return nil
		})},
		{Name: "payout over the cap", Fails: "payout", Terms: capped, End: forge(func(c *cheater, s *Settled) error {
			s.Payout++
			return nil
		})},
		{Name: "payout under a lower cap", Fails: "payout", Terms: capped, End: forge(func(_ *cheater, s *Settled) error {
			s.Payout = 150_000_000
			return nil
		})},
	}
}

// lifeCheats end a game twice, start it twice, void it wrongly or use its seed again.
func lifeCheats() []Cheat {
	lost := forge(lose(func(c *cheater) int { return c.MineTile(0) }))
	won := forge(func(*cheater, *Settled) error { return nil })
	voided := func(c *cheater) error { return c.cancel(c.Stake, c.operator) }
	byStranger := func(c *cheater) error { return c.cancel(c.Stake, c.stranger) }
	return []Cheat{
		{Name: "settled twice", Fails: "lifecycle", End: inTurn(lost, won)},
		{Name: "voided after settled", Fails: "lifecycle", End: inTurn(won, voided)},
		{Name: "settled after void", Fails: "lifecycle", When: early, End: inTurn(voided, won)},
		{Name: "voided twice", Fails: "lifecycle", When: early, End: inTurn(voided, byStranger)},
		{Name: "half refunded", Fails: "refund", When: early, End: func(c *cheater) error { return c.cancel(c.Stake/2, c.operator) }},
		{Name: "nothing refunded", Fails: "refund", When: early, End: func(c *cheater) error { return c.cancel(0, c.operator) }},
		{Name: "voided early by a stranger", Fails: "void_right", When: early, End: byStranger},
		{Name: "restarted with another commit", Fails: "lifecycle", May: "commit slothash_kept board reveals_safe", End: inTurn(restart)},
		{Name: "seed used again", End: func(c *cheater) error { return c.again() }},
	}
}

// playCheat starts a game where nothing is checked, cheats, and writes down the judgement.
func playCheat(ctx context.Context, house House, user solana.PublicKey, cheat Cheat) error {
	terms := plainTerms()
	if cheat.Terms != nil {
		cheat.Terms(&terms)
	}
	h, err := house.Start(ctx, user, terms)
	if err != nil {
		return fmt.Errorf("cheat %q: %w", cheat.Name, err)
	}
	if err := cheat.End(&cheater{house, house.at(), h, ctx}); err != nil {
		return fmt.Errorf("cheat %q: %w", cheat.Name, err)
	}
	j := judgement(cheat.Fails, cheat.May, cheat.When)
	j.Unproved = unproved("mines_count_out_of_range", strings.Fields(cheat.Open)...)
	house.at().ledger.Judge(h.GameKey, cheat.Name, j)
	return nil
}

// forge settles the honest win of four tiles after change has had its way with it.
func forge(change func(*cheater, *Settled) error) func(*cheater) error {
	return func(c *cheater) error {
		s, err := c.Won(c.ctx, c.Safe(4))
		if err != nil {
			return err
		}
		if err := change(c, &s); err != nil {
			return err
		}
		return c.emit(s)
	}
}

// lose turns a settlement into the loss at a tile.
func lose(tile func(*cheater) int) func(*cheater, *Settled) error {
	return func(c *cheater, s *Settled) error {
		s.BustTile, s.Multiplier, s.Payout = tile(c), 0, 0
		return nil
	}
}

// inTurn ends a game again and again, each time in a later slot: which of two ends in one slot is
// the first, the record cannot tell.
func inTurn(ends ...func(*cheater) error) func(*cheater) error {
	return func(c *cheater) error {
		for _, end := range ends {
			if err := c.chain.Past(c.ctx, c.ledger.LastSlot()); err != nil {
				return err
			}
			if err := end(c); err != nil {
				return err
			}
		}
		return nil
	}
}

func (c *cheater) emit(s Settled) error {
	_, err := c.Settle(c.ctx, s)
	return err
}

func (c *cheater) cancel(refund uint64, by solana.PrivateKey) error {
	_, err := c.Void(c.ctx, Voided{GameKey: c.GameKey, Refund: refund}, by)
	return err
}

// repay reveals other tiles and pays for them.
func (c *cheater) repay(s *Settled, revealed uint32) error {
	p, err := c.Pay(c.ctx, c.EdgeBPS, revealed)
	s.Revealed, s.Multiplier, s.Payout = revealed, p.Multiplier, p.Payout
	return err
}

// onOtherBoard settles a win that is right in itself, on the board of another seed or slot hash.
func (c *cheater) onOtherBoard(seed, slotHash [32]byte) error {
	other := c.Started
	other.SlotHash = slotHash
	h, err := newHand(c.ctx, c.desk.oracle, other, seed)
	if err != nil {
		return err
	}
	s, err := h.Won(c.ctx, h.Safe(4))
	if err != nil {
		return err
	}
	return c.emit(s)
}

// restart starts the same game again, with another seed, and settles that honestly.
func restart(c *cheater) error {
	h, err := c.Restart(c.ctx, c.Game, c.User, plainTerms())
	if err != nil {
		return err
	}
	if h.GameKey != c.GameKey {
		return fmt.Errorf("restarted as %+v, was %+v", h.GameKey, c.GameKey)
	}
	return forge(func(*cheater, *Settled) error { return nil })(&cheater{c.House, c.desk, h, c.ctx})
}

// again settles the game, and plays another one on the seed that this has published.
func (c *cheater) again() error {
	lost := forge(lose(func(c *cheater) int { return c.MineTile(0) }))
	if err := lost(c); err != nil {
		return err
	}
	terms := plainTerms()
	terms.Seed = c.Seed
	h, err := c.Start(c.ctx, c.User, terms)
	if err != nil {
		return err
	}
	c.ledger.Judge(h.GameKey, "on a published seed", Judgement{Verdict: "pass"})
	return lost(&cheater{c.House, c.desk, h, c.ctx})
}
