//go:build crash

package crash

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store/storetest"
)

// bin is the binary under test, built once.
var bin string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "crash-")
	if err == nil {
		defer os.RemoveAll(dir)
		bin, err = build(context.Background(), dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := pgtest.Main(m)
	if chaos.rounds > 0 {
		fmt.Println(chaos.String())
	}
	return code
}

// references are the contents that undisturbed daemons recorded, by chain.
var references struct {
	sync.Mutex
	byChain map[string]string
}

// reference gives the content of an undisturbed run.
func reference(t *testing.T, games int) string {
	t.Helper()
	return referenceOf(t, strconv.Itoa(games), func() *node { return newNode(t, chainConfig(games)) })
}

// referenceOf gives the content of an undisturbed run on a chain, by the chain's name.
func referenceOf(t *testing.T, name string, chain func() *node) string {
	t.Helper()
	references.Lock()
	defer references.Unlock()
	if content, ok := references.byChain[name]; ok {
		return content
	}
	n := chain()
	must(t, n.finish(t.Context()))
	n.play(t.Context())
	dsn := pgtest.URL(t)
	d := started(t, n, "--database-url", dsn)
	must(t, d.catchUp(t.Context(), n))
	must(t, d.stop())
	content := storetest.Content(t, dsn)
	must(t, compare(t, content, dsn))
	if references.byChain == nil {
		references.byChain = map[string]string{}
	}
	references.byChain[name] = content
	return content
}

// newNode serves a chain until the test ends.
func newNode(t *testing.T, cfg simchain.Config) *node {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	n, err := serve(ctx, cfg)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		n.Close()
	})
	return n
}

// started starts a daemon that does not outlive the test.
func started(t *testing.T, n *node, database ...string) *daemon {
	t.Helper()
	d, err := newDaemon(bin, t.TempDir(), n, database...)
	must(t, err)
	must(t, d.start())
	t.Cleanup(func() { _ = d.kill() })
	return d
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// found fails the test unless a weakness was found out, for the right reason.
func found(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("a defence was off, and what came of it is: %v; want: %v", err, want)
	}
	t.Log("found out:", err)
}

// full tells a run that has time from one for every change.
func full() bool { return os.Getenv("CRASH_ROUNDS") != "" }

// rounds is how many random moments are tried.
func rounds(t *testing.T, short int) int {
	t.Helper()
	text := os.Getenv("CRASH_ROUNDS")
	if text == "" {
		return short
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("CRASH_ROUNDS is %q: give a number of kills", text)
	}
	return n
}

// seed is of a run's random choices; it is printed where the run fails.
func seed(t *testing.T) uint64 {
	t.Helper()
	s := uint64(time.Now().UnixNano())
	if os.Getenv("CRASH_SEED") != "" {
		s = seedOf(t)
	}
	t.Logf("CRASH_SEED=%d repeats the choices of this run", s)
	return s
}

// seedOf is the seed that CRASH_SEED names.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv("CRASH_SEED")
	s, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("CRASH_SEED is %q: %v", text, err)
	}
	return s
}
