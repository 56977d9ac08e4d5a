package ingest

import (
	"errors"
	"testing"

	"minesaudit/internal/store"
)

// Of several daemons on one database one leads. When it is gone another goes on
// where it ended, with nothing lost or doubled.
func TestAStandbyTakesOver(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(200, "all"))
	first := watch(t, n, database(t))
	first.until(t, "the first leads", func(Status) bool { return first.state.leads() })
	second := watch(t, n, first.dsn)
	n.play(t)
	second.until(t, "the second stands by", func(s Status) bool { return s.State == "standby" })
	first.until(t, "the first has come some way", func(s Status) bool { return s.Confirmed["pass"]+s.Games["pass"] > 40 })
	if second.state.leads() {
		t.Error("two lead")
	}
	first.stop(t)
	second.until(t, "the second leads", func(s Status) bool { return s.State == "following" || s.State == "reading_history" })
	second.catchUp(t, n)
	agree(t, n, second.dsn)
}

// A leader that lost its session to another daemon ends, and says why: it is for
// its caller to have it stand by.
func TestADeposedLeaderEnds(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(100, ""))
	first := watch(t, n, database(t))
	n.play(t)
	first.until(t, "the first follows", func(s Status) bool { return s.FrontierSlot != nil })
	second := watch(t, n, first.dsn)
	second.until(t, "the second stands by", func(s Status) bool { return s.State == "standby" })

	first.turn <- struct{}{} // it does nothing meanwhile, as if it were stopped
	cutOff(t, first.dsn)
	second.until(t, "the second leads", func(s Status) bool { return s.State == "following" })
	<-first.turn
	if err := first.wait(t); !errors.Is(err, store.ErrLocked) {
		t.Errorf("the first ended with %v, want ErrLocked", err)
	}
	second.catchUp(t, n)
	agree(t, n, second.dsn)
}
