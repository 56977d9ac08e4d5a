package simchain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// hub hands new blocks to subscriptions. As on a node, equal subscriptions are one
// with one id, so a notification is written once however many read it.
type hub struct {
	node *Node
	late []news // not told yet; the producer's
	held *block // told last, some of it with the next one; the producer's

	mu      sync.Mutex
	subs    map[string]*subscription // by what was asked for
	ids     map[string]uint64        // by what was ever asked for
	sockets map[*socket]struct{}
}

// subscription is one question and the sockets that asked it.
type subscription struct {
	id      uint64
	asked   string
	slots   bool // slotSubscribe; else logs of
	only    *Key // transactions that mention this, or of all if nil
	level   commitment
	sockets map[*socket]struct{}
}

var errNoSubscription = errors.New("invalid subscription id")

func newHub(n *Node) *hub {
	return &hub{
		node: n,
		subs: map[string]*subscription{}, ids: map[string]uint64{}, sockets: map[*socket]struct{}{},
	}
}

// subscribe adds a socket to the subscription that want describes. What happens
// after the socket has read its acknowledgement, made by ack, is notified to it, and
// nothing is notified before: s.order is held over both.
func (h *hub) subscribe(s *socket, want subscription, ack func(id uint64) []byte) {
	want.asked = fmt.Sprint(want.slots, want.only, want.level)
	s.order.Lock()
	defer s.order.Unlock()
	s.put(context.Background(), appendFrame(nil, ack(h.enter(s, want))))
	if !want.slots {
		h.node.chain.once.Do(func() { close(h.node.chain.subscribed) })
	}
}

// enter registers a socket and gives the id of its subscription.
func (h *hub) enter(s *socket, want subscription) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	id, known := h.ids[want.asked]
	if !known {
		id = uint64(len(h.ids))
		h.ids[want.asked] = id
	}
	sub := h.subs[want.asked]
	if sub == nil {
		sub = &want
		sub.id, sub.sockets = id, map[*socket]struct{}{}
		h.subs[want.asked] = sub
	}
	sub.sockets[s] = struct{}{}
	return id
}

// unsubscribe takes a socket off a subscription that it has.
func (h *hub) unsubscribe(s *socket, id uint64, slots bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, sub := range h.subs {
		if _, has := sub.sockets[s]; has && sub.id == id && sub.slots == slots {
			h.leave(sub, s)
			return nil
		}
	}
	return errNoSubscription
}

func (h *hub) leave(sub *subscription, s *socket) {
	delete(sub.sockets, s)
	if len(sub.sockets) == 0 {
		delete(h.subs, sub.asked)
	}
}

func (h *hub) join(s *socket) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sockets[s] = struct{}{}
}

func (h *hub) part(s *socket) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.sockets, s)
	for _, sub := range h.subs {
		h.leave(sub, s)
	}
}

// audience is a subscription and its sockets at one moment.
type audience struct {
	*subscription
	sockets []*socket
}

// audiences lists who listens, slots before logs.
func (h *hub) audiences() []audience {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []audience
	for _, sub := range h.subs {
		a := audience{subscription: sub}
		for s := range sub.sockets {
			a.sockets = append(a.sockets, s)
		}
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b audience) int {
		if a.slots != b.slots {
			return cmp.Compare(b2i(b.slots), b2i(a.slots))
		}
		return cmp.Compare(a.id, b.id)
	})
	return list
}

// news is a new block, as it was made, and those that are final by it.
type news struct {
	block block
	final []*block
}

// publish tells everybody of a new block, once those before it have been told.
// The error is ctx's.
func (h *hub) publish(ctx context.Context, b *block, final []*block) error {
	faults := h.node.Faults
	h.strike(faults.strikes(b))
	if faults.muted() {
		return ctx.Err()
	}
	h.late = append(h.late, news{*b, final})
	for delay := faults.delayed(b.slot); len(h.late) > delay; h.late = h.late[1:] {
		h.tell(ctx, h.late[0])
	}
	return ctx.Err()
}

// strike does to all sockets what is due.
func (h *hub) strike(cut, deafen bool) {
	if deafen {
		h.each((*socket).deafen)
	}
	if cut {
		h.each((*socket).cut)
	}
}

// tell sends news. At rate zero it waits for room in each queue; else a socket
// without room is cut off.
func (h *hub) tell(ctx context.Context, n news) {
	for _, a := range h.audiences() {
		frames := h.node.frames(a.subscription, &n.block, n.final)
		frames = append(frames, h.node.Faults.garbage(a.subscription, &n.block)...)
		if len(frames) == 0 {
			continue
		}
		for _, s := range a.sockets {
			s.send(ctx, frames)
		}
	}
	h.held = &n.block
}

// each does something to every socket and tells how many there were.
func (h *hub) each(do func(*socket)) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.sockets {
		do(s)
	}
	return len(h.sockets)
}

// subscribers counts subscriptions to logs, by socket.
func (h *hub) subscribers() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, sub := range h.subs {
		if !sub.slots {
			n += len(sub.sockets)
		}
	}
	return n
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
