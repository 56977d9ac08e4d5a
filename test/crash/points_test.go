//go:build crash

package crash

import (
	"fmt"
	"syscall"
	"testing"

	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/store"
)

const pointGames = 320

// Every named point is passed, kills the daemon, and leaves nothing that the
// next start does not mend: in history that is read at once, and while games
// are played.
func TestCrashPoints(t *testing.T) {
	want := reference(t, pointGames)
	for _, p := range store.CrashPoints() {
		for _, live := range []bool{false, true} {
			if live && (p == store.CrashFrontierChunk || !full()) {
				continue // too little is undecided at once; or too long for every change
			}
			name := fmt.Sprintf("%s/live=%v", p, live)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				must(t, crashOnce(t, want, p, live))
			})
		}
	}
}

// A program that moved its frontier before the rows must be found out.
func TestCrashPointsFindAFrontierAheadOfItsRows(t *testing.T) {
	want := reference(t, pointGames)
	found(t, crashOnce(t, want, store.CrashAdvancing, false, weak(store.WeakFrontierFirst)), errDiffers)
}

// crashOnce lets a daemon die at a point, starts it again and compares what it
// has recorded in the end. Env is for the start that dies.
func crashOnce(t *testing.T, want string, p store.CrashPoint, live bool, env ...string) error {
	t.Helper()
	n := newNode(t, chainConfig(pointGames))
	if !live {
		must(t, n.finish(t.Context()))
	}
	n.disturb(t.Context())
	n.play(t.Context())
	dsn := pgtest.URL(t)
	d, err := newDaemon(bin, t.TempDir(), n, "--database-url", dsn)
	must(t, err)
	must(t, d.start(append(env, crashAt(p, 1+passes(p)))...))
	t.Cleanup(func() { _ = d.kill() })
	if p == store.CrashLeaving {
		if err := d.catchUp(t.Context(), n); err != nil {
			return err
		}
		d.signal(syscall.SIGTERM)
	}
	code, by, err := d.wait()
	if err != nil {
		return fmt.Errorf("point %s was never passed: %w", p, err)
	}
	if by != syscall.SIGKILL {
		return fmt.Errorf("the daemon exited with %d (%v) instead of dying at %s\n%s", code, by, p, tail(d.log))
	}
	if err := d.start(); err != nil {
		return err
	}
	if err := d.catchUp(t.Context(), n); err != nil {
		return err
	}
	if err := d.stop(); err != nil {
		return err
	}
	return compare(t, want, dsn)
}

// passes is how often a point is passed before the crash: some have something
// behind them by then.
func passes(p store.CrashPoint) int {
	switch p {
	case store.CrashSending, store.CrashCommitted, store.CrashPageStored, store.CrashPageCompared:
		return 2
	default:
		return 0
	}
}
