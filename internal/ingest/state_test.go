package ingest

import (
	"strings"
	"testing"
)

// How long the main loop has not turned must not be told by a clock that somebody may
// set: an hour forth, and a daemon that is well would be restarted.
func TestTheLastTurnIsOfTheMonotonicClock(t *testing.T) {
	t.Parallel()
	s := newState()
	s.beat()
	if turned := s.turnedAt().String(); !strings.Contains(turned, " m=") {
		t.Errorf("the last turn was at %s, a time of day alone", turned)
	}
}
