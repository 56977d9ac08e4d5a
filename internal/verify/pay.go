package verify

// A Pay is how a multiplier and a payout come about. A reason says why the
// number beside it is not known; then nothing that follows from it is either.
type Pay struct {
	Exact   Ratio    // the formula's value
	Floors  []uint64 // of the rounding FloorEach: after the edge, then after each tile
	Rounded uint64   // Exact × Scale as an integer, before a cap on the multiplier
	Fits    bool     // Rounded fits 64 bits

	Factor  Ratio  // what the stake is multiplied by
	Product uint64 // floor(stake × Factor), before a cap on the payout
	Bounded bool   // Product fits 64 bits

	Multiplier, Payout             uint64 // what is owed
	MultiplierReason, PayoutReason Reason
}

// Pay works out what a game pays that ends with k tiles revealed, from its
// terms (nil if not known). Of a lost game it shows what the tiles would have
// paid in all but Multiplier and Payout. Without a stake that is published
// Product is 0, and without the cap on a multiplier Factor has none.
func (r *Rules) Pay(start *Start, k int, lost bool) Pay {
	owed := r.due(start, k, lost)
	p := Pay{
		Multiplier: owed.multiplier, MultiplierReason: owed.multiplierGap.reason,
		Payout: owed.payout, PayoutReason: owed.payoutGap.reason,
	}
	if start == nil || r.Scale == 0 || k < 0 || start.lacks(FieldHouseEdge|FieldMinesCount) != 0 {
		return p
	}
	exact, reason := r.multiplier(start.HouseEdge, int(start.MinesCount), k)
	if reason != "" {
		return p
	}
	p.Exact = exact
	p.Rounded, p.Fits = r.round(exact, start, k)
	if r.Rounding == FloorEach {
		for i := range k + 1 {
			floor, _ := r.floorEach(start, i)
			p.Floors = append(p.Floors, floor)
		}
	}
	p.Factor = r.factor(&p, start)
	if start.lacks(FieldStake) == 0 {
		p.Product, p.Bounded = p.Factor.Floor(start.Stake)
	}
	return p
}

// factor is what the stake is multiplied by: the multiplier, exact or rounded,
// within a cap on it.
func (r *Rules) factor(p *Pay, start *Start) Ratio {
	factor := p.Exact
	if r.PayoutFrom == FromRounded {
		factor = Ratio{Num: p.Rounded, Den: r.Scale}
	}
	if start.lacks(FieldMaxPayout) != 0 {
		return factor
	}
	limit := Ratio{Num: start.MaxPayout, Den: r.Scale}
	if r.Cap == CapMultiplier && (!p.Fits || factor.exceeds(limit)) {
		return limit
	}
	return factor
}
