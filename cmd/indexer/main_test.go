package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"minesaudit/internal/config"
	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/store"
)

// childEnv makes the test binary be the indexer, whole or with a fault that
// only a test can ask for.
const childEnv = "INDEXER_TEST_CHILD"

func TestMain(m *testing.M) {
	switch mode := os.Getenv(childEnv); mode {
	case "":
		os.Exit(pgtest.Main(m))
	case "indexer":
		main()
	default:
		os.Exit(faultyChild(mode))
	}
}

// faultyChild is run, with a redactor that knows nothing ("ignorant"), or with
// a listener to verdicts that panics in the daemon's goroutine while secrets
// are on its stack ("panicking").
func faultyChild(mode string) int {
	var c struct {
		config.Config `embed:""`
	}
	if _, err := kong.Must(&c, kong.Resolvers(config.NewResolver(os.LookupEnv))).Parse(os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitUsage
	}
	settings, err := c.Check()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitUsage
	}
	redactor := settings.Redactor()
	var listener func(*store.Game, *store.Verdict)
	if mode == "ignorant" {
		redactor = config.NewRedactor()
	} else {
		listener = func(*store.Game, *store.Verdict) { countKeys(settings.RPCURL, settings.DatabaseURL.Reveal(), nil) }
	}
	log := newLog(os.Stderr, settings, redactor)
	w, err := newWatcher(settings, settings.DatabaseURL.Reveal(), redactor, log, listener)
	if err == nil {
		log.Info("listening " + w.server.URL())
		err = w.run(context.Background())
	}
	fmt.Fprintln(os.Stderr, redactor.Error(err))
	return exitUnavailable
}

// countKeys writes to a nil map: a panic of the runtime's.
//
//go:noinline
func countKeys(key config.Secret, dsn string, counts map[string]int) {
	counts[key.Reveal()] = len(dsn)
}

// child is a process under test.
type child struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended

	mu     sync.Mutex
	output bytes.Buffer // stdout and stderr
}

func (c *child) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.output.Write(p)
}

func (c *child) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.output.String()
}

// patience bounds every wait, for a machine under heavy load.
const patience = 2 * time.Minute

// spawn starts the indexer with these variables and no others of ours.
func spawn(t *testing.T, mode string, env map[string]string, args ...string) *child {
	t.Helper()
	c := &child{cmd: exec.Command(os.Args[0], args...), done: make(chan struct{})}
	c.cmd.Env = []string{childEnv + "=" + mode}
	for _, setting := range os.Environ() {
		if !strings.HasPrefix(setting, config.EnvPrefix) && !strings.HasPrefix(setting, "PG") {
			c.cmd.Env = append(c.cmd.Env, setting)
		}
	}
	for name, value := range env {
		c.cmd.Env = append(c.cmd.Env, name+"="+value)
	}
	c.cmd.Stdout, c.cmd.Stderr = c, c
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _ = c.cmd.Wait(); close(c.done) }()
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		<-c.done
	})
	return c
}

// await returns when the output holds a text; false if the process ended first.
func (c *child) await(t *testing.T, text string) bool {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		ended := c.ended()
		switch {
		case strings.Contains(c.text(), text):
			return true
		case ended:
			return false
		case time.Now().After(deadline):
			t.Fatalf("no %q within %v in\n%s", text, patience, c.text())
		}
	}
}

func (c *child) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// stop asks it to end and returns the exit code.
func (c *child) stop(t *testing.T) int {
	t.Helper()
	_ = c.cmd.Process.Signal(syscall.SIGTERM)
	return c.wait(t)
}

func (c *child) wait(t *testing.T) int {
	t.Helper()
	select {
	case <-c.done:
	case <-time.After(patience):
		t.Fatalf("it does not end:\n%s", c.text())
	}
	return c.cmd.ProcessState.ExitCode()
}
