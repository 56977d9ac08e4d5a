package verify

// A due is what a settlement owes: its multiplier, as an integer of 1/Scale, and
// its payout. A gap says why the number beside it is not known.
type due struct {
	multiplier, payout       uint64
	multiplierGap, payoutGap gap
}

// owed is what a settlement of some fate owes. Where that is not told, it is
// what a win and a loss both owe.
func (r *Rules) owed(start *Start, k int, f fate) due {
	switch f {
	case fateWon, fateLost:
		return r.due(start, k, f == fateLost)
	}
	won, lost := r.due(start, k, false), r.due(start, k, true)
	if won.multiplierGap.reason == "" && won.multiplier != lost.multiplier {
		won.multiplierGap = unpublished(FieldBustTile)
	}
	if won.payoutGap.reason == "" && won.payout != lost.payout {
		won.payoutGap = unpublished(FieldBustTile)
	}
	return won
}

// due derives what the game pays from its terms (nil if not known) and k, the
// number of revealed tiles, -1 if that is not published.
func (r *Rules) due(start *Start, k int, lost bool) due {
	if lost && r.LostMultiplier == LostZero {
		return due{}
	}
	d := r.won(start, k)
	if lost {
		d.payout, d.payoutGap = 0, gap{}
	}
	return d
}

func (r *Rules) won(start *Start, k int) due {
	lacks := start.lacks(FieldHouseEdge | FieldMinesCount)
	if k < 0 {
		lacks |= FieldRevealedMask
	}
	if r.Cap == CapMultiplier {
		lacks |= start.lacks(FieldMaxPayout)
	}
	switch {
	case lacks != 0:
		return unknownDue(unpublished(lacks))
	case start == nil:
		return unknownDue(because(ReasonStartNotSeen))
	case r.Scale == 0:
		return unknownDue(because(ReasonNoScale))
	}
	exact, reason := r.multiplier(start.HouseEdge, int(start.MinesCount), k)
	if reason != "" {
		return unknownDue(because(reason))
	}
	rounded, ok := r.round(exact, start, k)
	if r.Cap == CapMultiplier {
		// Over 64 bits is over the cap.
		if !ok || rounded > start.MaxPayout {
			rounded, ok = start.MaxPayout, true
		}
		if limit := (Ratio{Num: start.MaxPayout, Den: r.Scale}); exact.exceeds(limit) {
			exact = limit
		}
	}
	if !ok {
		return unknownDue(because(ReasonMultiplierOverflow))
	}
	return r.product(due{multiplier: rounded}, exact, start)
}

// product adds the payout to the multiplier that is due.
func (r *Rules) product(d due, exact Ratio, start *Start) due {
	lacks := start.lacks(FieldStake)
	if r.Cap == CapPayout {
		lacks |= start.lacks(FieldMaxPayout)
	}
	if lacks != 0 {
		d.payoutGap = unpublished(lacks)
		return d
	}
	factor := exact
	if r.PayoutFrom == FromRounded {
		factor = Ratio{Num: d.multiplier, Den: r.Scale}
	}
	payout, ok := factor.Floor(start.Stake)
	switch {
	case r.Cap == CapPayout && (!ok || payout > start.MaxPayout):
		d.payout = start.MaxPayout
	case !ok:
		d.payoutGap = because(ReasonPayoutOverflow)
	default:
		d.payout = payout
	}
	return d
}

func unknownDue(why gap) due { return due{multiplierGap: why, payoutGap: why} }

// round makes an integer of 1/Scale of the exact multiplier; ok is false if it
// needs more than 64 bits.
func (r *Rules) round(exact Ratio, start *Start, k int) (rounded uint64, ok bool) {
	switch r.Rounding {
	case FloorEach:
		return r.floorEach(start, k)
	case Nearest:
		return exact.nearest(r.Scale)
	default:
		return exact.Floor(r.Scale)
	}
}

func (r *Rules) floorEach(start *Start, k int) (uint64, bool) {
	m, ok := Ratio{Num: uint64(r.EdgeScale - start.HouseEdge), Den: uint64(r.EdgeScale)}.Floor(r.Scale)
	for i := 0; ok && i < k; i++ {
		left := uint64(Tiles - i)
		m, ok = Ratio{Num: left, Den: left - uint64(start.MinesCount)}.Floor(m)
	}
	return m, ok
}
