package store

import (
	"context"
	"testing"
	"time"
)

// A leader is silent if nothing was heard of its session between two looks that are
// far enough apart, by the clock of who looks. When it last spoke by the server's
// clock does not matter.
func TestALeaderIsSilentByTheClockOfWhoLooks(t *testing.T) {
	t.Parallel()
	s, leader := boundStore(t)
	other, _, err := s.OpenWorker(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close(context.Background()) })
	var last sighting
	look := func(what string, want bool) {
		t.Helper()
		ended, err := other.endSilent(bounded(t), &last)
		if err != nil || ended != want {
			t.Fatalf("%s: the leader's session is ended: %v (%v), want %v", what, ended, err, want)
		}
	}
	long := func() { last.since = last.since.Add(-silentFor - time.Second) }

	look("seen for the first time", false)
	if last.pid == 0 {
		t.Fatal("the leader's session was not seen")
	}
	look("seen again", false)
	long()
	if err := leader.Beat(bounded(t)); err != nil {
		t.Fatal(err)
	}
	look("heard of meanwhile", false)
	long()
	look("not heard of for long", true)
	if err := leader.Beat(bounded(t)); err == nil {
		t.Error("the leader whose session was ended goes on")
	}
	look("gone", false)
}
