package ingest

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"minesaudit/internal/store"
)

// state is what the daemon shows of itself. Nothing is decided by it but the
// slots, which only rise.
type state struct {
	began  time.Time
	turned atomic.Int64 // nanoseconds from began to the main loop's last turn, whatever the wall clock was set to

	mu           sync.Mutex
	waits        bool   // another daemon leads
	askedNode    string // while it waits, the node asked last
	isBound      bool
	watch        store.Watch
	headSlot     uint64
	frontierAt   int64
	advancedAt   time.Time
	reconciledAt time.Time
	walkSlot     uint64 // slot that a long pass has reached; 0 = none under way
	gapOpen      bool
	dbFault      fault
	nodeFault    fault
	streamFault  fault
	progressAt   time.Time // the frontier moved, or a page of history was stored; at first the start
	clock        slotClock
}

func newState() *state {
	now := time.Now()
	return &state{began: now, frontierAt: -1, progressAt: now, clock: newSlotClock()}
}

// beat says that the main loop has turned.
func (s *state) beat() { s.turned.Store(int64(time.Since(s.began))) }

// turnedAt is when the main loop last turned. It has began's monotonic reading, so that
// time.Since of it is the time that has passed.
func (s *state) turnedAt() time.Time { return s.began.Add(time.Duration(s.turned.Load())) }

func (s *state) database(err error) notice     { return s.fault(&s.dbFault, err) }
func (s *state) node(err error) notice         { return s.fault(&s.nodeFault, err) }
func (s *state) subscription(err error) notice { return s.fault(&s.streamFault, err) }

func (s *state) fault(f *fault, err error) notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	return f.set(err, time.Now())
}

// standsBy notes whether another daemon leads, and reports whether that is news.
func (s *state) standsBy(yes bool) (news bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	news = yes && !s.waits
	s.waits = yes
	return news
}

// leads reports whether this daemon is the one that writes.
func (s *state) leads() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isBound && !s.waits
}

// neverDown reports whether no subscription has ended yet.
func (s *state) neverDown() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streamFault.since.IsZero()
}

func (s *state) bound(w store.Watch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isBound, s.watch, s.frontierAt = true, w, w.Frontier
	s.headSlot = max(s.headSlot, uint64(max(w.Head, 0)))
}

func (s *state) boundTo() (store.Watch, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watch, s.isBound
}

// heard raises the head.
func (s *state) heard(slot uint64) {
	if slot > math.MaxInt64 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if slot > s.headSlot {
		s.headSlot = slot
		s.clock.saw(slot, time.Now())
	}
}

func (s *state) head() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.headSlot
}

// reconciled notes the end of a good pass.
func (s *state) reconciled() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reconciledAt = time.Now()
}

func (s *state) advanced(frontier int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frontierAt, s.advancedAt, s.walkSlot = frontier, time.Now(), 0
	s.progressAt = s.advancedAt
}

// resumed sets the frontier of a record that is bound, and reports whether it
// was another one.
func (s *state) resumed(frontier int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isBound || s.frontierAt == frontier {
		return false
	}
	s.frontierAt = frontier
	return true
}

func (s *state) frontier() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frontierAt
}

// frontierSlot is the frontier as a slot, 0 where there is none.
func (s *state) frontierSlot() uint64 { return uint64(max(s.frontier(), 0)) }

func (s *state) auditedFrom() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watch.AuditedFrom
}

// begins moves the beginning of the audit up, with nothing covered yet.
func (s *state) begins(slot int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watch.AuditedFrom, s.frontierAt = slot, slot-1
}

func (s *state) walking(slot uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.walkSlot, s.progressAt = slot, time.Now()
}

// progressed is when the record last came further.
func (s *state) progressed() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.progressAt
}

// works reports whether the latest outcomes of node and database were good.
func (s *state) works() (node, database bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nodeFault.err == nil, s.dbFault.err == nil
}

func (s *state) setGapOpen(open bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gapOpen = open
}

func (s *state) isGapOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gapOpen
}

// lagSeconds estimates the age of the frontier.
func (s *state) lagSeconds() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return float64(max(int64(s.headSlot)-s.frontierAt, 0)) * s.clock.slotSeconds()
}
