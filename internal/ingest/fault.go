package ingest

import (
	"time"

	"go.uber.org/zap"
)

// logEvery is the least time between two lines about one thing that fails, be
// it that it stays so or that it comes and goes.
const logEvery = time.Minute

// fault is the health of one thing: the node, the database, the subscription.
// It also decides which outcomes are worth a line in the log. An outage is told
// when it begins, once a minute while it lasts, and when it ends. One that
// begins within a minute of the last line is only counted: so whatever comes
// and goes faster than that gets a pair of lines a minute, with the count of
// everything in between, and nothing goes untold for longer.
type fault struct {
	err    error     // of the latest outcome; nil: it works
	since  time.Time // when err began; zero: it never failed
	mended time.Time // when err last ended

	failures int       // since the last line that it works again
	began    time.Time // the first of them
	told     bool      // whether a line told of them
	lined    time.Time // the last line
}

// notice is what a line should tell. Zero is silence.
type notice struct {
	failing  bool
	mended   bool
	failures int           // since the last line that said "again"
	lasted   time.Duration // from the first of them until now, or until it was mended
}

// set shows an outcome.
func (f *fault) set(err error, now time.Time) notice {
	due := now.Sub(f.lined) >= logEvery
	if err == nil {
		if f.err != nil {
			f.err, f.mended = nil, now
		}
		if f.failures == 0 || !(f.told || due) {
			return notice{}
		}
		n := notice{mended: true, failures: f.failures, lasted: f.mended.Sub(f.began)}
		f.failures, f.told, f.lined = 0, false, now
		return n
	}
	if f.err == nil {
		f.since = now
	}
	f.err = err
	if f.failures == 0 {
		f.began = now
	}
	f.failures++
	if !due {
		return notice{}
	}
	f.told, f.lined = true, now
	return notice{failing: true, failures: f.failures, lasted: now.Sub(f.began)}
}

// tell writes the line that a notice is worth, if any: what cannot be done and
// why, or that it can again.
func (d *Daemon) tell(n notice, failing, mended string, err error, fields ...zap.Field) {
	if n.failing || n.mended {
		fields = append(fields, zap.Int("failures", n.failures), zap.Duration("for", n.lasted.Round(time.Millisecond)))
	}
	switch {
	case n.failing:
		d.Log.Warn(failing, append(fields, zap.Error(err))...)
	case n.mended:
		d.Log.Info(mended, fields...)
	}
}
