package rpc

import (
	"context"
	"errors"
	"sync"
	"time"
)

var errOverflow = errors.New("the queue stayed full")

// roomCheck is how often a full queue is looked at. A channel does not tell its sender
// when there is room without taking the item, and the reserved place must stay free.
const roomCheck = time.Millisecond

// queue is the bounded way from the sockets to the consumer. Its channel has one
// place more than notes and Ups may fill, so that a Down always goes in at once,
// however slow the consumer is: between two Downs there is an Up, which had to wait
// for an ordinary place.
//
// Several streams may feed one queue. The consumer then hears of them as of one: Up
// when the first begins to listen, Down when the last has ended, and of each
// notification once, whoever was the first to tell it.
type queue struct {
	items   chan Item
	size    int
	wait    time.Duration
	metrics *Metrics

	mu        sync.Mutex // held to send, never while waiting
	listening int        // streams that are up
	told      *told      // nil: there is one stream, which is not held against itself
}

func newQueue(size int, wait time.Duration, m *Metrics) *queue {
	q := &queue{items: make(chan Item, size+1), size: size, wait: wait, metrics: m}
	depth := func() int { return len(q.items) }
	m.queueLength.Store(&depth)
	return q
}

// offer adds an item if there is an ordinary place, or if it adds nothing to what
// the consumer knows.
func (q *queue) offer(it Item) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	known := notTold
	switch {
	case it.Kind == Up && q.listening > 0:
		q.listening++
		return true
	case it.Kind == Note && q.told != nil:
		if known = q.told.look(it.Tx); known == toldAlike {
			q.metrics.repeats.Inc()
			return true
		}
	}
	if len(q.items) >= q.size {
		return false
	}
	switch it.Kind {
	case Up:
		q.listening++
		q.metrics.up.Set(1)
	case Note:
		q.metrics.notes.Inc()
		if it.Contradicts = known == toldOtherwise; it.Contradicts {
			q.metrics.contradicts.Inc()
		}
		if q.told != nil {
			q.told.keep(it.Tx)
		}
	}
	q.items <- it
	return true
}

// put waits for an ordinary place, and gives errOverflow if none comes free in time.
func (q *queue) put(ctx context.Context, it Item) error {
	deadline := time.NewTimer(q.wait)
	defer deadline.Stop()
	check := time.NewTicker(roomCheck)
	defer check.Stop()
	for !q.offer(it) {
		select {
		case <-check.C:
		case <-deadline.C:
			return errOverflow
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// down adds the end of a subscription that was up, if no other one listens; it never
// waits.
func (q *queue) down(it Item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.listening--; q.listening == 0 {
		q.metrics.up.Set(0)
		q.items <- it
	}
}
