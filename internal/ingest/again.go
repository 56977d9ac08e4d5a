package ingest

import (
	"context"

	"minesaudit/internal/assemble"
	"minesaudit/internal/decode"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// Standard is what games are read and judged by, for what judges them again.
type Standard struct {
	Layout *decode.Layout
	Rules  verify.Rules
}

// Judged is a game judged again.
type Judged struct {
	Row    store.Game       // that the events make
	Pieces []assemble.Piece // the events in chain order
	Next   *store.Verdict   // that would supersede the standing one; nil where that says the same
}

// Again judges a game by what the record holds of it, just as a batch would that
// touches it. It may be called from many goroutines.
func (s *Standard) Again(g *store.RecordedGame) Judged {
	p := gather(g.ID, &g.StoredGame, &changes{}, s.Layout)
	p.stored = g.HasRow
	var b store.Batch
	addGame(&b, &p, judging{
		rules: &s.Rules, complete: g.Complete, times: g.Times, cuts: g.Cuts,
	})
	j := Judged{Row: b.Games[0], Pieces: p.pieces}
	if len(b.Verdicts) > 0 {
		j.Next = &b.Verdicts[0]
	}
	return j
}

// Supersede decides games again in one turn, by what the record holds then, and
// returns the verdicts that were added, which may be fewer than expected: others
// write too.
func (s *Standard) Supersede(ctx context.Context, w *store.Writer, games []store.GameID) ([]store.Verdict, error) {
	batch, _, err := commit(ctx, w, &work{rejudge: games}, &standard{layout: s.Layout, rules: &s.Rules})
	if err != nil {
		return nil, err
	}
	return batch.Verdicts, nil
}
