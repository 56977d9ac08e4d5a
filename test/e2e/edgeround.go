//go:build e2e

package e2e

// ppbWhole is what edges in parts of a billion are parts of.
const ppbWhole = 1_000_000_000

// edgeRounds have an edge that is finer than the chain can be asked for.
func edgeRounds() []Round {
	const edge = 12_345_678
	paid := func(by uint64, j Judgement) func(*round) error {
		return func(r *round) error { return r.payFinely(edge, by, j) }
	}
	return []Round{
		{"an edge finer than basis points", paid(edge, honest())},
		{"an edge rounded to basis points", paid(edge/ppbPerBPS*ppbPerBPS, judgement("multiplier payout", "", ""))},
	}
}

// payFinely deals the game anew, with 24 mines and an edge, and pays its one safe tile by another edge.
// Without an edge that tile pays 25 times the stake: a whole number, of which the edge leaves a part.
func (r *round) payFinely(edge uint32, by uint64, j Judgement) (err error) {
	terms := plainTerms()
	terms.Mines = 24
	if r.Hand, err = r.deal(r.ctx, r.Game, r.User, terms); err != nil {
		return err
	}
	start := dealt{r.Started, edge}
	if err := r.tell(r.ctx, r.Game, handDealt(start), start); err != nil {
		return err
	}
	free, err := r.Pay(r.ctx, 0, r.Safe(1))
	if err != nil {
		return err
	}
	r.won = r.settled(r.Safe(1), NoBust)
	r.won.Multiplier = free.Multiplier * (ppbWhole - by) / ppbWhole
	r.won.Payout = free.Payout * (ppbWhole - by) / ppbWhole
	return r.finish(j)
}
