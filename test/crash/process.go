//go:build crash

package crash

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// patience bounds every wait, for a machine under heavy load.
const patience = 2 * time.Minute

// A process is one that the test has started. It dies with the test.
type process struct {
	pid    int
	exited chan struct{}        // closed when it has ended
	end    *os.ProcessState     // how, once exited is closed
	log    func() (text string) // the end of its output
}

// startProcess starts cmd, with its output at the end of a log file. The
// parent-death signal is tied to the thread that starts a process, so the
// goroutine that does keeps its thread until the end.
func startProcess(cmd *exec.Cmd, log string) (*process, error) {
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p := &process{exited: make(chan struct{}), log: func() string { return tail(log) }}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer out.Close()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // how it ended is in its state
			p.end = cmd.ProcessState
			close(p.exited)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", filepath.Base(cmd.Path), err)
	}
	p.pid = cmd.Process.Pid
	return p, nil
}

func (p *process) ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// signal sends sig, if the process is still there.
func (p *process) signal(sig syscall.Signal) {
	if !p.ended() {
		_ = syscall.Kill(p.pid, sig) // it may be ending just now
	}
}

// wait waits for the end and gives the exit code, or the signal that did it.
func (p *process) wait() (code int, by syscall.Signal, err error) {
	select {
	case <-p.exited:
	case <-time.After(patience):
		return 0, 0, fmt.Errorf("process %d does not end\n%s", p.pid, p.log())
	}
	status, ok := p.end.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return -1, status.Signal(), nil
	}
	return p.end.ExitCode(), 0, nil
}

func tail(file string) string {
	log, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	return string(log[max(0, len(log)-4000):])
}
