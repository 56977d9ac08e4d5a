package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/coder/websocket"
)

const (
	methodLogsSubscribe = "logsSubscribe"
	methodSlotSubscribe = "slotSubscribe"

	idLogs uint64 = 1
	idSlot uint64 = 2
)

// subscribe sends both requests, logs first: a slot that is told after the logs'
// acknowledgement began when they were already listened to.
func (c *session) subscribe(ctx context.Context) *ending {
	requests := []object{
		{"id": idLogs, "method": methodLogsSubscribe, "params": []any{
			object{"mentions": []string{c.cfg.Program}}, object{"commitment": c.cfg.Commitment},
		}},
		{"id": idSlot, "method": methodSlotSubscribe},
	}
	for _, r := range requests {
		r["jsonrpc"] = "2.0"
		text, err := json.Marshal(r)
		if err != nil {
			return &ending{reason: ConnectFailed, err: errors.New("subscribe request cannot be written")}
		}
		if err := c.conn.Write(ctx, websocket.MessageText, text); err != nil {
			return c.readError(err)
		}
	}
	return nil
}

// handle takes one frame. It gives the ending that the frame means, or nil.
func (c *session) handle(f *frame) *ending {
	switch f.kind {
	case frameAck:
		return c.acknowledged(f)
	case frameRefusal:
		return c.refused(f)
	case frameLogs:
		return c.note(f)
	case frameSlot:
		return c.ticked(f)
	}
	return nil
}

func (c *session) acknowledged(f *frame) *ending {
	var s *subscription
	switch f.id {
	case idLogs:
		s = &c.logs
	case idSlot:
		s = &c.slots
		c.clock.Reset(c.cfg.StallAfter)
	default:
		return nil
	}
	if e := s.check(f.subscription); e != nil {
		return e
	}
	s.acked = true
	return c.answered()
}

func (c *session) refused(f *frame) *ending {
	if f.id == idSlot { // then silence proves nothing, and no clock runs
		c.slots.refused = true
		return c.answered()
	}
	e := &Error{Method: methodLogsSubscribe, Class: Unavailable, Message: c.scrub.clean(f.refusal.Message)}
	if f.refusal.Code != nil {
		e.Code, e.Class = int(*f.refusal.Code), classOfCode(*f.refusal.Code)
	}
	return &ending{reason: Refused, err: e}
}

// answered ends the wait for replies. Without slots the subscription is up as it is.
func (c *session) answered() *ending {
	if !c.logs.answered() || !c.slots.answered() {
		return nil
	}
	c.ackBy.Stop()
	if c.slots.refused {
		return c.comeUp(0)
	}
	return nil
}

// check holds a notification's or reply's id against what is known of it. Another id
// means that the node mixes its clients up: nothing it says can be relied on.
func (s *subscription) check(id uint64) *ending {
	if s.known && s.id != id {
		return &ending{reason: Malformed, err: errors.New("notification of another subscription")}
	}
	s.id, s.known = id, true
	return nil
}

// ticked takes a slot notification: the clock's beat, and the slot that an Up waits for.
func (c *session) ticked(f *frame) *ending {
	if e := c.slots.check(f.subscription); e != nil {
		return e
	}
	if c.slots.acked {
		c.clock.Reset(c.cfg.StallAfter)
	}
	c.root = max(c.root, f.root)
	c.saw(f.slot)
	if c.logs.acked {
		return c.comeUp(f.slot)
	}
	return nil
}

// note takes a log notification. One that comes before the first slot, or overtakes
// its own acknowledgement, shows that the subscription listens.
func (c *session) note(f *frame) *ending {
	if e := c.logs.check(f.subscription); e != nil {
		return e
	}
	c.slot = max(c.slot, f.tx.Slot)
	if c.slots.refused { // no better clock: see Head
		c.saw(f.tx.Slot)
	}
	if e := c.comeUp(f.tx.Slot); e != nil {
		return e
	}
	return c.enqueue(Item{Kind: Note, At: time.Now(), Slot: f.tx.Slot, Tx: f.tx, Node: c.cfg.Name})
}

func (c *session) saw(slot uint64) {
	c.slot = max(c.slot, slot)
	for {
		head := c.head.Load()
		if slot <= head || c.head.CompareAndSwap(head, slot) {
			return
		}
	}
}

// comeUp queues the Up, once.
func (c *session) comeUp(slot uint64) *ending {
	if !c.upSince.IsZero() {
		return nil
	}
	now := time.Now()
	if e := c.enqueue(Item{Kind: Up, At: now, Slot: slot}); e != nil {
		return e
	}
	c.upSince = now
	c.listens.Set(1)
	if c.state.up(now) {
		c.cfg.Metrics.reconnects.Inc()
	}
	return nil
}

// enqueue hands an item over. While the queue is full nothing is read, so the slot
// clock stands: its ticks wait in the socket.
func (c *session) enqueue(it Item) *ending {
	if c.queue.offer(it) {
		return nil
	}
	c.clock.Stop()
	c.blocked.Store(true)
	err := c.queue.put(c.ctx, it)
	c.activity.Add(1) // before blocked: a ping in between must see one of the two
	c.blocked.Store(false)
	if c.slots.acked {
		c.clock.Reset(c.cfg.StallAfter)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errOverflow):
		return &ending{reason: Overflow, err: errOverflow}
	}
	return &ending{reason: Stopped} // the context's own cause stands
}
