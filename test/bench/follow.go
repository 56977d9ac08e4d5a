//go:build bench

package bench

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
)

const (
	// pollEvery is how often a run's end is looked for; it is seen late by no more.
	pollEvery = 200 * time.Millisecond
	// beginEvery is the same for its beginning.
	beginEvery = 20 * time.Millisecond
	// leastVerdict is less than a verdict takes of its table, in bytes.
	leastVerdict = 80
	// followPatience bounds a run, for a machine under heavy load.
	followPatience = 5 * time.Minute
)

// followed is one run of the daemon after a chain at rate 0.
type followed struct {
	seconds      float64 // from the first notification to the last committed verdict
	games        float64
	transactions float64 // notified
	peakMiB      float64
	cpuSeconds   float64 // of the daemon
	series       Series
}

// follow lets a new daemon audit a chain of so many games into db. It returns
// with the daemon killed: the database holds what was committed when the last
// verdict was. With settle, the daemon first counts every game at its frontier.
func (b *Bench) follow(ctx context.Context, db *database, games int, settle bool) (f followed, err error) {
	c, err := b.startChain(ctx, games, 0, 400)
	if err != nil {
		return f, err
	}
	defer c.stop()
	d, err := b.startDaemon(c, db.url)
	if err != nil {
		return f, err
	}
	defer d.stop()
	programs := []*process{c.process, d.process}

	began := time.Now()
	err = await(ctx, "the first notification", beginEvery, time.Minute, programs, func() (bool, error) {
		before := time.Now()
		f.series, err = d.series(ctx)
		if f.series.Sum("minesaudit_notifications_total") == 0 {
			began = before
			return false, err
		}
		return true, err
	})
	if err != nil {
		return f, err
	}
	// The record is asked, not the metrics: at this speed the counts that a scrape
	// brings up to date cost more than this one, and nobody scrapes so often. Nor is
	// it asked before there is room for so many verdicts.
	err = await(ctx, "every game has its verdict", pollEvery, followPatience, programs, func() (bool, error) {
		judged, err := db.count(ctx, `select case when pg_relation_size('audit.verdict') < $1::bigint * $2 then 0
			else (select count(*) from audit.verdict where seq = 0) end`, games, leastVerdict)
		f.seconds = time.Since(began).Seconds()
		return judged >= int64(games), err
	})
	if err != nil {
		return f, err
	}
	if settle {
		err = await(ctx, "every game is counted", pollEvery, followPatience, programs, func() (bool, error) {
			counted, err := db.count(ctx, `select coalesce(sum(n), 0)::bigint from audit.rollup`)
			return counted >= int64(games), err
		})
		if err != nil {
			return f, err
		}
	}
	if f.series, err = d.series(ctx); err != nil || f.series == nil {
		return f, errors.Join(errors.New("the daemon gives no metrics"), err)
	}
	if f.peakMiB, err = d.peakMiB(); err != nil {
		return f, err
	}
	if f.cpuSeconds, err = cpuSeconds(d.pid, false); err != nil {
		return f, err
	}
	f.games, f.transactions = float64(games), f.series.Sum("minesaudit_notifications_total")
	_ = syscall.Kill(d.pid, syscall.SIGKILL)
	<-d.exited
	return f, errors.Join(clean(f.series), b.complete(ctx, db, games))
}

// complete fails if the record is not one of so many games, all in order.
func (b *Bench) complete(ctx context.Context, db *database, games int) error {
	passed, err := db.count(ctx, `select count(*) from audit.game where verdict = 1`)
	if err == nil && passed != int64(games) {
		err = fmt.Errorf("%d of %d games passed on a chain where nobody cheats", passed, games)
	}
	return err
}
