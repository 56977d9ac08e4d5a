package verify

// A due is what a settlement owes: its multiplier, as an integer of 1/Scale, and
// its payout. A reason says why the number beside it is not known.
type due struct {
	multiplier, payout             uint64
	multiplierReason, payoutReason Reason
}

// due derives what the game pays from its terms (nil if not known) and k, the
// number of revealed tiles.
func (r *Rules) due(start *Start, k int, lost bool) due {
	if lost && r.LostMultiplier == LostZero {
		return due{}
	}
	d := r.won(start, k)
	if lost {
		d.payout, d.payoutReason = 0, ""
	}
	return d
}

func (r *Rules) won(start *Start, k int) due {
	if start == nil {
		return unknownDue(ReasonStartNotSeen)
	}
	if r.Scale == 0 {
		return unknownDue(ReasonNoScale)
	}
	exact, reason := r.multiplier(start.HouseEdge, int(start.MinesCount), k)
	if reason != "" {
		return unknownDue(reason)
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
		return unknownDue(ReasonMultiplierOverflow)
	}
	d := due{multiplier: rounded}
	factor := exact
	if r.PayoutFrom == FromRounded {
		factor = Ratio{Num: rounded, Den: r.Scale}
	}
	payout, ok := factor.Floor(start.Stake)
	switch {
	case r.Cap == CapPayout && (!ok || payout > start.MaxPayout):
		d.payout = start.MaxPayout
	case !ok:
		d.payoutReason = ReasonPayoutOverflow
	default:
		d.payout = payout
	}
	return d
}

func unknownDue(reason Reason) due {
	return due{multiplierReason: reason, payoutReason: reason}
}

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
