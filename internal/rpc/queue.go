package rpc

import (
	"context"
	"errors"
	"time"
)

var errOverflow = errors.New("the queue stayed full")

// roomCheck is how often a full queue is looked at. A channel does not tell its sender
// when there is room without taking the item, and the reserved place must stay free.
const roomCheck = time.Millisecond

// queue is the bounded way from the socket to the consumer. It has one sender. Its
// channel has one place more than notes and Ups may fill, so that the Down of a
// subscription always goes in at once, however slow the consumer is: between two Downs
// there is an Up, which had to wait for an ordinary place.
type queue struct {
	items chan Item
	size  int
	wait  time.Duration
}

func newQueue(size int, wait time.Duration) *queue {
	return &queue{items: make(chan Item, size+1), size: size, wait: wait}
}

// offer adds an item if there is an ordinary place.
func (q *queue) offer(it Item) bool {
	if len(q.items) >= q.size {
		return false
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

// down adds the end of a subscription that was up; it never waits.
func (q *queue) down(it Item) { q.items <- it }
