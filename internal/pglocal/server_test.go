package pglocal

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestDataOutlivesTheServer(t *testing.T) {
	dir := filepath.Join(openDir(t), "made", "by Start, it's odd") // neither exists
	first := run(t, Options{Dir: dir})
	mark(t, first)
	if first.Err() != nil {
		t.Errorf("while it runs: %v", first.Err())
	}
	stop(t, first)
	<-first.Done()
	if first.Err() != nil {
		t.Errorf("after a clean stop: %v", first.Err())
	}
	if exists(first.sockets) {
		t.Errorf("%s is left behind", first.sockets)
	}

	second := run(t, Options{Dir: dir})
	checkMark(t, second)
	if first.URL("kept") != second.URL("kept") {
		t.Errorf("the address changed from %s to %s", first.URL("kept"), second.URL("kept"))
	}
	check(t, second.CreateDatabase(within(t), "kept")) // it exists
	checkMark(t, second)
}

func TestStopTwice(t *testing.T) {
	s := run(t, Options{Dir: clusterDir(t)})
	results := make(chan error)
	for range 3 {
		go func() { results <- s.Stop(context.Background()) }()
	}
	for range 3 {
		check(t, <-results)
	}
	stop(t, s)
}

// A long folder would not fit into a socket's address.
func TestLongFolder(t *testing.T) {
	dir := filepath.Join(openDir(t), strings.Repeat("long", 40), strings.Repeat("path", 40))
	s := run(t, Options{Dir: dir})
	mark(t, s)
	checkMark(t, s)
}

func TestDatabaseNames(t *testing.T) {
	s := run(t, Options{Dir: clusterDir(t)})
	for _, name := range []string{"plain", "Mixed Case", `qu"ote'd`, "per%cent/slash?", "ünï"} {
		check(t, s.CreateDatabase(within(t), name))
		if got := query(t, s.URL(name), `select current_database()`); got != name {
			t.Errorf("%s leads to database %q, not %q", s.URL(name), got, name)
		}
	}
	if err := s.CreateDatabase(within(t), ""); err == nil {
		t.Error("a database without a name was made")
	}
}

func TestCreateDatabaseAtOnce(t *testing.T) {
	s := run(t, Options{Dir: clusterDir(t)})
	results := make(chan error)
	const n = 8
	for range n {
		go func() { results <- s.CreateDatabase(context.Background(), "one") }()
	}
	for range n {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}

func TestPsqlCommandWorks(t *testing.T) {
	s := run(t, Options{Dir: clusterDir(t)})
	mark(t, s)
	line := s.PsqlCommand("kept") + ` --no-psqlrc --tuples-only --no-align --command 'select value from mark'`
	out, err := exec.Command("sh", "-c", line).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "here" {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	if strings.Contains(line, "://") {
		t.Errorf("%s: a log would hide the user of a URL", line)
	}
	const odd = `Mixed it's "odd"`
	check(t, s.CreateDatabase(within(t), odd))
	line = s.PsqlCommand(odd) + ` --no-psqlrc --tuples-only --no-align --command 'select current_database()'`
	out, err = exec.Command("sh", "-c", line).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != odd {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

func TestSettings(t *testing.T) {
	s := run(t, Options{Dir: clusterDir(t), Settings: map[string]string{"work_mem": "12345kB", "fsync": "on"}})
	for name, want := range map[string]string{
		"work_mem": "12345kB", "fsync": "on", "full_page_writes": "off",
		"server_encoding": "UTF8", "lc_collate": "C", "data_checksums": "on", "timezone": "UTC",
		"listen_addresses": "", "unix_socket_permissions": "0700",
	} {
		if got := query(t, s.URL("postgres"), "show "+name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
}

func TestSafeByDefault(t *testing.T) {
	s, err := Start(within(t), Options{Dir: openDir(t)})
	check(t, err)
	defer stop(t, s)
	for _, name := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		if got := query(t, s.URL("postgres"), "show "+name); got != "on" {
			t.Errorf("%s = %s", name, got)
		}
	}
}

func TestSettingsThatCannotBeGiven(t *testing.T) {
	dir := clusterDir(t)
	for _, name := range []string{"listen_addresses", "port", "unix_socket_directories"} {
		_, err := Start(within(t), Options{Dir: dir, NoFsync: true, Settings: map[string]string{name: "1"}})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	run(t, Options{Dir: dir}) // nothing is left locked or running
}

func TestServerThatCannotStart(t *testing.T) {
	dir := clusterDir(t)
	_, err := Start(within(t), Options{Dir: dir, NoFsync: true, Settings: map[string]string{"no_such_setting": "1"}})
	if err == nil || !strings.Contains(err.Error(), `unrecognized configuration parameter "no_such_setting"`) {
		t.Fatalf("the error does not carry the server's own words: %v", err)
	}
	run(t, Options{Dir: dir})
}

func TestEnvironmentStaysOut(t *testing.T) {
	for name, value := range map[string]string{
		"PGHOST": "192.0.2.1", "PGPORT": "1", "PGUSER": "nobody", "PGDATABASE": "none", "PGDATA": "/nowhere",
		"PGOPTIONS": "-c work_mem=77kB", "MINESAUDIT_RPC_URL": "secret",
	} {
		t.Setenv(name, value)
	}
	s := run(t, Options{Dir: clusterDir(t)})
	mark(t, s)
	pid, ok := postmasterPID(s.data)
	if !ok {
		t.Fatal("no postmaster.pid")
	}
	ps, err := exec.Command("ps", "eww", "-o", "command", "-p", strconv.Itoa(pid)).Output()
	check(t, err)
	if strings.Contains(string(ps), "secret") || strings.Contains(string(ps), "PGDATA=") {
		t.Errorf("the server got the daemon's environment: %s", ps)
	}
}

func TestServerDies(t *testing.T) {
	dir := clusterDir(t)
	s := run(t, Options{Dir: dir})
	mark(t, s)
	check(t, s.process.cmd.Process.Kill())
	<-s.Done()
	err := s.Err()
	if err == nil {
		t.Fatal("Err hides that the server died")
	}
	for _, want := range []string{"signal: killed", "ready to accept connections"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("Err does not say %q: %v", want, err)
		}
	}
	if _, err := Start(within(t), Options{Dir: dir}); !errors.Is(err, ErrInUse) {
		t.Errorf("before Stop the folder is ours, but: %v", err)
	}
	if err := s.Stop(within(t)); err == nil {
		t.Error("Stop hides that the server died")
	}
	if after := s.Err(); after.Error() != err.Error() {
		t.Errorf("after Stop the error is another one: %v", after)
	}
	checkMark(t, run(t, Options{Dir: dir}))
}

func TestStopCutShort(t *testing.T) {
	dir := clusterDir(t)
	s := run(t, Options{Dir: dir})
	mark(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Stop(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("unexpected error: %v", err)
	}
	select {
	case <-s.Done():
	default:
		t.Fatal("the server outlived Stop")
	}
	checkMark(t, run(t, Options{Dir: dir}))
}

func TestStopWithClients(t *testing.T) {
	s := run(t, Options{Dir: clusterDir(t)})
	conn, err := pgx.Connect(within(t), s.URL("postgres"))
	check(t, err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(within(t), `begin`)
	check(t, err)
	stop(t, s)
	if err := conn.Ping(within(t)); err == nil {
		t.Error("the connection outlived the server")
	}
}
