package reaudit

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"minesaudit/internal/ingest"
	"minesaudit/internal/store"
)

// Options say what is judged again, and by what.
type Options struct {
	Standard ingest.Standard
	Other    bool  // Standard is of another profile than the record's: nothing is compared but verdicts
	Since    int64 // only games that started or ended in this slot or above; 0: all
	Write    bool  // supersede, and keep what was altered; not with Other
	Most     int   // how many changed and altered games are listed, each; all are counted
	Quick    bool  // compare verdicts, and rows only of games that they differ of; not with Since
	Readers  int   // sessions that read at once; 0: one a core

	Progress func(games int) // called from several goroutines, each time for so many more; may be nil
}

// gamesAPart is about how many games are read at once, and so in memory.
const gamesAPart = 4000

// gamesATurn is how many are superseded in one turn: who follows the chain waits
// no longer than for a batch of its own.
const gamesATurn = 500

// Run judges the games of a record again. What it has found so far comes with an
// error too.
func Run(ctx context.Context, st *store.Store, o Options) (*Report, error) {
	r := &run{Options: o, st: st, report: newReport(&o)}
	if o.Progress == nil {
		r.Progress = func(int) {}
	}
	err := r.run(ctx)
	r.report.finish(o.Most)
	return r.report, err
}

type run struct {
	Options
	st    *store.Store
	noted map[store.GameID]bool // altered before

	parts int
	next  atomic.Int64 // part

	mu     sync.Mutex // of what follows
	report *Report
	writer *store.Writer
}

func (r *run) run(ctx context.Context) error {
	games, err := r.st.CountGames(ctx, 0)
	if err != nil {
		return err
	}
	return r.parted(ctx, int(min(games/gamesAPart+1, store.MostParts)))
}

// parted does it in so many parts.
func (r *run) parted(ctx context.Context, parts int) (err error) {
	r.parts = parts
	if r.noted, err = r.st.Altered(ctx); err != nil {
		return err
	}
	if r.Write {
		if r.writer, _, err = r.st.OpenWorker(ctx); err != nil {
			return err
		}
		defer func() { _ = r.writer.Close(context.WithoutCancel(ctx)) }()
	}
	readers := r.Readers
	if readers < 1 {
		readers = runtime.GOMAXPROCS(0)
	}
	g, ctx := errgroup.WithContext(ctx)
	for range min(readers, r.parts) {
		g.Go(func() error { return r.read(ctx) })
	}
	return g.Wait()
}

// read takes part after part until there are no more.
func (r *run) read(ctx context.Context) error {
	reading, err := r.st.OpenReading(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = reading.Close(context.WithoutCancel(ctx)) }()
	for {
		n := int(r.next.Add(1)) - 1
		if n >= r.parts {
			return nil
		}
		found := newPart()
		if err := r.readPart(ctx, reading, store.Part{N: n, Of: r.parts}, found); err != nil {
			return err
		}
		if err := r.keep(ctx, found); err != nil {
			return err
		}
		r.Progress(int(found.games))
	}
}

func (r *run) readPart(ctx context.Context, reading *store.Reading, of store.Part, found *part) error {
	judge := func(g *store.RecordedGame) error {
		r.judge(g, found)
		return nil
	}
	if !r.Quick || r.Since > 0 || r.Other {
		return reading.Games(ctx, of, r.Since, judge)
	}
	var whole []store.GameID // that more is to be known of
	err := reading.Verdicts(ctx, of, func(g *store.RecordedGame) error {
		if !r.stands(g, found) {
			whole = append(whole, g.ID)
		}
		return nil
	})
	if err != nil || len(whole) == 0 {
		return err
	}
	return reading.GamesOf(ctx, whole, judge)
}

// keep writes what a part came to, and adds it to the report. A crash before it
// leaves the part as it was, a crash after it the part done: both are mended by
// doing it again.
func (r *run) keep(ctx context.Context, p *part) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.add(p)
	if !r.Write {
		return nil
	}
	if err := r.st.NoteAltered(ctx, p.notes, p.mended); err != nil {
		return err
	}
	r.report.Mended += int64(len(p.mended))
	for games := range slices.Chunk(p.supersede, gamesATurn) {
		made, err := r.Standard.Supersede(ctx, r.writer, games)
		if err != nil {
			return fmt.Errorf("supersede %d verdicts: %w", len(games), err)
		}
		r.report.Superseded += int64(len(made))
	}
	return nil
}
