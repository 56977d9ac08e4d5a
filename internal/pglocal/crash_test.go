package pglocal

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestDaemonKilled(t *testing.T) {
	dir := clusterDir(t)
	daemon, output := startHolder(t, dir)
	awaitHolder(t, output)
	pidFile := filepath.Join(dir, "data", "postmaster.pid")
	if !exists(pidFile) {
		t.Fatal("the daemon has no server")
	}
	check(t, daemon.Process.Kill())
	_ = daemon.Wait()
	// A server that shuts down cleanly takes the file along; one that is
	// killed leaves it.
	eventually(t, "the server to follow its daemon", func() bool { return !exists(pidFile) })
	s := run(t, Options{Dir: dir})
	mark(t, s)
}

// The next daemon does not have to wait for the last one's server: Start does.
func TestDaemonKilledAndStartedAtOnce(t *testing.T) {
	dir := clusterDir(t)
	s := run(t, Options{Dir: dir})
	mark(t, s)
	stop(t, s)
	for range 3 {
		daemon, output := startHolder(t, dir)
		awaitHolder(t, output)
		check(t, daemon.Process.Kill())
		_ = daemon.Wait()
		s := run(t, Options{Dir: dir})
		checkMark(t, s)
		stop(t, s)
	}
}

// As on darwin after the daemon's death: the server runs on.
func TestOrphanIsReplaced(t *testing.T) {
	dir := clusterDir(t)
	s := run(t, Options{Dir: dir})
	mark(t, s)
	stop(t, s)

	acct, err := serverAccount(s.data, []string{"postgres", "nobody"})
	check(t, err)
	check(t, makeSocketDir(s.sockets, acct))
	args, err := s.arguments(Options{NoFsync: true})
	check(t, err)
	orphan := exec.Command(s.programs.path("postgres"), args...)
	orphan.SysProcAttr = &syscall.SysProcAttr{Credential: acct.credential()}
	check(t, orphan.Start())
	ended := make(chan error, 1)
	go func() { ended <- orphan.Wait() }()
	eventually(t, "the orphan to accept connections", func() bool {
		return serves(context.Background(), s.URL("postgres"), s.data)
	})

	checkMark(t, run(t, Options{Dir: dir}))
	check(t, <-ended) // by a clean shutdown
}

func TestServerKilledAndStartedAtOnce(t *testing.T) {
	dir := clusterDir(t)
	s := run(t, Options{Dir: dir})
	mark(t, s)
	for range 3 {
		check(t, s.process.cmd.Process.Kill())
		<-s.Done()
		_ = s.Stop(within(t))
		if !exists(filepath.Join(s.data, "postmaster.pid")) {
			t.Fatal("the killed server left no postmaster.pid, so this proves nothing")
		}
		s = run(t, Options{Dir: dir})
		checkMark(t, s)
	}
}

// The pid of a stale file may belong to a program that has nothing to do with
// us. Whatever postgres makes of that, the program must be left alone.
func TestStalePidOfAnotherProgram(t *testing.T) {
	dir := clusterDir(t)
	s := run(t, Options{Dir: dir})
	mark(t, s)
	check(t, s.process.cmd.Process.Kill())
	<-s.Done()
	_ = s.Stop(within(t))
	acct, err := serverAccount(s.data, nil)
	check(t, err)

	t.Run("of the server's user", func(t *testing.T) {
		pretendPostmaster(t, s.data, acct.credential())
		ctx, cancel := context.WithCancel(within(t))
		defer cancel()
		result := make(chan error, 1)
		go func() {
			_, err := Start(ctx, Options{Dir: dir, NoFsync: true})
			result <- err
		}()
		const refusal = "Is another postmaster (PID"
		eventually(t, "postgres to refuse", func() bool {
			log, err := os.ReadFile(filepath.Join(dir, "server.log"))
			return err == nil && strings.Contains(string(log), refusal)
		})
		cancel()
		if err := <-result; err == nil {
			t.Error("a server started beside what postgres took for another one")
		}
	})
	t.Run("of another user", func(t *testing.T) {
		if !acct.switches {
			t.Skip("only root has processes of two users")
		}
		pretendPostmaster(t, s.data, nil)
		checkMark(t, run(t, Options{Dir: dir}))
	})
}

// pretendPostmaster puts the pid of a program that is no server into the stale
// postmaster.pid of data, and checks in the end that nobody has hurt it.
func pretendPostmaster(t *testing.T, data string, who *syscall.Credential) {
	t.Helper()
	bystander := exec.Command("sleep", "600")
	bystander.SysProcAttr = &syscall.SysProcAttr{Credential: who}
	check(t, bystander.Start())
	ended := make(chan struct{})
	go func() { _ = bystander.Wait(); close(ended) }()
	t.Cleanup(func() {
		select {
		case <-ended:
			t.Error("the other program was ended")
		default:
			check(t, bystander.Process.Kill())
			<-ended
		}
	})
	path := filepath.Join(data, "postmaster.pid")
	content, err := os.ReadFile(path)
	check(t, err)
	_, rest, _ := strings.Cut(string(content), "\n")
	// In place, which keeps the owner.
	check(t, os.WriteFile(path, []byte(strconv.Itoa(bystander.Process.Pid)+"\n"+rest), 0o600))
}

func TestKilledDuringInitdb(t *testing.T) {
	dir := openDir(t)
	daemon, _ := startHolder(t, dir)
	eventually(t, "initdb to be at work", func() bool {
		files, err := filepath.Glob(filepath.Join(dir, initPrefix+"*", "PG_VERSION"))
		return err == nil && len(files) > 0
	})
	check(t, daemon.Process.Kill())
	_ = daemon.Wait()
	if exists(filepath.Join(dir, "data")) {
		t.Fatal("initdb was quicker, so this proves nothing")
	}
	mark(t, run(t, Options{Dir: dir}))
	checkNoLeftovers(t, dir)
}

func TestCancelledDuringInitdb(t *testing.T) {
	dir := openDir(t)
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	result := make(chan error, 1)
	go func() {
		_, err := Start(ctx, Options{Dir: dir, NoFsync: true})
		result <- err
	}()
	eventually(t, "initdb to be at work", func() bool {
		files, err := filepath.Glob(filepath.Join(dir, initPrefix+"*", "PG_VERSION"))
		return err == nil && len(files) > 0
	})
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	checkNoLeftovers(t, dir)
	checkNothingRuns(t, dir)
	mark(t, run(t, Options{Dir: dir}))
}

// checkNoLeftovers fails t if an unfinished cluster is in dir.
func checkNoLeftovers(t *testing.T, dir string) {
	t.Helper()
	leftovers, err := filepath.Glob(filepath.Join(dir, initPrefix+"*"))
	check(t, err)
	if len(leftovers) > 0 {
		t.Errorf("left behind: %v", leftovers)
	}
}

// checkNothingRuns fails t if a process has dir in its command line.
func checkNothingRuns(t *testing.T, dir string) {
	t.Helper()
	out, err := exec.Command("ps", "-A", "-o", "args").Output()
	check(t, err)
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, dir) {
			t.Errorf("still running: %s", line)
		}
	}
}

// The server accepts no connection, ever.
func TestCancelledWhileWaiting(t *testing.T) {
	for name, trap := range map[string]string{"heeds signals": "", "ignores SIGINT": "trap '' INT; "} {
		t.Run(name, func(t *testing.T) {
			dir := clusterDir(t)
			stop(t, run(t, Options{Dir: dir}))
			pidFile := filepath.Join(dir, "data", "fake.pid")
			bin := fakePrograms(t, filepath.Join(dir, "bin"), "15.1", trap+"echo $$ > "+pidFile+"; exec sleep 600")
			ctx, cancel := context.WithCancel(within(t))
			defer cancel()
			result := make(chan error, 1)
			go func() {
				_, err := Start(ctx, Options{Dir: dir, search: &search{path: bin}})
				result <- err
			}()
			var pid int
			eventually(t, "the server to run", func() bool {
				content, err := os.ReadFile(pidFile)
				if err != nil {
					return false
				}
				pid, err = strconv.Atoi(strings.TrimSpace(string(content)))
				return err == nil
			})
			cancel()
			if err := <-result; !errors.Is(err, context.Canceled) {
				t.Fatalf("error %v", err)
			}
			if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
				t.Errorf("process %d is left: %v", pid, err)
			}
			run(t, Options{Dir: dir})
		})
	}
}
