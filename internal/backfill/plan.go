package backfill

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// ErrPlanned means that another process plans at this moment.
var ErrPlanned = errors.New("another backfill is planning pages of this record; workers may be added meanwhile: indexer worker")

// Planner makes jobs of what the record does not hold. It keeps no state: what is
// still to be planned is what neither the coverage nor a job has, so a plan that was
// ended anywhere goes on where it was.
type Planner struct {
	Queue   *Queue
	Store   *store.Store
	Nodes   *rpc.Pool
	Program string
	Budget  func(node string) *Budget // of a node of the pool; the same each time

	// OnPage, if set, hears of each page once its job is there, newest first.
	OnPage func(Page)
}

// Plan makes the jobs of a span's uncovered slots. The span must not reach above the
// frontier. A page whose job another plan has made is none of this one's.
func (p *Planner) Plan(ctx context.Context, of store.Span) error {
	conn, err := p.Queue.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	defer conn.Release()
	var mine bool
	if err := conn.QueryRow(ctx, `select pg_try_advisory_lock($1)`, int64(planKey)).Scan(&mine); err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	if !mine {
		return ErrPlanned
	}
	defer func() { _, _ = conn.Exec(context.WithoutCancel(ctx), `select pg_advisory_unlock($1)`, int64(planKey)) }()
	client, err := p.Queue.inserter()
	if err != nil {
		return err
	}
	return p.Each(ctx, of, func(page Page) error { return p.insert(ctx, client, page) })
}

// insert makes a page's job. A crash before it leaves the slots unplanned, one after
// it a job that the next plan finds.
func (p *Planner) insert(ctx context.Context, client *river.Client[pgx.Tx], page Page) error {
	made, err := client.Insert(ctx, page, nil)
	if err != nil {
		return fmt.Errorf("queue slots %d to %d: %w", page.From, page.To, err)
	}
	if !made.UniqueSkippedAsDuplicate && p.OnPage != nil {
		p.OnPage(page)
	}
	return nil
}

// Each gives the pages of which a span's uncovered slots consist, newest first, until
// one is refused. Nothing is changed.
func (p *Planner) Each(ctx context.Context, of store.Span, page func(Page) error) error {
	uncovered, err := p.Store.Uncovered(ctx, of)
	if err != nil {
		return err
	}
	pending, err := p.Queue.Pending(ctx)
	if err != nil {
		return err
	}
	for _, hole := range without(uncovered, pending) {
		if err := p.hole(ctx, hole, pending, page); err != nil {
			return fmt.Errorf("plan slots %d to %d: %w", hole.From, hole.To, err)
		}
	}
	return nil
}

// without takes the slots of pages away from spans; both newest first.
func without(spans []store.Span, pages []Page) []store.Span {
	var left []store.Span
	for _, s := range spans {
		for i := range pages {
			if pages[i].To < s.From || pages[i].From > s.To {
				continue
			}
			if pages[i].To < s.To {
				left = append(left, store.Span{From: pages[i].To + 1, To: s.To})
			}
			s.To = pages[i].From - 1
		}
		if s.From <= s.To {
			left = append(left, s)
		}
	}
	return left
}

// hole pages through the list of one span. A node that fails leaves the rest to
// another one, until each has failed.
func (p *Planner) hole(ctx context.Context, hole store.Span, pending []Page, page func(Page) error) error {
	anchor, err := p.anchor(ctx, hole, pending)
	if err != nil {
		return err
	}
	c := &cutter{from: hole.From, upper: hole.To, anchor: anchor}
	nodes, failed := newChoice(p.Nodes), map[*rpc.Node]bool{}
	for {
		node := nodes.pick(ctx, hole.From, func(ctx context.Context, n *rpc.Node) (int64, error) { return p.source(n).begins(ctx) })
		if failed[node] {
			return err
		}
		if err = p.source(node).pages(ctx, c, page); err == nil || ctx.Err() != nil || !anothers(err) {
			return err
		}
		failed[node] = true
		nodes.doubt(node)
		c.begin(c.anchor)
	}
}

func (p *Planner) source(n *rpc.Node) *source {
	return &source{node: n.Client, program: p.Program, budget: p.Budget(n.Name())}
}

// anothers tells what another node may do better.
func anothers(err error) bool { return nodesFault(err) || rpc.ClassOf(err) != 0 }

// pages reads the list from where the cutter is to its end.
func (s *source) pages(ctx context.Context, c *cutter, page func(Page) error) error {
	asOf := c.upper
	list := s.signatures(c.anchor, asOf)
	for first := true; ; first = false {
		part, err := list.Next(ctx)
		if first && c.anchor != (rpc.Place{}) {
			lost, failed := s.lost(ctx, c.anchor.Before, part, err)
			if failed != nil {
				return failed
			}
			if lost { // another node's, or pruned: begin at the newest
				c.begin(rpc.Place{})
				list = s.signatures(rpc.Place{}, asOf)
				continue
			}
		}
		if err != nil {
			return err
		}
		next, made, last := c.add(part)
		if made {
			if err := page(next); err != nil {
				return err
			}
		}
		if last {
			return nil
		}
	}
}

// lost reports whether the node does not know the transaction that it was asked to
// list below. Some say so, some answer with nothing.
func (s *source) lost(ctx context.Context, anchor [64]byte, part rpc.Listed, err error) (bool, error) {
	switch {
	case errors.Is(err, rpc.NotFound):
		return true, nil
	case err != nil || !part.Ended || len(part.Txs) > 0:
		return false, nil
	}
	known, _, err := s.status(ctx, anchor)
	return !known, err
}

// anchor gives the lowest transaction above a hole that is known: a stored one, or the
// last of a page that waits. Zero begins at the newest.
func (p *Planner) anchor(ctx context.Context, hole store.Span, pending []Page) (anchor rpc.Place, err error) {
	stored, slot, ok, err := p.Store.OldestAbove(ctx, hole.To)
	if err != nil {
		return anchor, err
	}
	if ok {
		anchor = rpc.Place{Before: stored, Slot: uint64(slot)}
	}
	above := slices.Backward(pending)
	for _, page := range above { // lowest first
		if page.From > hole.To && (!ok || page.To < slot) && page.Last != "" {
			last, err := rpc.ParseSignature(page.Last)
			return rpc.Place{Before: last, Slot: uint64(page.To)}, err
		}
	}
	return anchor, nil
}
