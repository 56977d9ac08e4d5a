package ingest

import (
	"context"
	"sync"
	"time"

	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// recentFor is how old a count that is shown may be.
const recentFor = 2 * time.Second

// recent is something read from the database for show: at most recentFor old,
// or the last that could be read.
type recent[T any] struct {
	mu    sync.Mutex
	at    time.Time
	value T
	ok    bool // it was ever read
}

// get reads where it is time to, and waits a second at most.
func (r *recent[T]) get(read func(context.Context) (T, error)) (T, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.at) < recentFor {
		return r.value, r.ok
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	r.at = time.Now()
	if value, err := read(ctx); err == nil {
		r.value, r.ok = value, true
	}
	return r.value, r.ok
}

// totals are the database's counts.
func (d *Daemon) totals() store.Totals {
	totals, _ := d.totalsKnown()
	return totals
}

// totalsKnown is totals, and whether they were ever read.
func (d *Daemon) totalsKnown() (store.Totals, bool) { return d.counted.get(d.Store.Totals) }

// covering is what the database has of ranges, open gaps and where the audit begins.
func (d *Daemon) covering() (covered, bool) {
	return d.covered.get(func(ctx context.Context) (c covered, err error) {
		if c.ranges, err = d.Store.Coverage(ctx); err == nil {
			c.gaps, err = d.Store.OpenGaps(ctx)
		}
		if err == nil {
			c.watch, err = d.Store.Watch(ctx)
		}
		return c, err
	})
}

// watched is what the database is bound to and how far it has come; nil where that was
// never read.
func (d *Daemon) watched() *store.Watch {
	known, ok := d.covering()
	if !ok {
		return nil
	}
	return &known.watch
}

// auditedFrom is the first slot audited: history that another process reads moves it
// down. Before it was read it is where this daemon began.
func (d *Daemon) auditedFrom() int64 {
	if watch := d.watched(); watch != nil {
		return watch.AuditedFrom
	}
	return d.state.auditedFrom()
}

// coverage are the ranges and the open gaps that the database has.
func (d *Daemon) coverage() ([]CoveredRange, []OpenGap) {
	known, _ := d.covering()
	ranges, gaps := []CoveredRange{}, []OpenGap{}
	for i := range known.ranges {
		r := &known.ranges[i]
		ranges = append(ranges, CoveredRange{r.From, r.To, r.Complete(), r.Reason, r.Source, stamp(r.MadeAt)})
	}
	for i := range known.gaps {
		g := &known.gaps[i]
		gaps = append(gaps, OpenGap{g.Reason, g.From, g.To, stamp(g.OpenedAt)})
	}
	return ranges, gaps
}

type covered struct {
	ranges []store.Covered
	gaps   []store.Gap
	watch  store.Watch
}

// examination is what was held against a second node, and whether that was ever read.
func (d *Daemon) examination() (store.Examination, bool) {
	return d.heldAgainst.get(d.Store.Examination)
}

// confirmed are the verdicts above the frontier.
func (d *Daemon) confirmed() map[verify.Verdict]int64 {
	confirmed, _ := d.unsettled.get(d.Store.Confirmed)
	return confirmed
}
