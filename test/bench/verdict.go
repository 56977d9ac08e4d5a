//go:build bench

package bench

import (
	"context"
	"fmt"
	"slices"
	"time"
)

const (
	verdictRate = 100 // games a second
	// spreadSlotMs spreads arrivals evenly, a game a slot, as the bare commits
	// that they are compared with are. A real chain's slots of 400 ms bring 40
	// games at once, of which the last wait for the commit of the first: that
	// too is shown, as burstSlotMs, without a bound.
	spreadSlotMs = 10
	burstSlotMs  = 400
	// warmUp is how many verdicts come before those that count.
	warmUp = 200

	// scrapeEvery is for the moments at which a window begins and ends. In between
	// nobody scrapes: latency is measured, and a scrape takes time of the daemon's.
	scrapeEvery = 100 * time.Millisecond

	toVerdict = "minesaudit_notification_to_verdict_seconds"
	passes    = "minesaudit_reconciler_passes_total"
)

// Verdict measures how long a verdict takes at a moderate rate, and what the
// node is asked meanwhile, in turns with commits of single rows.
func (b *Bench) Verdict(ctx context.Context) error {
	var medians, tails, bareMedians, bareTails, fastMedians Sample
	asked := Series{}
	for range b.Rounds {
		added, err := b.verdictWindow(ctx, spreadSlotMs)
		if err != nil {
			return err
		}
		asked = asked.Plus(added)
		medians = append(medians, 1000*added.Quantile(toVerdict, 0.5))
		tails = append(tails, 1000*added.Quantile(toVerdict, 0.99))
		paced, fast, err := b.bareWindow(ctx)
		if err != nil {
			return err
		}
		bareMedians, bareTails = append(bareMedians, 1000*rank(paced, 0.5)), append(bareTails, 1000*rank(paced, 0.99))
		fastMedians = append(fastMedians, 1000*rank(fast, 0.5))
	}
	burst, err := b.verdictWindow(ctx, burstSlotMs)
	if err != nil {
		return err
	}
	r := &b.Report
	r.Figure("verdict: notification to committed verdict, median", "ms", medians...)
	r.Figure("verdict: the same, p99", "ms", tails...)
	r.Figure("verdict: commit of a single row at the same pace, median", "ms", bareMedians...)
	r.Figure("verdict: the same, p99", "ms", bareTails...)
	r.Figure("verdict: commit of a single row, back to back, median", "ms", fastMedians...)
	r.Figure("verdict: in bursts of 40 games, median", "ms", 1000*burst.Quantile(toVerdict, 0.5))
	r.Figure("verdict: in bursts of 40 games, p99", "ms", 1000*burst.Quantile(toVerdict, 0.99))
	r.AtMost("verdict: median / median of a single row", medians.Median()/bareMedians.Median(), 8)
	r.AtMost("verdict: p99 / p99 of a single row", tails.Median()/bareTails.Median(), 20)
	r.Note("verdict: from the daemon's own histogram, read off the socket to answer of the commit, over %d verdicts; "+
		"its buckets are a factor of √2 apart, and quantiles are interpolated in them.", int(asked.Sum(toVerdict+"_count")))
	b.questions(asked)
	return nil
}

// questions reports what the node was asked while logs came intact.
func (b *Bench) questions(asked Series) {
	const requests = "minesaudit_rpc_requests_total"
	var (
		turns = asked.Sum(passes)
		news  = asked.Sum("minesaudit_notifications_total")
		pages = asked.Sum(requests, `method="getSignaturesForAddress"`)
	)
	r := &b.Report
	r.Figure("questions: transactions notified", "", news)
	r.Figure("questions: passes of the reconciler", "", turns)
	r.Figure("questions: getSignaturesForAddress", "calls", pages)
	r.AtMost("questions: getTransaction calls", asked.Sum(requests, `method="getTransaction"`), 0)
	// A pass may read one page of overlap beyond those of its own signatures.
	r.AtMost("questions: pages without overlap / (passes + signatures / 1000)", max(0, pages-turns)/(turns+news/1000), 1)
}

// verdictWindow lets a new daemon follow a chain at verdictRate and gives what
// its metrics have gained over a window.
func (b *Bench) verdictWindow(ctx context.Context, slotMs int) (Series, error) {
	db, err := b.newDatabase(ctx)
	if err != nil {
		return nil, err
	}
	c, err := b.startChain(ctx, 0, verdictRate, slotMs)
	if err != nil {
		return nil, err
	}
	defer c.stop()
	d, err := b.startDaemon(c, db.url)
	if err != nil {
		return nil, err
	}
	defer d.stop()
	// A window goes from the end of a pass of the reconciler to the end of another,
	// so that the questions of every pass in it are counted whole.
	warm, err := b.scrapeUntil(ctx, c, d, func(s Series) bool { return s.Sum(toVerdict+"_count") >= warmUp })
	if err != nil {
		return nil, err
	}
	before, err := b.scrapeUntil(ctx, c, d, func(s Series) bool { return s.Sum(passes) > warm.Sum(passes) })
	if err != nil {
		return nil, err
	}
	began := time.Now()
	select {
	case <-time.After(b.Window): // the length of what is measured, not a guess at readiness
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	late, err := d.series(ctx)
	if err != nil {
		return nil, err
	}
	after, err := b.scrapeUntil(ctx, c, d, func(s Series) bool { return s.Sum(passes) > late.Sum(passes) })
	if err != nil {
		return nil, err
	}
	seconds := time.Since(began).Seconds()
	if err := clean(after); err != nil {
		return nil, err
	}
	added := after.Since(before)
	// A machine that cannot keep the pace measures something else.
	want := verdictRate * seconds
	if got := added.Sum(toVerdict + "_count"); got < 0.8*want {
		return nil, fmt.Errorf("%v verdicts from notifications in %.1f s; about %.0f games should have ended", got, seconds, want)
	}
	d.stop()
	return added, b.drop(ctx, db)
}

// scrapeUntil scrapes until the metrics are as wanted.
func (b *Bench) scrapeUntil(ctx context.Context, c *chain, d *daemon, wanted func(Series) bool) (s Series, err error) {
	err = await(ctx, "the daemon has made verdicts and passes", scrapeEvery, time.Minute, []*process{c.process, d.process}, func() (bool, error) {
		s, err = d.series(ctx)
		return s != nil && wanted(s), err
	})
	return s, err
}

// bareWindow commits single rows, as often as games end and then as fast as can be.
func (b *Bench) bareWindow(ctx context.Context) (paced, fast []float64, err error) {
	db, err := b.newDatabase(ctx)
	if err != nil {
		return nil, nil, err
	}
	if paced, err = bareCommits(ctx, db, time.Second/verdictRate, b.Window); err != nil {
		return nil, nil, err
	}
	if fast, err = bareCommits(ctx, db, 0, b.Window/5); err != nil {
		return nil, nil, err
	}
	return paced, fast, b.drop(ctx, db)
}

// rank is the value below which a part q of the values lies.
func rank(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}
