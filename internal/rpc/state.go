package rpc

import (
	"sync"
	"time"
)

// State is what /status shows of a stream.
type State struct {
	Connected  bool      // Up
	Since      time.Time // when it became so; of a stream that was never up: when it was made
	Reconnects uint64    // times it came up again after an end
	Failures   int       // ends in a row without being up in between; 0 while connected
	LastReason Reason    // of the last end; empty if there was none
	LastError  string    // of the last end, secrets struck out
	LastEnd    time.Time
}

// State gives a consistent copy.
func (s *Stream) State() State {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	return s.state.State
}

// stateBox guards State.
type stateBox struct {
	mu sync.Mutex
	State
	wasUp bool
}

func (b *stateBox) set(change func(*State)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(&b.State)
}

// up says whether this is a reconnect.
func (b *stateBox) up(at time.Time) (again bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	again = b.wasUp
	b.wasUp = true
	b.Connected, b.Since, b.Failures = true, at, 0
	if again {
		b.Reconnects++
	}
	return again
}

func (b *stateBox) down(e End) {
	b.set(func(st *State) {
		now := time.Now()
		if st.Connected {
			st.Connected, st.Since = false, now
		}
		st.Failures++
		st.LastReason, st.LastEnd, st.LastError = e.Reason, now, ""
		if e.Err != nil {
			st.LastError = e.Err.Error()
		}
	})
}
