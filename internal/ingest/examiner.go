package ingest

import (
	"context"
	"errors"
	"hash/maphash"
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

const (
	// examineMost bounds what waits to be examined. Beyond it transactions are let go
	// and counted: a node that contradicts itself all the time is not to fill memory.
	examineMost = 100_000
	// examineChunk is how many are examined between two looks at what else there is.
	examineChunk = 32
	// examineAtOnce is how many calls are under way at one node.
	examineAtOnce = 4
)

// examiner is what waits to be held against a second node: added to by the passes and
// the stream, taken from beside them by examineOn.
type examiner struct {
	seed maphash.Seed  // of the sample; made at the start and known to nobody
	wake chan struct{} // something was added

	mu       sync.Mutex
	waiting  [][64]byte
	queued   map[[64]byte]bool
	suspects map[[64]byte]uint64 // contradicted notifications, with their slots
	done     generations[bool]   // examined lately
	tellers  generations[string] // which node the record had a transaction from
	dropped  int
}

func newExaminer() *examiner {
	return &examiner{seed: maphash.MakeSeed(), wake: make(chan struct{}, 1), queued: map[[64]byte]bool{}, suspects: map[[64]byte]uint64{}}
}

// samples reports whether a transaction is one of the share that a second node is
// asked for.
func (d *Daemon) samples(signature [64]byte) bool {
	h := maphash.Bytes(d.examiner.seed, signature[:])
	return float64(h>>11)/(1<<53) < d.Sample
}

// add has transactions examined, unless they were lately.
func (e *examiner) add(names ...[64]byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range names {
		switch {
		case e.queued[s] || e.done.get(s):
		case len(e.waiting) >= examineMost:
			e.dropped++
		default:
			e.waiting, e.queued[s] = append(e.waiting, s), true
		}
	}
	if len(e.waiting) > 0 {
		select {
		case e.wake <- struct{}{}:
		default:
		}
	}
}

// fresh leaves out what was examined lately, and repetitions.
func (e *examiner) fresh(names [][64]byte) (fresh [][64]byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	seen := map[[64]byte]bool{}
	for _, s := range names {
		if !seen[s] && !e.done.get(s) {
			fresh = append(fresh, s)
		}
		seen[s] = true
	}
	return fresh
}

// suspect notes a notification that contradicted an earlier one.
func (e *examiner) suspect(tx *rpc.Tx) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.suspects) < lateMost {
		e.suspects[tx.Signature] = tx.Slot
	}
}

// suspectsUpTo takes the suspects of slots that a pass has read.
func (e *examiner) suspectsUpTo(slot int64) (names [][64]byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for s, at := range e.suspects {
		if at <= uint64(max(slot, 0)) {
			names = append(names, s)
			delete(e.suspects, s)
		}
	}
	return names
}

// take gives up to n that wait; who cannot examine them gives them back.
func (e *examiner) take(n int) [][64]byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	n = min(n, len(e.waiting))
	names := slices.Clone(e.waiting[:n])
	e.waiting = slices.Delete(e.waiting, 0, n)
	return names
}

// giveBack puts names at the end of those that wait.
func (e *examiner) giveBack(names [][64]byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waiting = append(e.waiting, names...)
}

// finish notes what was examined; forgotten is what may be asked for again.
func (e *examiner) finish(names [][64]byte, forgotten func(i int) bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, s := range names {
		delete(e.queued, s)
		if !forgotten(i) {
			e.done.set(s, true)
		}
	}
}

// toldBy notes which node the record has a transaction from: held against that one's
// answer it would only be what it is.
func (e *examiner) toldBy(signature [64]byte, node string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tellers.set(signature, node)
}

// teller is the node that told of a transaction; empty where that is not known.
func (e *examiner) teller(signature [64]byte) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.tellers.get(signature)
}

func (e *examiner) length() (waiting, dropped int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.waiting), e.dropped
}

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
	if !d.Nodes.CanCheck() {
		<-ctx.Done()
		return nil
	}
	ticker := time.NewTicker(d.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case <-d.examiner.wake:
		}
		if first := d.Nodes.Record(); len(d.Nodes.Others(first)) == 0 {
			continue
		}
		err := d.examineSome(ctx, saving)
		if err == nil {
			err = d.recheck(ctx, saving)
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
		open []bool
	)
	for i, f := range found {
		if f == nil {
			undone = append(undone, names[i])
			continue
		}
		done, open = append(done, names[i]), append(open, f.open)
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
	d.examiner.finish(done, func(i int) bool { return open[i] })
	return undone, nil
}

// recheck compares the newest range that no second node was asked for.
func (d *Daemon) recheck(ctx, saving context.Context) error {
	var after, upTo int64
	err := d.write(saving, "look for unchecked slots", func(ctx context.Context, w *store.Writer) (err error) {
		after, upTo, err = w.Unchecked(ctx)
		return err
	})
	if err != nil || after >= upTo {
		return err
	}
	if upTo > d.state.frontier() {
		return nil // the pass under way may yet hold it against a node
	}
	first := d.Nodes.Record()
	others := d.Nodes.Others(first)
	if len(others) == 0 {
		return nil
	}
	l := &listing{d: d, saving: saving, by: others[0], first: first, after: after, upTo: upTo, upper: upTo}
	err = l.run(ctx)
	d.examiner.add(l.doubt...)
	if l.upper < upTo {
		d.Metrics.slotsExamined.Add(float64(upTo - l.upper))
		wrote := d.write(saving, "note checked slots", func(ctx context.Context, w *store.Writer) error {
			return w.Checked(ctx, l.upper, upTo)
		})
		err = errors.Join(err, wrote)
	}
	return err
}

// backlog is how many transactions wait to be examined.
func (e *examiner) backlog() float64 {
	waiting, _ := e.length()
	return math.Round(float64(waiting))
}
