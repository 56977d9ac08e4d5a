package store

import (
	"math"

	"minesaudit/internal/verify"
)

// game adds a game's row.
func (c *copied) game(g *Game) {
	c.row()
	c.bytes(g.Key.Game[:])
	c.bytes(g.ID[:])
	if !c.hides(g.Missing, verify.FieldUser) {
		c.bytes(g.Key.User[:])
	}
	if !c.hides(g.Missing, verify.FieldNonce) {
		c.numeric(g.Key.Nonce)
	}
	c.int32(int32(g.Starts))
	c.int32(int32(g.Ends))
	c.start(g)
	c.end(g)
	if g.Standing.Seq < 0 {
		c.null()
	} else {
		c.int32(int32(g.Standing.Seq))
	}
	c.int16(int16(g.Standing.Verdict))
	c.int32(int32(g.Standing.Results))
	c.int16(int16(g.Standing.VoidWhen))
}

func (c *copied) start(g *Game) {
	s := g.Start
	if s == nil {
		c.nulls(10)
		return
	}
	c.int64(g.StartTx)
	c.int64(int64(s.Slot))
	if !c.hides(s.Missing, verify.FieldMinesCount) {
		c.int16(int16(s.MinesCount))
	}
	if !c.hides(s.Missing, verify.FieldStake) {
		c.numeric(s.Stake)
	}
	if !c.hides(s.Missing, verify.FieldCommitHash) {
		c.bytes(s.CommitHash[:])
	}
	if !c.hides(s.Missing, verify.FieldSlothash) {
		c.bytes(s.Slothash[:])
	}
	if !c.hides(s.Missing, verify.FieldHouseEdge) {
		c.int32(edge(s.HouseEdge))
	}
	if !c.hides(s.Missing, verify.FieldMaxPayout) {
		c.numeric(s.MaxPayout)
	}
	if !c.hides(s.Missing, verify.FieldRefundTimeout) {
		c.int64(s.RefundTimeout)
	}
	if !c.hides(s.Missing, verify.FieldStartedAt) {
		c.int64(s.StartedAt)
	}
}

// hides adds a null for a field that is not published.
func (c *copied) hides(missing, f verify.Fields) bool {
	if missing.Has(f) {
		c.null()
		return true
	}
	return false
}

func (c *copied) end(g *Game) {
	e := g.End
	if e == nil {
		c.nulls(12)
		return
	}
	c.int64(g.EndTx)
	c.int64(int64(e.Slot))
	c.int16(int16(e.Kind))
	if e.Kind == verify.EndVoided {
		c.nulls(7)
		c.voided(&e.Voided)
		return
	}
	c.settled(&e.Settled)
	c.nulls(2)
}

func (c *copied) settled(s *verify.Settled) {
	if !c.hides(s.Missing, verify.FieldServerSeed) {
		c.bytes(s.ServerSeed[:])
	}
	if !c.hides(s.Missing, verify.FieldSlothash) {
		c.bytes(s.Slothash[:])
	}
	if !c.hides(s.Missing, verify.FieldMinesMask) {
		c.int64(int64(s.MinesMask))
	}
	if !c.hides(s.Missing, verify.FieldRevealedMask) {
		c.int64(int64(s.RevealedMask))
	}
	if s.Missing.Has(verify.FieldBustTile) || !s.HasBust {
		c.null()
	} else {
		c.int16(int16(s.BustTile))
	}
	if !c.hides(s.Missing, verify.FieldMultiplier) {
		c.numeric(s.Multiplier)
	}
	if !c.hides(s.Missing, verify.FieldPayout) {
		c.numeric(s.Payout)
	}
}

func (c *copied) voided(v *verify.Voided) {
	if !c.hides(v.Missing, verify.FieldRefund) {
		c.numeric(v.Refund)
	}
	if !c.hides(v.Missing, verify.FieldAuthority) {
		c.bytes(v.Authority[:])
	}
}

// edge fits a house edge into its column. What does not fit is above every scale
// that there is, and so is what stands for it.
func edge(parts uint32) int32 { return int32(min(parts, math.MaxInt32)) }
