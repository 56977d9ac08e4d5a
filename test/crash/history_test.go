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

// firstSlot is where a simulated chain begins.
const firstSlot = 250_000_000

// History that is read in pages beside a daemon is whole in the end, whenever whoever
// reads it is killed: with a page decided and not sent, with the page committed and
// nobody told, and between the two turns of a page whose logs were cut.
func TestBackfillIsKilled(t *testing.T) {
	want := reference(t, pointGames)
	for _, p := range []store.CrashPoint{store.CrashSending, store.CrashCommitted} {
		for n := 1; n <= 4; n++ {
			t.Run(fmt.Sprintf("%s:%d", p, n), func(t *testing.T) {
				t.Parallel()
				must(t, backfillKilled(t, want, p, n))
			})
		}
	}
}

// backfillKilled lets a backfill die at a point, runs it again and compares.
func backfillKilled(t *testing.T, want string, p store.CrashPoint, times int) error {
	t.Helper()
	n := newNode(t, chainConfig(pointGames))
	must(t, n.finish(t.Context()))
	n.play(t.Context())
	n.chain.Faults.Pages(150)
	dsn := pgtest.URL(t)
	d, err := newDaemon(bin, t.TempDir(), n, "--database-url", dsn, "--from", "now")
	must(t, err)
	must(t, d.start())
	t.Cleanup(func() { _ = d.kill() })
	if err := d.catchUp(t.Context(), n); err != nil {
		return err
	}
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
