package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// A bar shows progress with the time that is left, on a terminal; elsewhere it
// shows nothing.
type bar struct{ shown *progressbar.ProgressBar }

// newBar begins a bar; a total below 1 is not known.
func newBar(to io.Writer, what string, total int64) *bar {
	if !isTerminal(to) {
		return &bar{}
	}
	if total < 1 {
		total = -1
	}
	return &bar{progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(to),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionShowCount(),
		progressbar.OptionClearOnFinish(),
	)}
}

// add may be called from several goroutines.
func (b *bar) add(n uint64) {
	if b.shown != nil {
		_ = b.shown.Add64(int64(n)) // a terminal that is gone takes no progress
	}
}

// finish takes the bar off the terminal.
func (b *bar) finish() {
	if b.shown != nil {
		_ = b.shown.Clear()
		b.shown = nil
	}
}
