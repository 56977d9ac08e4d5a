package rpc

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"
)

// Live is the log subscriptions of several nodes, heard as one. The first node to
// tell of a transaction is believed; the same from another one is dropped, and what
// differs comes through marked (Item.Contradicts).
//
// It is Up while any of them listens: a Down means that nobody did from then on. What
// a node lost while it was the only one up, no other subscription shows; the record
// finds it, as it does what a single one loses.
type Live struct {
	streams []*Stream
	queue   *queue
}

// newLive makes one subscription of several. Their queue is that of the first
// configuration.
func newLive(cfgs []StreamConfig) *Live {
	l := &Live{}
	for i, cfg := range cfgs {
		cfg = cfg.withDefaults()
		if i == 0 {
			l.queue = newQueue(cfg.QueueSize, cfg.QueueWait, cfg.Metrics)
		}
		l.streams = append(l.streams, newStream(cfg, l.queue))
	}
	if len(cfgs) > 1 {
		l.queue.told = newTold()
	}
	return l
}

// Items gives what happens, as Stream.Items does.
func (l *Live) Items() <-chan Item { return l.queue.items }

// Run keeps all subscriptions alive until ctx ends; see Stream.Run.
func (l *Live) Run(ctx context.Context) error {
	defer close(l.queue.items)
	g, ctx := errgroup.WithContext(ctx)
	for _, s := range l.streams {
		if s.ran.Swap(true) {
			return errors.New("live: Run was called before")
		}
		g.Go(func() error { return s.run(ctx) })
	}
	return g.Wait()
}

// Head is the highest slot that any node's clock has told of.
func (l *Live) Head() uint64 {
	var head uint64
	for _, s := range l.streams {
		head = max(head, s.Head())
	}
	return head
}

// State is that of all together: connected while one is, since that one is; the last
// end is the latest of any.
func (l *Live) State() State {
	var all State
	for i, s := range l.streams {
		st := s.State()
		if i == 0 {
			all = st
			continue
		}
		all = all.with(st)
	}
	return all
}

func (a State) with(b State) State {
	sum := a
	sum.Reconnects += b.Reconnects
	sum.Failures = min(a.Failures, b.Failures)
	switch {
	case a.Connected != b.Connected:
		sum.Connected = true
		if b.Connected {
			sum.Since = b.Since
		}
	case a.Connected:
		sum.Since = earlier(a.Since, b.Since)
	case b.Since.After(a.Since): // since the last one has ended
		sum.Since = b.Since
	}
	if b.LastEnd.After(a.LastEnd) {
		sum.LastReason, sum.LastError, sum.LastEnd = b.LastReason, b.LastError, b.LastEnd
	}
	return sum
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// stateOf is the state of one node's subscription; false if there is none.
func (l *Live) stateOf(node string) (State, bool) {
	for _, s := range l.streams {
		if s.cfg.Name == node {
			return s.State(), true
		}
	}
	return State{}, false
}
