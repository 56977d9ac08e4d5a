//go:build crash

package crash

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/store"
)

// History that is read in pages beside a daemon is whole in the end, whenever whoever
// reads it is killed: with a page decided and not sent, with the page committed and
// nobody told, and between the two turns of a page whose logs were cut.
func TestBackfillIsKilled(t *testing.T) {
	want := reference(t, pointGames)
	for _, p := range workerPoints() {
		for n := 1; n <= 4; n++ {
			t.Run(fmt.Sprintf("%s:%d", p, n), func(t *testing.T) {
				t.Parallel()
				must(t, backfillKilled(t, want, p, n))
			})
		}
	}
}

// workerPoints are those that whoever reads pages comes by.
func workerPoints() []store.CrashPoint {
	return []store.CrashPoint{store.CrashSending, store.CrashCommitted}
}

// The same of a worker that was killed, and whose pages another one takes up.
func TestAWorkerIsKilled(t *testing.T) {
	want := reference(t, pointGames)
	for _, p := range workerPoints() {
		for n := 1; n <= 2; n++ {
			t.Run(fmt.Sprintf("%s:%d", p, n), func(t *testing.T) {
				t.Parallel()
				must(t, workerKilled(t, want, p, n))
			})
		}
	}
}

// workerKilled plans history for workers, lets one die at a point, starts another and
// compares.
func workerKilled(t *testing.T, want string, p store.CrashPoint, times int) error {
	t.Helper()
	ctx := t.Context()
	n, d, dsn := historyAhead(t)
	planner, err := newPlanner(bin, t.TempDir(), n, dsn)
	must(t, err)
	must(t, planner.start())
	if code, by, err := planner.wait(); err != nil || code != 0 {
		return fmt.Errorf("planning exited with %d (%v): %w\n%s", code, by, err, tail(planner.log))
	}
	worker, err := newWorker(bin, t.TempDir(), n, dsn)
	must(t, err)
	must(t, worker.start(crashAt(p, times)))
	t.Cleanup(func() { _ = worker.kill() })
	if code, by, err := worker.wait(); err != nil || by != syscall.SIGKILL {
		return fmt.Errorf("the worker exited with %d (%v, %w) instead of dying at %s\n%s", code, by, err, p, tail(worker.log))
	}
	must(t, worker.start())
	err = poll(ctx, func() (bool, error) {
		left, err := count(ctx, dsn, unread, firstSlot)
		return left == 0, err
	})
	if err != nil {
		return fmt.Errorf("the second worker: %w\n%s", err, tail(worker.log))
	}
	for _, p := range []*program{worker, d.program} {
		if err := p.stop(); err != nil {
			return err
		}
	}
	return compare(t, want, dsn)
}

// historyAhead serves a chain whose games are over, and has a daemon follow it from now
// on: all is for others to read, in more than one page.
func historyAhead(t *testing.T) (*node, *daemon, string) {
	t.Helper()
	n := newNode(t, chainConfig(pointGames))
	must(t, n.finish(t.Context()))
	n.play(t.Context())
	n.chain.Faults.Pages(150)
	dsn := pgtest.URL(t)
	d := started(t, n, "--database-url", dsn, "--from", "now")
	must(t, d.catchUp(t.Context(), n))
	return n, d, dsn
}

// backfillKilled lets a backfill die at a point, runs it again and compares.
func backfillKilled(t *testing.T, want string, p store.CrashPoint, times int) error {
	t.Helper()
	n, d, dsn := historyAhead(t)
	code, by, err := backfill(t, n, dsn, crashAt(p, times))
	if err != nil || by != syscall.SIGKILL {
		return fmt.Errorf("the backfill exited with %d (%v, %w) instead of dying at %s", code, by, err, p)
	}
	if code, by, err = backfill(t, n, dsn); err != nil || code != 0 {
		return fmt.Errorf("the second backfill exited with %d (%v): %w", code, by, err)
	}
	if err := d.stop(); err != nil {
		return err
	}
	return compare(t, want, dsn)
}

// backfill reads all of the chain's history and gives how it ended.
func backfill(t *testing.T, n *node, dsn string, env ...string) (code int, by syscall.Signal, err error) {
	t.Helper()
	cmd := exec.Command(bin, "backfill", "--database-url", dsn, "--rpc-url", n.RPCURL, "--from-slot", strconv.Itoa(firstSlot))
	cmd.Env = append(os.Environ(), env...)
	p, err := startProcess(cmd, filepath.Join(t.TempDir(), "backfill.log"))
	if err != nil {
		return 0, 0, err
	}
	t.Cleanup(func() { p.signal(syscall.SIGKILL) })
	if code, by, err = p.wait(); err == nil && by == 0 && code != 0 {
		err = fmt.Errorf("its log ends with %s", p.log())
	}
	return code, by, err
}
