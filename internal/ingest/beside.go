package ingest

import (
	"time"

	"minesaudit/internal/verify"
)

// behindMost is how far behind the chain a record that is followed may be, beside what
// the interval between two passes puts it.
const behindMost = time.Minute

// Behind reports whether the record is further behind than one that is followed ever
// is: the daemon has to catch up, and whoever reads history beside it is to leave the
// nodes to it.
func (d *Daemon) Behind() bool {
	return d.state.lagSeconds() > (behindMost + 2*d.Interval).Seconds()
}

// Frontier is the last slot up to which all that is followed is in the record.
func (d *Daemon) Frontier() int64 { return d.state.frontier() }

// Stored counts the verdicts of a span that was read beside this daemon among its own,
// so that a mismatch in history is seen as soon as any other.
func (d *Daemon) Stored(kept Kept) {
	for v, n := range kept.Verdicts {
		if v == verify.VerdictWithdrawn {
			continue
		}
		d.Metrics.verdicts.WithLabelValues(v.String()).Add(float64(n))
	}
}

// Waiting is history that is planned and not read yet.
type Waiting struct {
	Pages        int64  `json:"pages"`
	Transactions int64  `json:"transactions"`
	Failing      int64  `json:"failing_pages"` // whose last try failed; they are tried again
	LastError    string `json:"last_error,omitempty"`
}

// waiting is the history that waits; nil where none is read beside this daemon, or
// that was never found out.
func (d *Daemon) waiting() *Waiting {
	if d.Waiting == nil {
		return nil
	}
	w, known := d.toRead.get(d.Waiting)
	if !known {
		return nil
	}
	return &w
}
