package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"minesaudit/internal/pglocal/pgtest"
)

// healthy polls a health check until it ends with a code.
func healthy(t *testing.T, code int, args ...string) string {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		got, stdout, stderr := indexer(append([]string{"healthcheck"}, args...)...)
		if got == code {
			return stdout + stderr
		}
		if time.Now().After(deadline) {
			t.Fatalf("healthcheck %v ends with %d, not %d: %s%s", args, got, code, stdout, stderr)
		}
	}
}

// Ready follows the database, live does not care, and the daemon needs no
// restart when the database is back.
func TestHealthFollowsTheDatabase(t *testing.T) {
	withoutEnv(t)
	dir := pgtest.Dir(t)
	server := pgtest.ServerIn(t, dir)
	if err := server.CreateDatabase(t.Context(), "audit"); err != nil {
		t.Fatal(err)
	}
	env, args := secrets{rpc: goodNode(t), db: server.URL("audit")}.deliver(t, "env")
	c := spawn(t, "indexer", env, runArgs(t, args...)...)
	c.await(t, "listening")
	listen := strings.TrimPrefix(listening.FindString(c.text()), "http://")

	if said := healthy(t, exitGood, "--listen", listen); said != "ok\n" {
		t.Errorf("well: %q", said)
	}
	stopping, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := server.Stop(stopping); err != nil {
		t.Fatal(err)
	}
	if said := healthy(t, exitUnavailable, "--listen", listen); !strings.Contains(said, "/readyz: ") {
		t.Errorf("without a database: %q", said)
	}
	if code, stdout, stderr := indexer("healthcheck", "--live", "--listen", listen); code != exitGood {
		t.Errorf("not live without a database: %d %s%s", code, stdout, stderr)
	}
	pgtest.ServerIn(t, dir)
	healthy(t, exitGood, "--listen", listen)

	var status struct {
		State    string
		Database struct{ OK bool }
	}
	resp, err := http.Get("http://" + listen + "/status")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if err := json.NewDecoder(resp.Body).Decode(&status); err != nil || status.State == "" {
		t.Errorf("/status: %+v, %v", status, err)
	}
	if code := c.stop(t); code != exitGood {
		t.Errorf("exit code %d:\n%s", code, c.text())
	}
	if code, _, stderr := indexer("healthcheck", "--listen", listen); code != exitUnavailable || !strings.Contains(stderr, "no daemon answers") {
		t.Errorf("without a daemon: %d %s", code, stderr)
	}
}

func TestHealthcheckArguments(t *testing.T) {
	withoutEnv(t)
	if code, _, stderr := indexer("healthcheck", "--listen", "9477"); code != exitUsage || !strings.Contains(stderr, "give HOST:PORT") {
		t.Errorf("no host: %d %s", code, stderr)
	}
	if code, _, _ := indexer("healthcheck", "--timeout", "soon"); code != exitUsage {
		t.Errorf("no duration: %d", code)
	}
}

func TestProfilesElsewhereAreRefused(t *testing.T) {
	withoutEnv(t)
	code, _, stderr := indexer("run", "--pprof", "--listen", "0.0.0.0:0", "--rpc-url", "http://127.0.0.1:1", "--program", newChain(t).Program())
	if code != exitUsage || !strings.Contains(stderr, "--pprof") {
		t.Errorf("%d %s", code, stderr)
	}
}
