package pglocal

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
)

// process is a running child. err may be read once done is closed.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

// startProcess starts cmd from a thread that lives until cmd has ended: linux
// sends the parent-death signal when the thread that forked ends, not the
// process, and Go ends idle threads.
func startProcess(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.err = cmd.Wait()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// killGroup kills the process and those of its children that stayed in its
// group. Only for a process not known to have ended.
func (p *process) killGroup() {
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
}

// serverEnv is the environment of PostgreSQL's programs. The daemon's own must
// not pass: it holds secrets, which the server's user could read, and PG*
// variables, which would change what the programs do.
func serverEnv() []string {
	env := []string{
		"LC_ALL=C",
		"TZ=UTC",
		// A stale postmaster.pid often holds a low pid that after a restart of
		// the container belongs to one of us. The server knows itself and its
		// parent; this tells it of the parent's parent.
		"PG_GRANDPARENT_PID=" + strconv.Itoa(os.Getppid()),
	}
	for _, name := range []string{"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
