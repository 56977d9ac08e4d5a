//go:build bench

package bench

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"minesaudit/internal/decode"
	"minesaudit/internal/ingest"
	"minesaudit/internal/reaudit"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// Reaudit judges a record again on every core, in turns with reading its events
// alone: by the same statements, with nothing done about them, in one session as
// whoever only reads would, and in as many as judging has.
func (b *Bench) Reaudit(ctx context.Context) error {
	db, err := b.newDatabase(ctx)
	if err != nil {
		return err
	}
	f, err := b.follow(ctx, db, b.Games, true)
	if err != nil {
		return fmt.Errorf("re-audit: %w", err)
	}
	if _, err := db.Exec(ctx, `vacuum analyze`); err != nil {
		return err
	}
	st, err := store.Open(db.url)
	if err != nil {
		return err
	}
	defer st.Close()
	var alone, read, quick, judged Sample
	for range b.Rounds {
		for _, part := range []struct {
			sample *Sample
			do     func() error
		}{
			{&alone, func() error { return readAlone(ctx, st, b.Games, 1) }},
			{&read, func() error { return readAlone(ctx, st, b.Games, runtime.GOMAXPROCS(0)) }},
			{&quick, func() error { return again(ctx, st, true) }},
			{&judged, func() error { return again(ctx, st, false) }},
		} {
			seconds, err := timed(part.do)
			if err != nil {
				return err
			}
			*part.sample = append(*part.sample, f.games/seconds)
		}
	}
	r := &b.Report
	r.Figure("reaudit: verdicts judged again", "games/s", quick...)
	r.Figure("reaudit: verdicts judged again, rows compared", "games/s", judged...)
	r.Figure("reaudit: reading the events alone, one session", "games/s", alone...)
	r.Figure("reaudit: reading the events alone, a session a core", "games/s", read...)
	r.AtLeast("reaudit: judging again / reading the events alone, one session", quick.Median()/alone.Median(), 0.8)
	return b.drop(ctx, db)
}

func timed(do func() error) (seconds float64, err error) {
	began := time.Now()
	err = do()
	return time.Since(began).Seconds(), err
}

// again fails if an honest record does not stand.
func again(ctx context.Context, st *store.Store, quick bool) error {
	report, err := reaudit.Run(ctx, st, reaudit.Options{
		Standard: ingest.Standard{Layout: decode.BuiltinLayout(), Rules: verify.DefaultRules()}, Write: true, Quick: quick,
	})
	if err == nil && report.Different() {
		err = fmt.Errorf("an honest record does not stand: %d verdicts changed", report.Changes())
	}
	return err
}

func readAlone(ctx context.Context, st *store.Store, games, sessions int) error {
	parts := games/4000 + 1
	var next, events atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range sessions {
		g.Go(func() error {
			reading, err := st.OpenReading(ctx)
			if err != nil {
				return err
			}
			defer func() { _ = reading.Close(ctx) }()
			for {
				n := int(next.Add(1)) - 1
				if n >= parts {
					return nil
				}
				found, err := reading.Events(ctx, store.Part{N: n, Of: parts})
				if err != nil {
					return err
				}
				events.Add(int64(found))
			}
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if n := events.Load(); n != 2*int64(games) {
		return fmt.Errorf("%d events of %d games were read", n, games)
	}
	return nil
}
