//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// A process is one that the test has started. It dies with the test.
type process struct {
	pid    int
	log    string        // file that takes its output
	exited chan struct{} // closed when it has ended
	err    error         // of its end, once exited is closed; nil is exit code 0
}

// startProcess starts cmd, with its output at the end of a log file. The parent-death signal is tied
// to the thread that starts a process; so the goroutine that does keeps its thread until the end.
func startProcess(cmd *exec.Cmd, log string) (*process, error) {
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p := &process{log: log, exited: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer out.Close()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			close(p.exited)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", filepath.Base(cmd.Path), err)
	}
	p.pid = cmd.Process.Pid
	return p, nil
}

// ended tells whether the process is gone.
func (p *process) ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// end sends sig and waits for the end, whose error it gives. A process that has ended gets no signal.
func (p *process) end(sig syscall.Signal, patience time.Duration) error {
	if !p.ended() {
		if err := syscall.Kill(p.pid, sig); err != nil {
			return fmt.Errorf("%s to process %d: %w", sig, p.pid, err)
		}
	}
	select {
	case <-p.exited:
		return p.err
	case <-time.After(patience):
		return fmt.Errorf("process %d still runs %s after %s", p.pid, patience, sig)
	}
}

// tail is the end of its log.
func (p *process) tail() string {
	log, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(log[max(0, len(log)-3000):])
}
