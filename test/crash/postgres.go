//go:build crash

package crash

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"minesaudit/internal/pglocal"
)

// A postgres is a server of the test's own, which it starts again whenever it
// ends, as a machine's supervisor would.
type postgres struct {
	dir  string
	url  string
	stop context.CancelFunc
	done chan struct{}

	mu     sync.Mutex
	server *pglocal.Server
	paused chan struct{} // not nil: not to be started before it is closed
}

const databaseName = "minesaudit"

func options(dir string) pglocal.Options {
	return pglocal.Options{Dir: dir, NoFsync: true, Settings: map[string]string{
		"shared_buffers": "16MB", "max_wal_size": "64MB", "min_wal_size": "32MB", "autovacuum": "off",
	}}
}

// startPostgres runs a server in dir until stop.
func startPostgres(ctx context.Context, dir string) (*postgres, error) {
	ctx, stop := context.WithCancel(ctx)
	p := &postgres{dir: dir, stop: stop, done: make(chan struct{})}
	if err := p.launch(ctx); err != nil {
		stop()
		return nil, err
	}
	if err := p.server.CreateDatabase(ctx, databaseName); err != nil {
		stop()
		return nil, errors.Join(err, p.server.Stop(context.WithoutCancel(ctx)))
	}
	p.url = p.server.URL(databaseName)
	go p.keep(ctx)
	return p, nil
}

func (p *postgres) launch(ctx context.Context) error {
	server, err := pglocal.Start(ctx, options(p.dir))
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.server = server
	return nil
}

func (p *postgres) keep(ctx context.Context) {
	defer close(p.done)
	for {
		select {
		case <-ctx.Done():
			_ = p.current().Stop(context.WithoutCancel(ctx))
			return
		case <-p.current().Done():
		}
		_ = p.current().Stop(ctx)
		p.mu.Lock()
		paused := p.paused
		p.mu.Unlock()
		if paused != nil {
			<-paused
		}
		for p.launch(ctx) != nil { // a full disk, sessions of the dead server
			select {
			case <-ctx.Done():
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
}

func (p *postgres) current() *pglocal.Server {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.server
}

// close stops the server and waits for that.
func (p *postgres) close() {
	p.stop()
	<-p.done
}

// outage stops the server cleanly and gives what lets it start again.
func (p *postgres) outage(ctx context.Context) (over func(), err error) {
	gate := make(chan struct{})
	p.mu.Lock()
	p.paused = gate
	p.mu.Unlock()
	err = p.current().Stop(ctx)
	return func() {
		p.mu.Lock()
		p.paused = nil
		p.mu.Unlock()
		close(gate)
	}, err
}

// killPostmaster kills the server of a data folder, if one runs.
func killPostmaster(dir string) {
	if pid, ok := postmaster(dir); ok {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// postmaster gives the process that runs a data folder.
func postmaster(dir string) (int, bool) {
	text, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	if err != nil {
		return 0, false
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || !runsIn(pid, filepath.Join(dir, "data")) {
		return 0, false // killed before: somebody else may have its number
	}
	return pid, true
}

// serverProcesses lists the processes of a data folder: the server and its
// sessions, which all work in it.
func serverProcesses(dir string) []int {
	entries, _ := os.ReadDir("/proc")
	var pids []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && runsIn(pid, filepath.Join(dir, "data")) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func runsIn(pid int, folder string) bool {
	cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	return err == nil && cwd == folder
}

// noOrphans waits until no process of the folder is left.
func noOrphans(ctx context.Context, dir string) error {
	err := poll(ctx, func() (bool, error) { return len(serverProcesses(dir)) == 0, nil })
	if err != nil {
		return fmt.Errorf("processes %v of the private server outlive the daemon: %w", serverProcesses(dir), err)
	}
	return nil
}
