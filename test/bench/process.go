//go:build bench

package bench

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a program under way, its output in a file. It dies with the one
// that measures it.
type process struct {
	pid    int
	log    string
	exited chan struct{}
	err    error // once exited is closed
}

// start starts a program with its output in the file log. The signal at the
// death of the parent is tied to the thread that starts the child, so that
// thread is kept until the end.
func start(cmd *exec.Cmd, log string) (*process, error) {
	out, err := os.Create(log)
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

// stop asks the program to end, makes it after a while, and returns when it has.
func (p *process) stop() {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		select {
		case <-p.exited:
			return
		default:
			_ = syscall.Kill(p.pid, sig) // it may just have ended
		}
		select {
		case <-p.exited:
			return
		case <-time.After(20 * time.Second):
		}
	}
}

// output is what it has written so far.
func (p *process) output() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// peakMiB is the highest resident set since its start.
func (p *process) peakMiB() (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmHWM:" {
			kib, err := strconv.ParseFloat(fields[1], 64)
			return kib / 1024, err
		}
	}
	return 0, fmt.Errorf("no VmHWM of process %d", p.pid)
}

// peakUntilExit is that of a process that ends by itself. What the system tells of one
// that has ended counts what this process held when it was started, too.
func (p *process) peakUntilExit() (peak float64) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.exited:
			return peak
		case <-tick.C:
			if now, err := p.peakMiB(); err == nil {
				peak = now
			}
		}
	}
}

// await asks done every so often until it says yes or fails, a process ends, or
// patience does.
func await(ctx context.Context, what string, every, patience time.Duration, needed []*process, done func() (bool, error)) error {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		ok, err := done()
		if err != nil {
			return fmt.Errorf("wait until %s: %w", what, err)
		}
		if ok {
			return nil
		}
		for _, p := range needed {
			select {
			case <-p.exited:
				return fmt.Errorf("wait until %s: a program ended (%v):\n%s", what, p.err, p.output())
			default:
			}
		}
		select {
		case <-tick.C:
		case <-deadline.C:
			return fmt.Errorf("wait until %s: not within %s", what, patience)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// freeAddress is a loopback address that nobody listens on, and nobody on the
// port after it; nothing keeps it so.
func freeAddress() (string, error) {
	for range 50 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", err
		}
		_ = l.Close()
		host, port, err := net.SplitHostPort(l.Addr().String())
		if err != nil {
			return "", err
		}
		n, err := strconv.Atoi(port)
		if err != nil {
			return "", err
		}
		next, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(n+1)))
		if err != nil {
			continue
		}
		_ = next.Close()
		return l.Addr().String(), nil
	}
	return "", fmt.Errorf("no two neighbouring ports are free on 127.0.0.1")
}
