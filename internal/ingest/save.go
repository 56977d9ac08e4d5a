package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"
	"go.uber.org/zap"

	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// save decides a piece of work against the record and commits it, again and
// again until it is stored. What can go wrong with a database, time can mend:
// save gives up only when ctx ends or another daemon has taken over.
//
// A crash before the commit leaves nothing of the work: the stream's part is
// found by the next pass, the pass begins again at the frontier. A crash after
// it leaves all of it; decide then finds every row known.
func (d *Daemon) save(ctx context.Context, job work) error {
	if len(job.arrivals)+len(job.dropped)+len(job.times)+len(job.rejudge) == 0 && job.advance == nil {
		return nil
	}
	job.unseen = len(job.dropped) == 0 && !slices.ContainsFunc(job.arrivals, func(a arrival) bool { return a.record })
	err := d.write(ctx, "save", func(ctx context.Context, w *store.Writer) error {
		d.tells(nil, job.arrivals)
		job.unseen = job.unseen && d.lookUps == 0
		batch, counted, err := commit(ctx, w, &job, d.standard())
		if errors.Is(err, store.ErrStored) {
			d.lookUps = lookUpsAfterRepeat
			job.unseen = false
			batch, counted, err = commit(ctx, w, &job, d.standard())
		}
		job.unseen = false // of a commit that failed, the outcome may not be known
		if err != nil {
			return err
		}
		d.tells(batch, job.arrivals)
		d.lookUps = max(d.lookUps-1, 0)
		d.Metrics.saved(batch, counted, job.arrivals, time.Now())
		d.tellVerdicts(batch)
		if job.advance != nil {
			d.state.advanced(job.advance.Becomes)
		}
		return nil
	})
	if err != nil && store.Weak(store.WeakGiveUp) {
		if job.advance != nil {
			d.state.advanced(job.advance.Becomes)
		}
		return nil
	}
	return err
}

func (d *Daemon) standard() *standard {
	return &standard{layout: d.Reader.Layout(), rules: &d.Rules}
}

// lookUpsAfterRepeat is how many batches are compared with the record after the
// stream has told of a transaction again. Until it does, all that it tells is
// new, and asking costs more than finding out at the commit that it was not.
const lookUpsAfterRepeat = 32

// commit decides and commits in one turn: nobody else decides games meanwhile.
func commit(ctx context.Context, w *store.Writer, job *work, by *standard) (*store.Batch, store.Counted, error) {
	if err := w.Take(ctx); err != nil {
		return nil, store.Counted{}, err
	}
	defer w.Release(ctx)
	batch, err := decide(ctx, w, job, by)
	if err != nil {
		return nil, store.Counted{}, err
	}
	counted, err := w.Commit(ctx, batch)
	return batch, counted, err
}

// write runs op on the one writing session, opening it where needed, and
// repeats it until it succeeds. Callers take turns.
func (d *Daemon) write(ctx context.Context, what string, op func(context.Context, *store.Writer) error) error {
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-d.turn }()
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 50*time.Millisecond, 5*time.Second
	for {
		err := d.attempt(ctx, what, op)
		if err == nil {
			d.tell(d.state.database(nil), "", "the database can be written to again", nil)
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s: %w", what, context.Cause(ctx))
		}
		if errors.Is(err, store.ErrLocked) || errors.Is(err, store.ErrFrontierMoved) {
			return err
		}
		d.tell(d.state.database(err), "the database cannot be written to; trying again", "", err, zap.String("doing", what))
		d.Metrics.databaseErrors.Inc()
		d.state.beat()
		if store.Weak(store.WeakGiveUp) {
			return err
		}
		if err := pause(ctx, wait.NextBackOff()); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
}

// attempt runs op once, within writeTimeout: a server that does not answer any
// more costs the connection, not the daemon.
func (d *Daemon) attempt(ctx context.Context, what string, op func(context.Context, *store.Writer) error) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	defer d.tellIfSlow(what)()
	if d.writer != nil && d.writer.Closed() {
		d.writer = nil
	}
	if d.writer == nil {
		w, err := d.Store.OpenWriter(ctx)
		if err != nil {
			return err
		}
		d.writer = w
		d.resume(w.Frontier())
	}
	return op(ctx, d.writer)
}

// tellIfSlow shows a database that keeps one try waiting as failing, which to
// whoever looks it is. The outcome of the try replaces that; so nothing is shown
// any more once end has returned.
func (d *Daemon) tellIfSlow(what string) (end func()) {
	told := make(chan struct{})
	timer := time.AfterFunc(slowAfter, func() {
		defer close(told)
		err := fmt.Errorf("%w for %v", errSlow, slowAfter)
		d.tell(d.state.database(err), "the database keeps a write waiting", "", err, zap.String("doing", what))
	})
	return func() {
		if !timer.Stop() {
			<-told
		}
	}
}

var errSlow = errors.New("the database has not answered")

// resume takes the frontier over as a new session finds it. It is another one
// than this daemon's where the outcome of a commit was not known, or where
// another daemon had the database meanwhile: then the stream is believed above
// it only.
func (d *Daemon) resume(frontier int64) {
	if d.state.resumed(frontier) {
		d.late.rise(frontier)
	}
}

// tellVerdicts passes verdicts on to whoever listens, and logs games that
// failed: the few lines an operator acts on. The row is the record, the line a
// copy.
func (d *Daemon) tellVerdicts(b *store.Batch) {
	games := make(map[store.GameID]*store.Game, len(b.Games))
	for i := range b.Games {
		games[b.Games[i].ID] = &b.Games[i]
	}
	for i := range b.Verdicts {
		v := &b.Verdicts[i]
		g := games[v.Game]
		if d.OnVerdict != nil {
			d.OnVerdict(g, v)
		}
		if v.Verdict == verify.VerdictFail {
			d.Log.Warn("mismatch", zap.String("game", keyText(g.Key.Game)), zap.String("user", keyText(g.Key.User)),
				zap.Uint64("nonce", g.Key.Nonce), zap.Uint64("end_slot", v.EndSlot), zap.Strings("checks", v.Failed()))
		}
	}
}
