package backfill

import (
	"context"
	"fmt"
	"math"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// listing is what a node lists of a span, newest first.
type listing struct {
	txs    []rpc.SignatureInfo
	ended  bool  // nothing is listed below
	begins int64 // first slot that the node speaks of
}

// list reads a page again, whichever node it was planned by, and holds it against
// the plan.
func (s *source) list(ctx context.Context, p *Page) (*listing, error) {
	var at rpc.Place
	if p.Before != "" {
		before, err := rpc.ParseSignature(p.Before)
		if err != nil {
			return nil, fmt.Errorf("a job's anchor: %w", err)
		}
		at = rpc.Place{Before: before, Slot: math.MaxInt64}
	}
	l, err := s.span(ctx, p.span(), at)
	if err != nil {
		return nil, err
	}
	if len(l.txs) < p.Count || len(l.txs) == p.Count && p.Count > 0 && digest(l.txs) != p.Set {
		return nil, fmt.Errorf("%w: %d transactions in slots %d to %d, there were %d", errDisagrees, len(l.txs), p.From, p.To, p.Count)
	}
	if l.ended && len(l.txs) == 0 && p.Before != "" {
		// An empty answer is also what some nodes give below what they do not know.
		known, _, err := s.status(ctx, at.Before)
		if err != nil {
			return nil, err
		}
		if !known {
			return nil, fmt.Errorf("%w: it does not know %s", errDisagrees, p.Before)
		}
	}
	return l, nil
}

// span reads the list from a place down to the end of a span.
func (s *source) span(ctx context.Context, span store.Span, at rpc.Place) (*listing, error) {
	l := &listing{begins: span.From}
	list := s.signatures(at, span.To)
	for {
		part, err := list.Next(ctx)
		if err != nil {
			return nil, err
		}
		for i := range part.Txs {
			if slot := int64(part.Txs[i].Slot); slot >= span.From && slot <= span.To {
				l.txs = append(l.txs, part.Txs[i])
			}
		}
		switch {
		case part.Ended:
			l.ended = true
			l.begins, err = s.begins(ctx)
			return l, err
		case int64(part.Above) < span.From:
			return l, nil
		}
	}
}

// covers says what of a span is whole by a listing. Where the list ended, that is no
// lower than where the node's history begins.
func (l *listing) covers(span store.Span) []store.Covered {
	if !l.ended || l.begins <= span.From {
		return []store.Covered{{From: span.From, To: span.To, Source: store.SourceBackfill}}
	}
	reason := fmt.Sprintf("the node's history begins at slot %d", l.begins)
	if l.begins > span.To {
		return []store.Covered{{From: span.From, To: span.To, Source: store.SourceBackfill, Reason: reason}}
	}
	return []store.Covered{
		{From: span.From, To: l.begins - 1, Source: store.SourceBackfill, Reason: reason},
		{From: l.begins, To: span.To, Source: store.SourceBackfill},
	}
}
