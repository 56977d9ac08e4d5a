package ingest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/emitted"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// History stores spans of slots at or below the frontier, each read from a finalized
// list on its own: in any order, by any number of processes, and beside a daemon. It
// takes the path that the daemon's walk takes, so that the record says the same
// whichever way it came.
//
// The frontier has passed these slots: a game that ended there is judged at once by
// what is stored of it, inconclusive where its start is still to come, and the page
// that brings it supersedes.
type History struct {
	Reader   emitted.Reader
	Standard Standard
}

// Listed is what a finalized node lists of a span.
type Listed struct {
	Span store.Span
	Txs  []rpc.SignatureInfo // all in the span, in any order
}

// Lacking is what the record does not hold of a list, and what it holds beyond.
type Lacking struct {
	Fetch    []rpc.SignatureInfo // succeeded, and stored otherwise or not at all
	Failed   []*rpc.Tx           // likewise; complete as the list tells of them
	Unlisted [][64]byte          // stored in the span and not in the list: to be asked for by name
	partial  bool                // some of it is stored already
}

// Compare holds a list against the record. Where nothing is stored of the span it looks
// no signature up: one that is stored of another slot is found out by Save.
func (h *History) Compare(ctx context.Context, w *store.Writer, listed *Listed) (lacking Lacking, err error) {
	stored, err := w.Between(ctx, listed.Span.From-1, listed.Span.To)
	if err != nil {
		return lacking, err
	}
	lacking.partial = len(stored) > 0
	var known map[[64]byte]store.Known
	if lacking.partial {
		names := make([][64]byte, len(listed.Txs))
		for i := range listed.Txs {
			names[i] = listed.Txs[i].Signature
			delete(stored, names[i])
		}
		if known, err = w.Known(ctx, names); err != nil {
			return lacking, err
		}
	}
	for i := range listed.Txs {
		info := &listed.Txs[i]
		k, stored := known[info.Signature]
		switch {
		case stored && k.Slot == info.Slot && k.Failed == (info.Err != nil) && !k.Dropped:
		case info.Err != nil:
			lacking.Failed = append(lacking.Failed, &rpc.Tx{
				Signature: info.Signature, Slot: info.Slot, Err: info.Err, BlockTime: info.BlockTime, HasBlockTime: info.HasBlockTime,
			})
		default:
			lacking.Fetch = append(lacking.Fetch, *info)
		}
	}
	lacking.Unlisted = slices.Collect(maps.Keys(stored))
	return lacking, nil
}

// Found is what came of asking for what was lacking.
type Found struct {
	Txs     []*rpc.Tx  // listed, each as a node gave it or the list tells of it
	ByName  []*rpc.Tx  // unlisted, and finalized all the same: lists have holes
	Unknown [][64]byte // unlisted, and not known to a finalized node
}

// Kept is what was stored of a span.
type Kept struct {
	New, Replaced, Dropped int
	Verdicts               map[verify.Verdict]int
	Troubled               int // of the transactions, those whose log could not be read
}

func (k *Kept) add(b *store.Batch) {
	k.New += len(b.New)
	k.Replaced += len(b.Replaced)
	k.Dropped += len(b.Dropped)
	for i := range b.Verdicts {
		k.Verdicts[b.Verdicts[i].Verdict]++
	}
}

// Save stores what was found of a span, claims or disclaims coverage, and does what
// else belongs to it, all in one turn: a crash before its end leaves nothing, one
// after it everything.
//
// Where a log could not be read, games that it names are decided by it once it is
// stored: then the rows go in by a turn of their own, and the claim and the rest with
// the decision, in a second one. A crash in between leaves rows without a claim, and
// the next try finds them and decides again.
func (h *History) Save(ctx context.Context, w *store.Writer, listed *Listed, lacking *Lacking, found *Found, covers []store.Covered, also func(context.Context, pgx.Tx) error) (Kept, error) {
	kept := Kept{Verdicts: map[verify.Verdict]int{}}
	job := h.work(listed, found)
	job.unseen = !lacking.partial && len(found.Unknown) == 0
	for i := range job.arrivals {
		if !job.arrivals[i].whole() {
			kept.Troubled++
		}
	}
	if kept.Troubled > 0 || lacking.partial {
		if err := h.turn(ctx, w, job, &kept, nil); err != nil {
			return kept, err
		}
		named, err := w.NamedWithin(ctx, listed.Span)
		if err != nil {
			return kept, err
		}
		job = &work{rejudge: named, reword: true}
	}
	return kept, h.turn(ctx, w, job, &kept, covers, also)
}

// turn decides and commits. What was compared a moment ago may be stored by now: then it
// looks again.
func (h *History) turn(ctx context.Context, w *store.Writer, job *work, kept *Kept, covers []store.Covered, also ...func(context.Context, pgx.Tx) error) error {
	err := h.try(ctx, w, job, kept, covers, also)
	if job.unseen && errors.Is(err, store.ErrStored) {
		job.unseen = false
		return h.try(ctx, w, job, kept, covers, also)
	}
	return err
}

// try has rows of which nothing is stored written while others have their turns: what
// is decided waits for them, and so for as little as can be.
func (h *History) try(ctx context.Context, w *store.Writer, job *work, kept *Kept, covers []store.Covered, also []func(context.Context, pgx.Tx) error) error {
	defer w.Release(ctx)
	if job.ahead = nil; job.unseen && len(job.arrivals) > 0 && len(job.arrivals) <= store.MostAhead {
		job.ahead = newRows(job.arrivals)
		if err := w.Ahead(ctx, job.ahead.rows); err != nil {
			return err
		}
	}
	if err := w.Take(ctx); err != nil {
		return err
	}
	batch, err := decide(ctx, w, job, &standard{layout: h.Standard.Layout, rules: &h.Standard.Rules})
	if err != nil {
		return err
	}
	batch.Covers = covers
	if _, err := w.Commit(ctx, batch, also...); err != nil {
		return err
	}
	kept.add(batch)
	return nil
}

func (h *History) work(listed *Listed, found *Found) *work {
	d := &Daemon{Config: Config{Reader: h.Reader}}
	job := &work{reword: true, dropped: found.Unknown, arrivals: make([]arrival, 0, len(found.Txs)+len(found.ByName))}
	for i := range listed.Txs {
		t := &listed.Txs[i]
		job.times = appendTime(job.times, t.Slot, t.BlockTime, t.HasBlockTime)
	}
	for _, tx := range found.Txs {
		job.arrivals = append(job.arrivals, d.arrive(*tx, true, time.Time{}))
	}
	for _, tx := range found.ByName {
		job.arrivals = append(job.arrivals, d.arrive(*tx, true, time.Time{}))
		job.times = appendTime(job.times, tx.Slot, tx.BlockTime, tx.HasBlockTime)
	}
	return job
}
