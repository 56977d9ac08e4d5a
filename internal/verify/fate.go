package verify

// A fate is what is known of whether a game was lost.
type fate uint8

const (
	fateWon fate = iota
	fateLost
	fateSeemsLost // nothing says so but that it paid what a loss pays
	fateUnknown
)

// fate goes by the bust tile; else by what the settlement says; else by what it
// paid, where a win that owes nothing looks like a loss.
func (r *Rules) fate(s *Settled) fate {
	if said, tells := s.tells(); tells {
		return said
	}
	switch loss, lacks := r.showsLoss(s); {
	case lacks != 0:
		return fateUnknown
	case loss:
		return fateSeemsLost
	default:
		return fateWon
	}
}

// tells gives the fate that a settlement publishes, if it does.
func (s *Settled) tells() (fate, bool) {
	switch {
	case s.publishes(FieldBustTile) && s.HasBust:
		return fateLost, true
	case s.publishes(FieldBustTile):
		return fateWon, true
	case s.Says == OutcomeLost:
		return fateLost, true
	default:
		return fateWon, s.Says == OutcomeWon
	}
}

// contradicts reports whether a settlement says another outcome than its bust
// tile does.
func (s *Settled) contradicts() bool {
	return s.publishes(FieldBustTile) && (s.HasBust && s.Says == OutcomeWon || !s.HasBust && s.Says == OutcomeLost)
}

// showsLoss asks whether the amounts are what a loss pays: a payout of 0 and, by
// default, a multiplier of 0. One of them that is more settles it; else lacks
// are those that could.
func (r *Rules) showsLoss(s *Settled) (loss bool, lacks Fields) {
	counts := FieldPayout
	if r.LostMultiplier != LostAtBust {
		counts |= FieldMultiplier
	}
	switch published := counts &^ s.Missing; {
	case published.Has(FieldPayout) && s.Payout != 0, published.Has(FieldMultiplier) && s.Multiplier != 0:
		return false, 0
	default:
		return published == counts, counts &^ published
	}
}

func (s *Settled) publishes(f Fields) bool { return s.Missing&f == 0 }
