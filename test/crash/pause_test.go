//go:build crash

package crash

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/store"
)

const pauseGames = 240

// A daemon that was stopped in its tracks is taken for gone by the one that stands
// by: that leads within seconds, and the first writes nothing when it goes on.
func TestAPausedDaemonDoesNotWriteOn(t *testing.T) {
	t.Parallel()
	must(t, replacePaused(t, reference(t, pauseGames)))
}

// Without lock and epoch it would, and must be found out.
func TestAPausedDaemonThatWritesOnIsFound(t *testing.T) {
	t.Parallel()
	err := replacePaused(t, reference(t, pauseGames), weak(store.WeakNoFence))
	found(t, err, errWritesOn)
}

// replacePaused pauses a daemon, lets a second one take its database over and
// wakes the first up again. Env is the first one's.
func replacePaused(t *testing.T, want string, env ...string) error {
	t.Helper()
	ctx := t.Context()
	n := newNode(t, chainConfig(pauseGames))
	n.play(ctx)
	dsn := pgtest.URL(t)
	first, err := newDaemon(bin, t.TempDir(), n, "--database-url", dsn)
	must(t, err)
	must(t, first.start(env...))
	t.Cleanup(func() { _ = first.kill() })
	if err := first.until(ctx, "it follows", func(s status) bool { return s.FrontierSlot != nil }); err != nil {
		return err
	}
	if len(env) > 0 { // one that takes no lock keeps nobody waiting
		first.signal(syscall.SIGSTOP)
		if err := endSessions(ctx, dsn); err != nil {
			return err
		}
	}
	second := started(t, n, "--database-url", dsn)
	if len(env) == 0 {
		if err := second.until(ctx, "the second one stands by", func(s status) bool { return s.State == "standby" }); err != nil {
			return err
		}
		first.signal(syscall.SIGSTOP)
	}
	var at int64
	err = second.until(ctx, "the second one has taken over", func(s status) bool {
		if s.State == "standby" || s.FrontierSlot == nil || !s.Database.OK {
			return false
		}
		if at == 0 {
			at = *s.FrontierSlot
		}
		return *s.FrontierSlot > at
	})
	if err != nil {
		return err
	}
	first.signal(syscall.SIGCONT)
	if err := first.gives(ctx, at); err != nil {
		return err
	}
	if err := second.catchUp(ctx, n); err != nil {
		return err
	}
	if err := second.stop(); err != nil {
		return err
	}
	return compare(t, want, dsn)
}

var errWritesOn = errors.New("the replaced daemon writes on")

// gives waits until the daemon stands by. It must not get beyond the frontier at
// which it was replaced.
func (d *daemon) gives(ctx context.Context, frontier int64) error {
	return poll(ctx, func() (bool, error) {
		if d.ended() {
			return false, fmt.Errorf("the replaced daemon ended\n%s", tail(d.log))
		}
		s, err := d.status(ctx)
		if err == nil && s.State != "standby" && s.Database.OK && s.FrontierSlot != nil && *s.FrontierSlot > frontier {
			return false, errWritesOn
		}
		return err == nil && s.State == "standby", nil
	})
}
