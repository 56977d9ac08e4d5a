// Package pgtest gives tests a real PostgreSQL: one server a test process,
// started by the first test that asks, and an empty database of its own for
// each test.
//
// A package that uses it ends the server in its TestMain:
//
//	func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }
//
// or, where leaked goroutines are looked for as well:
//
//	func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.M{M: m}) }
//
// A machine without PostgreSQL fails the tests; they are never skipped.
package pgtest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/pglocal"
)

// patience bounds each step on the server, for a machine under heavy load.
const patience = 2 * time.Minute

// shared is the server of this process. It cannot belong to a test, as it
// outlives each of them.
var shared struct {
	once   sync.Once
	server *pglocal.Server
	dir    string
	err    error
	names  atomic.Int64
}

// M runs tests as testing.M does and ends the server after them.
type M struct{ *testing.M }

// Run runs the tests and returns the exit code.
func (m M) Run() int {
	code := m.M.Run()
	if err := stopShared(); err != nil {
		fmt.Fprintln(os.Stderr, "pgtest: stopping the server:", err)
		return max(code, 1)
	}
	return code
}

// Main runs the tests of m, ends the server and returns the exit code.
func Main(m *testing.M) int { return M{m}.Run() }

// URL returns the address of a fresh, empty database for t, which is dropped
// when t is over, connections still open to it included.
func URL(t testing.TB) string {
	t.Helper()
	shared.once.Do(startShared)
	if shared.err != nil {
		t.Fatalf("pgtest: %v", shared.err)
	}
	name := fmt.Sprintf("test_%d", shared.names.Add(1))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := shared.server.CreateDatabase(ctx, name); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() { drop(t, name) })
	return shared.server.URL(name)
}

// Server returns a server of t's own, running and empty, for tests that
// restart or kill it. It is stopped when t is over; t may stop it before.
func Server(t testing.TB) *pglocal.Server {
	t.Helper()
	dir, err := openTempDir()
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return ServerIn(t, dir)
}

// ServerIn is Server with the data in dir, so that a second call after a Stop
// restarts the server on the same data and at the same address.
func ServerIn(t testing.TB, dir string) *pglocal.Server {
	t.Helper()
	s, err := startIn(dir)
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_ = s.Stop(ctx) // how it ended is for the test to judge
	})
	return s
}

// Dir returns a folder for ServerIn that is removed when t is over. It is
// not t.TempDir, which no other user may enter: under root the server is one.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := openTempDir()
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func startShared() {
	shared.dir, shared.err = openTempDir()
	if shared.err == nil {
		shared.server, shared.err = startIn(shared.dir)
	}
}

func stopShared() error {
	shared.once.Do(func() {}) // no start after this
	defer os.RemoveAll(shared.dir)
	if shared.server == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return shared.server.Stop(ctx)
}

func startIn(dir string) (*pglocal.Server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return pglocal.Start(ctx, pglocal.Options{
		Dir:     dir,
		NoFsync: true,
		Settings: map[string]string{
			"max_connections": "200", // parallel tests, a pool each
			"shared_buffers":  "32MB",
			"max_wal_size":    "256MB",
			"autovacuum":      "off", // no load of its own, and stable plans
		},
	})
}

func drop(t testing.TB, name string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, shared.server.URL("postgres"))
	if err != nil {
		t.Errorf("pgtest: dropping database %s: %v", name, err)
		return
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, `drop database `+pgx.Identifier{name}.Sanitize()+` with (force)`); err != nil {
		t.Errorf("pgtest: dropping database %s: %v", name, err)
	}
}

// openTempDir makes a folder that others may enter but not list.
func openTempDir() (string, error) {
	dir, err := os.MkdirTemp("", "pgtest-")
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o711)
}
