package pglocal

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"
)

const (
	// patience is for what has to happen; a test that needs it all has failed.
	patience = time.Minute
	// holdVar makes the test binary a daemon: it starts a server in the folder
	// named, says so, and stays until it is killed.
	holdVar = "PGLOCAL_TEST_HOLD"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdVar); dir != "" {
		hold(dir)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if template != "" {
			os.RemoveAll(template)
		}
		os.Exit(code)
	}))
}

func hold(dir string) {
	if _, err := Start(context.Background(), Options{Dir: dir, NoFsync: true}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin) // ends with the test, if nothing else does
	os.Exit(0)
}

// startHolder runs the test binary as a daemon on dir, without waiting for it
// to be ready: that is when it has written a line to its output.
func startHolder(t *testing.T, dir string) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holdVar+"="+dir)
	cmd.Stderr = os.Stderr
	output, err := cmd.StdoutPipe()
	check(t, err)
	stdin, err := cmd.StdinPipe()
	check(t, err)
	check(t, cmd.Start())
	t.Cleanup(func() {
		stdin.Close()
		_ = cmd.Process.Kill() // fails if the test has done so
		_ = cmd.Wait()
	})
	return cmd, output
}

func awaitHolder(t *testing.T, output io.Reader) {
	t.Helper()
	if _, err := io.ReadFull(output, make([]byte, len("ready\n"))); err != nil {
		t.Fatalf("the daemon did not start: %v", err)
	}
}

// openDir returns a new folder that the server's user may enter, which
// t.TempDir is not under root.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pglocal-")
	check(t, err)
	check(t, os.Chmod(dir, 0o711))
	t.Cleanup(func() {
		// The server of a killed daemon writes on until it has shut down.
		eventually(t, "the folder to be removable", func() bool { return os.RemoveAll(dir) == nil })
	})
	return dir
}

// template is a folder with a cluster in it, made by the first test that needs
// one: initdb is most of the time of a start.
var template string

// clusterDir is openDir with a new cluster in it.
func clusterDir(t *testing.T) string {
	t.Helper()
	if template == "" {
		dir, err := os.MkdirTemp("", "pglocal-template-")
		check(t, err)
		template = dir
		check(t, os.Chmod(dir, 0o711))
		s, err := Start(within(t), Options{Dir: dir, NoFsync: true})
		check(t, err)
		stop(t, s)
	}
	dir := openDir(t)
	if out, err := exec.Command("cp", "-a", filepath.Join(template, "data"), dir).CombinedOutput(); err != nil {
		t.Fatalf("copying a cluster: %v\n%s", err, out)
	}
	return dir
}

// run starts a server that is stopped when t is over, at the latest.
func run(t *testing.T, o Options) *Server {
	t.Helper()
	o.NoFsync = true
	s, err := Start(within(t), o)
	check(t, err)
	t.Cleanup(func() { _ = s.Stop(context.Background()) })
	return s
}

func stop(t *testing.T, s *Server) {
	t.Helper()
	check(t, s.Stop(within(t)))
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// query returns the one text value that sql yields.
func query(t *testing.T, url, sql string) string {
	t.Helper()
	ctx := within(t)
	conn, err := pgx.Connect(ctx, url)
	check(t, err)
	defer conn.Close(ctx)
	var value string
	check(t, conn.QueryRow(ctx, sql).Scan(&value))
	return value
}

// mark leaves something in the server that checkMark finds again.
func mark(t *testing.T, s *Server) {
	t.Helper()
	check(t, s.CreateDatabase(within(t), "kept"))
	ctx := within(t)
	conn, err := pgx.Connect(ctx, s.URL("kept"))
	check(t, err)
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, `create table mark as select 'here' as value`)
	check(t, err)
}

func checkMark(t *testing.T, s *Server) {
	t.Helper()
	if got := query(t, s.URL("kept"), `select value from mark`); got != "here" {
		t.Fatalf("the mark reads %q", got)
	}
}

// eventually polls until cond holds.
func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !cond(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v for: %s", patience, what)
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// contents maps every file under dir to its bytes and mode.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	check(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		var content []byte
		if info.Mode().IsRegular() {
			content, err = os.ReadFile(path)
		}
		files[path] = fmt.Sprintf("%v %s", info.Mode(), content)
		return err
	}))
	return files
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
