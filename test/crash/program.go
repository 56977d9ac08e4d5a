//go:build crash

package crash

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"minesaudit/internal/store"
)

// A program is the indexer with some arguments, started as often as it is killed.
type program struct {
	*process // nil before the first start
	bin      string
	args     []string
	log      string // file
}

// newProgram makes a program that is yet to be started; its log is in dir.
func newProgram(bin, dir string, args ...string) (*program, error) {
	log, err := os.CreateTemp(dir, args[0]+"-*.log")
	if err != nil {
		return nil, err
	}
	return &program{bin: bin, args: args, log: log.Name()}, log.Close()
}

// newWorker makes a worker at a record. It keeps to a rate, so that the queue of calls
// that it shares is at work too.
func newWorker(bin, dir string, n *node, dsn string) (*program, error) {
	return newProgram(bin, dir, "worker", "--database-url", dsn, "--rpc-url", n.RPCURL, "--rpc-rate", "150", "--batch", "10")
}

// newPlanner makes what plans all history of a chain for workers, and ends.
func newPlanner(bin, dir string, n *node, dsn string) (*program, error) {
	return newProgram(bin, dir, "backfill", "--database-url", dsn, "--rpc-url", n.RPCURL,
		"--from-slot", strconv.Itoa(firstSlot), "--enqueue-only")
}

// start starts it, for the first time or again.
func (p *program) start(env ...string) error {
	cmd := exec.Command(p.bin, p.args...)
	cmd.Env = append(os.Environ(), env...)
	started, err := startProcess(cmd, p.log)
	p.process = started
	return err
}

// crashAt and weak are what the environment of a start may say.
func crashAt(p store.CrashPoint, n int) string { return fmt.Sprintf("MINESAUDIT_CRASH_AT=%s:%d", p, n) }
func weak(w store.Weakness) string             { return "MINESAUDIT_WEAKNESS=" + string(w) }

// kill ends it as nothing can be prepared for.
func (p *program) kill() error {
	if p.process == nil {
		return nil
	}
	p.signal(syscall.SIGKILL)
	_, _, err := p.wait()
	return err
}

// stop asks it to end, which must go well.
func (p *program) stop() error {
	p.signal(syscall.SIGTERM)
	code, by, err := p.wait()
	switch {
	case err != nil:
		return err
	case by == syscall.SIGTERM: // so early that it listened to no signal yet
		return nil
	case code != 0:
		return fmt.Errorf("after SIGTERM the %s exited with %d (%v)\n%s", p.args[0], code, by, tail(p.log))
	}
	return nil
}
