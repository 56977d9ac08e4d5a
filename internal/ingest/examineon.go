package ingest

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// examineSome examines all that waits now, or as much as ctx lets it.
func (d *Daemon) examineSome(ctx, saving context.Context) error {
	left, _ := d.examiner.length()
	for left > 0 {
		names := d.examiner.take(min(left, examineChunk))
		left -= len(names)
		if len(names) == 0 {
			return nil
		}
		undone, err := d.examineTxs(ctx, saving, names)
		d.examiner.giveBack(undone)
		if err != nil || ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// examineOn examines what waits, and looks at unchecked slots again, beside the
// passes until ctx ends.
func (d *Daemon) examineOn(ctx, saving context.Context) error {
	if !d.examines() {
		<-ctx.Done()
		return nil
	}
	if err := d.examineAgain(saving); err != nil {
		return err
	}
	ticker := time.NewTicker(d.Interval)
	defer ticker.Stop()
	var short time.Time // when the second node was seen not to keep what is unchecked
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case <-d.examiner.wake:
		}
		switch others := len(d.Nodes.Others(d.Nodes.Record())); {
		case others == 0:
			continue
		case others+1 >= d.Nodes.Checkers():
			d.examiner.reconsider()
		}
		err := d.examineSome(ctx, saving)
		if err == nil && time.Since(short) >= recheckEvery {
			err = d.recheck(ctx, saving)
			if errors.Is(err, errShort) {
				short = time.Now()
			}
		}
		if errors.Is(err, store.ErrLocked) {
			return err
		}
		// A node's failure is its health's to show; what is undone waits on.
	}
}

// examineTxs holds transactions against a second node's answers, and gives those
// back that could not be.
func (d *Daemon) examineTxs(ctx, saving context.Context, names [][64]byte) (undone [][64]byte, err error) {
	first := d.Nodes.Record()
	others := d.Nodes.Others(first)
	if len(others) == 0 {
		return names, nil
	}
	var stored map[[64]byte]*store.StoredTx
	err = d.write(saving, "load transactions to examine", func(ctx context.Context, w *store.Writer) (err error) {
		stored, err = w.Transactions(ctx, names)
		return err
	})
	if err != nil {
		return names, err
	}
	found := make([]*finding, len(names))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(examineAtOnce)
	for i, s := range names {
		if have := stored[s]; have == nil || have.Dropped {
			found[i] = &finding{} // gone meanwhile, or not in the record yet: then a pass brings it
			continue
		}
		g.Go(func() error {
			f, err := d.examineTx(gctx, stored[s], s, first, others)
			if err == nil {
				found[i] = f
			}
			return nil // one that cannot be had is no reason to leave the others
		})
	}
	_ = g.Wait() // no function fails
	return d.conclude(saving, names, found)
}

// conclude saves what was found.
func (d *Daemon) conclude(saving context.Context, names [][64]byte, found []*finding) (undone [][64]byte, err error) {
	var (
		job  work
		all  []store.Disagreement
		done [][64]byte
		kept []*finding
	)
	for i, f := range found {
		if f == nil {
			undone = append(undone, names[i])
			continue
		}
		done, kept = append(done, names[i]), append(kept, f)
		if f.settled != nil {
			job.arrivals = append(job.arrivals, *f.settled)
		}
		all = append(all, f.disagreements...)
		d.Metrics.examined(len(f.disagreements) > 0)
	}
	// Which nodes said what is kept before the record follows one of them. After a
	// crash in between the same is found again.
	if err := d.disagree(saving, all); err != nil {
		return names, err
	}
	job.times = timesOf(job.arrivals)
	if err := d.save(saving, job); err != nil {
		return names, err
	}
	d.examiner.finish(done, kept)
	return undone, nil
}

const (
	// recheckSlots is how much of a range is compared at once: then it is noted.
	recheckSlots = 50_000
	// recheckEvery is how often a second node is asked that does not keep the slots.
	recheckEvery = 10 * time.Minute
)

// recheck compares the newest part of the newest range that no second node was asked for.
func (d *Daemon) recheck(ctx, saving context.Context) error {
	var (
		u  store.Unchecked
		ok bool
	)
	err := d.write(saving, "look for unchecked slots", func(ctx context.Context, w *store.Writer) (err error) {
		u, ok, err = w.Unchecked(ctx)
		return err
	})
	if err != nil || !ok {
		return err
	}
	if u.UpTo > d.state.frontier() {
		return nil // the pass under way may yet hold it against a node
	}
	first, by := d.against(u.Node)
	if by == nil {
		return nil
	}
	if store.Weak(store.WeakNoRecheck) {
		return d.forgetUnchecked(saving, u.After, u.UpTo)
	}
	l := &listing{d: d, saving: saving, by: by, first: first, after: max(u.After, u.UpTo-recheckSlots), upTo: u.UpTo, upper: u.UpTo}
	err = l.run(ctx)
	d.examiner.add(l.doubt...)
	err = errors.Join(err, d.examineAfter(saving, l.upper, u.UpTo)) // what was brought may have made games fail
	if l.upper < u.UpTo {
		d.Metrics.slotsExamined.Add(float64(u.UpTo - l.upper))
		wrote := d.write(saving, "note checked slots", func(ctx context.Context, w *store.Writer) error {
			return w.Checked(ctx, l.upper, u.UpTo)
		})
		err = errors.Join(err, wrote)
	}
	return err
}

// against gives the node whose list is held against what another has listed, and that
// other, or the one to read from where that is not well; nil where there are no two.
func (d *Daemon) against(listed string) (first, by *rpc.Node) {
	first = d.Nodes.Record()
	well := d.Nodes.Others(first)
	if len(well) == 0 {
		return first, nil
	}
	if i := slices.IndexFunc(well, func(n *rpc.Node) bool { return n.Name() == listed }); i >= 0 {
		first, well[i] = well[i], first
	}
	return first, well[0]
}
