//go:build sim

package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"minesaudit/internal/simchain"
	"minesaudit/internal/store/storetest"
)

// patience bounds how long a daemon may take to catch up when nothing goes wrong
// any more, on a machine under heavy load.
const patience = 2 * time.Minute

// figures are what a run amounts to.
type figures struct{ games, verdicts, faults, restarts int }

// run is one seed's world: a chain, and two daemons that follow it, each by way
// of a node with faults of its own.
type run struct {
	*schedule
	chain *simchain.Chain
	sides [2]*watcher
	seals [2][]seal
	block int
}

// simulate lives through a seed and judges what came of it.
func simulate(t testing.TB, from *databases, s schedule) (f figures, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r := &run{schedule: &s}
	if r.chain, err = simchain.New(s.chain); err != nil {
		return f, err
	}
	if s.forks {
		// Node 2 serves nobody: the forks are the chain's, and end when its plan does.
		if err := r.chain.Node(2).Faults.Inject(s.seed, forks); err != nil {
			return f, err
		}
	}
	for i := range r.sides {
		record, err := from.lend(ctx)
		if err != nil {
			return f, err
		}
		defer func() { err = errors.Join(err, record.giveBack(context.WithoutCancel(ctx))) }()
		if r.sides[i], err = newWatcher(r.chain, i, &s, record); err != nil {
			return f, err
		}
		defer r.sides[i].close()
	}
	if err := r.play(ctx); err != nil {
		return f, err
	}
	if err := r.settle(ctx); err != nil {
		return f, err
	}
	return r.verdict(ctx, t)
}

// play makes blocks until every game has ended and is final, and does to the
// daemons what is due.
func (r *run) play(ctx context.Context) error {
	tick := time.NewTicker(r.pace)
	defer tick.Stop()
	for over := false; !over; r.block++ {
		for i := range r.sides {
			if err := r.due(ctx, i); err != nil {
				return fmt.Errorf("daemon %d, block %d: %w", i, r.block, err)
			}
		}
		if err := r.chain.Step(ctx); err != nil {
			return err
		}
		select {
		case <-r.chain.Done():
			over = true
		case <-tick.C:
		}
	}
	return nil
}

// due does to a daemon what its schedule says for this block.
func (r *run) due(ctx context.Context, i int) error {
	w := r.sides[i]
	for _, s := range w.side.stops {
		if s.at == r.block {
			if err := w.stop(); err != nil {
				return err
			}
			if err := r.look(ctx, i); err != nil {
				return err
			}
		}
	}
	if w.side.begins == r.block || slices.ContainsFunc(w.side.stops, func(s stop) bool { return s.back == r.block }) {
		if err := w.start(r.chain.Program()); err != nil {
			return err
		}
	}
	if slices.Contains(w.side.cuts, r.block) {
		if err := w.record.endSessions(ctx); err != nil {
			return err
		}
	}
	if slices.Contains(w.side.looks, r.block) {
		return r.look(ctx, i)
	}
	return nil
}

// look keeps what a daemon's record says at this moment.
func (r *run) look(ctx context.Context, i int) error {
	s, bound, err := lookAt(ctx, r.sides[i].record.dsn)
	if err == nil && bound {
		r.seals[i] = append(r.seals[i], s)
	}
	return err
}

// settle lets both daemons catch up with a chain on which nothing goes wrong any
// more: what was missing from lists is there again, and late news is told. Empty
// blocks go on, as without them no subscription comes up.
func (r *run) settle(ctx context.Context) error {
	for i := range 3 {
		r.chain.Node(i).Faults.Heal()
	}
	for _, w := range r.sides {
		if err := w.start(r.chain.Program()); err != nil {
			return err
		}
	}
	for range 5 {
		if err := r.chain.Step(ctx); err != nil {
			return err
		}
	}
	slot := r.chain.FinalizedSlot()
	idling, stopIdling := context.WithCancel(ctx)
	var idle errgroup.Group
	idle.Go(func() error { return r.idle(idling) })
	err := r.awaitAll(ctx, slot)
	stopIdling()
	if idleErr := idle.Wait(); err == nil {
		err = idleErr
	}
	return err
}

func (r *run) awaitAll(ctx context.Context, slot uint64) error {
	for i, w := range r.sides {
		if err := w.await(ctx, slot); err != nil {
			return fmt.Errorf("daemon %d: %w", i, err)
		}
		if err := w.stop(); err != nil {
			return fmt.Errorf("daemon %d: %w", i, err)
		}
	}
	return nil
}

// idle makes empty blocks until ctx ends.
func (r *run) idle(ctx context.Context) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-tick.C:
			if err := r.chain.Step(ctx); err != nil && ctx.Err() == nil {
				return err
			}
		case <-ctx.Done():
		}
	}
	return nil
}

// verdict judges the records that the daemons have left.
func (r *run) verdict(ctx context.Context, t testing.TB) (f figures, err error) {
	whole := true
	for i, w := range r.sides {
		partial := w.side.has(shortLogs)
		whole = whole && !partial
		n, err := judge(ctx, r.chain, w.record.dsn, partial)
		if err != nil {
			return f, fmt.Errorf("daemon %d: %w", i, err)
		}
		if err := kept(ctx, w.record.dsn, r.seals[i], w.side.has(holes)); err != nil {
			return f, fmt.Errorf("daemon %d: %w", i, err)
		}
		f.verdicts += n
		f.faults += len(w.side.faults)
		f.restarts += len(w.side.stops)
	}
	f.games = len(r.chain.Truth())
	if !whole {
		return f, nil
	}
	return f, same(storetest.Content(t, r.sides[0].record.dsn), storetest.Content(t, r.sides[1].record.dsn))
}
