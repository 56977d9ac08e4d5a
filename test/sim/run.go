//go:build sim

package sim

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"minesaudit/internal/simchain"
	"minesaudit/internal/store/storetest"
)

// patience bounds how long a daemon may take to catch up when nothing goes wrong
// any more, on a machine under heavy load.
const patience = 2 * time.Minute

// figures are what a run amounts to.
type figures struct{ games, verdicts, faults, restarts, nodes, liars, disagreements int }

// run is one seed's world: a chain, and two daemons that follow it, each by way
// of nodes with faults of their own.
type run struct {
	*schedule
	chain *simchain.Chain
	sides [2]*watcher
	seals [2]*seal // what each record said when it was last looked at
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
		// They are the chain's, whichever node makes them, and end when its plan does.
		if err := r.chain.Node(nodeIndex(len(r.sides), 0)).Faults.Inject(s.seed, forks); err != nil {
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

// look holds what a daemon's record says at this moment against what it said before.
func (r *run) look(ctx context.Context, i int) error {
	return r.sides[i].record.conn(ctx, func(conn *pgx.Conn) error {
		if was := r.seals[i]; was != nil {
			if err := was.kept(ctx, conn, r.sides[i].side.has(holes)); err != nil {
				return err
			}
		}
		s, bound, err := lookAt(ctx, conn)
		if err == nil && bound {
			r.seals[i] = &s
		}
		return err
	})
}

// settle lets both daemons catch up with a chain on which nothing goes wrong any
// more but lies: what was missing from lists is there again, and late news is told.
// Empty blocks go on, as without them no subscription comes up.
func (r *run) settle(ctx context.Context) error {
	for i := range nodeIndex(len(r.sides), 0) + 1 {
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
	idling, stopIdling := context.WithCancel(ctx)
	var idle errgroup.Group
	idle.Go(func() error { return r.idle(idling) })
	err := r.awaitAll(ctx)
	stopIdling()
	if idleErr := idle.Wait(); err == nil {
		err = idleErr
	}
	return err
}

// awaitAll waits until both daemons have passed the games and examined what was to be
// examined, and stops them.
func (r *run) awaitAll(ctx context.Context) error {
	slot := r.chain.FinalizedSlot()
	for i, w := range r.sides {
		err := w.passes(ctx, slot)
		if err == nil { // the pass that got there has ended when another one has
			err = w.passes(ctx, r.chain.FinalizedSlot()+1)
		}
		if err == nil {
			err = w.examined(ctx)
		}
		if err == nil {
			err = w.stop()
		}
		if err != nil {
			return fmt.Errorf("daemon %d: %w", i, err)
		}
	}
	return nil
}

// idle makes empty blocks until ctx ends.
func (r *run) idle(ctx context.Context) error {
	tick := time.NewTicker(25 * time.Millisecond)
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
	touched := map[string]bool{}
	for i, w := range r.sides {
		said, err := r.judge(ctx, i, &f)
		if err != nil {
			return f, fmt.Errorf("daemon %d: %w", i, err)
		}
		if w.side.liars() > 0 {
			maps.Copy(touched, said)
		}
		f.faults += len(w.side.faults())
		f.restarts += len(w.side.stops)
		f.nodes += len(w.side.nodes)
		f.liars += w.side.liars()
	}
	f.games = len(r.chain.Truth())
	if !r.sides[0].side.comparable() || !r.sides[1].side.comparable() {
		return f, nil
	}
	one, other := storetest.Content(t, r.sides[0].record.dsn), storetest.Content(t, r.sides[1].record.dsn)
	return f, same(untouched(one, touched), untouched(other, touched))
}

// judge judges one record. It gives what nodes disagreed about.
func (r *run) judge(ctx context.Context, i int, f *figures) (touched map[string]bool, err error) {
	w := r.sides[i]
	if err := r.look(ctx, i); err != nil {
		return nil, err
	}
	court, err := newCourt(ctx, w)
	if err != nil {
		return nil, err
	}
	f.disagreements += court.disagreements
	n, err := court.judge(ctx, r.chain)
	f.verdicts += n
	return court.touched, err
}
