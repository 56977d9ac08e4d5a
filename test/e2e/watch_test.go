//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"minesaudit/internal/pglocal/pgtest"
)

// watched is a daemon at work, and the address of its record.
type watched struct {
	*Daemon
	database string
}

// watch starts a daemon for each program and waits until all follow. Those named in private keep their
// record in a private server, the others in a database of the test's.
func (s *Stage) watch(t *testing.T, bin, dir string, private ...string) map[string]watched {
	t.Helper()
	all := map[string]watched{}
	for name, program := range s.Programs() {
		w := Watch{Name: name, Program: program, Operator: s.Operator, Node: s.Node}
		if slices.Contains(private, name) {
			w.DataDir = dataDir(t)
		} else {
			w.Database = pgtest.URL(t)
		}
		d, err := StartDaemon(bin, dir, w)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.End(syscall.SIGKILL) })
		all[name] = watched{d, w.Database}
	}
	for name, w := range all {
		if err := w.Await(t.Context(), "it follows", time.Minute, Following); err != nil {
			t.Fatal(err)
		}
		if w.database == "" {
			var err error
			if w.database, err = w.Embedded(); err != nil {
				t.Fatal(err)
			}
			all[name] = w
		}
	}
	return all
}

// dataDir is a folder that others than root can reach: as root, a private server runs as another user.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "minesaudit-e2e-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "data")
}

// compareDaemon waits until a daemon's record is complete and holds everything that the daemon says
// against the truth. Counters are looked at if it has run since the first game.
func compareDaemon(t *testing.T, d watched, ledger *Ledger, counters bool) {
	t.Helper()
	complete(t, d.Daemon, ledger)
	record, err := ReadRecord(t.Context(), d.database)
	if err != nil {
		t.Fatal(err)
	}
	Compare(t, record, ledger.Games())
	totals := Total(ledger, record)
	CompareRates(t.Context(), t, d.database, totals)
	CompareStatus(t.Context(), t, d.Daemon, totals)
	if counters {
		CompareMetrics(t.Context(), t, d.Daemon, totals)
	}
}

// complete waits until everything that happened is in a daemon's record.
func complete(t *testing.T, d *Daemon, ledger *Ledger) {
	t.Helper()
	last := ledger.LastSlot()
	err := d.Await(t.Context(), fmt.Sprintf("slot %d is in the record", last), time.Minute, func(s Status) bool {
		return s.FrontierSlot != nil && *s.FrontierSlot >= last
	})
	if err != nil {
		t.Fatal(err)
	}
}

func endDaemon(t *testing.T, d watched) {
	t.Helper()
	if err := d.End(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}
