//go:build crash

package crash

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// An outage is one way in which a database fails under a daemon that follows.
type outage struct {
	name  string
	disk  bool // the data folder is a small file system of its own
	begin func(ctx context.Context, p *postgres) (end ender, err error)
	shows string // in the error of /status meanwhile
}

// An ender ends an outage. Where its beginning failed halfway it mends what there is.
type ender func(ctx context.Context) error

func outages() []outage {
	return []outage{
		{"stopped and started", false, stopped, "connect"},
		{"sessions ended", false, sessionsEnded, ""},
		{"read-only", false, readOnly, "read-only"},
		{"disk full", true, diskFull, "No space left on device"},
		{"table locked", false, locked, "has not answered"},
		{slowStatement, false, slow, "has not answered"},
		{"server halted", false, halted, "has not answered"},
	}
}

func stopped(ctx context.Context, p *postgres) (ender, error) {
	over, err := p.outage(ctx)
	return func(context.Context) error { over(); return nil }, err
}

func sessionsEnded(ctx context.Context, p *postgres) (ender, error) {
	for range 10 {
		if err := endSessions(ctx, p.url); err != nil {
			return nil, err
		}
	}
	return func(context.Context) error { return nil }, nil
}

func readOnly(ctx context.Context, p *postgres) (ender, error) {
	set := func(ctx context.Context, to string) error {
		return execute(ctx, p.url, `alter system set default_transaction_read_only = `+to, `select pg_reload_conf()`)
	}
	return func(ctx context.Context) error { return set(ctx, "off") }, set(ctx, "on")
}

// smallDisk puts a folder on a file system of its own until the test ends, of which a
// server takes the most. Not every machine lets itself be mounted on.
func smallDisk(t *testing.T, dir string) error {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=192m,mode=0711"); err != nil {
		return fmt.Errorf("mount a file system: %w", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
	return nil
}

func diskFull(_ context.Context, p *postgres) (ender, error) {
	ballast := filepath.Join(p.dir, "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for block := make([]byte, 64<<10); err == nil; {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		return nil, err
	}
	return func(context.Context) error { return os.Remove(ballast) }, nil
}

// locked holds a lock on a table that every batch writes to.
func locked(ctx context.Context, p *postgres) (ender, error) {
	conn, err := pgx.Connect(ctx, p.url)
	if err != nil {
		return nil, err
	}
	_, err = conn.Exec(ctx, `begin; lock table audit.tx, audit.watch in access exclusive mode`)
	return conn.Close, err
}

// slowStatement is the outage in which statements sleep.
const slowStatement = "slow statement"

func slow(ctx context.Context, p *postgres) (ender, error) {
	err := execute(ctx, p.url,
		`create or replace function public.slow() returns trigger language plpgsql as 'begin perform pg_sleep(12); return null; end'`,
		`create or replace trigger slow after insert or update on audit.watch for each statement execute function public.slow()`)
	return func(ctx context.Context) error {
		return execute(ctx, p.url, `drop trigger if exists slow on audit.watch`)
	}, err
}

// halted stops every process of the server where it is.
func halted(_ context.Context, p *postgres) (ender, error) {
	signal := func(sig syscall.Signal) error {
		for _, pid := range serverProcesses(p.dir) {
			if err := syscall.Kill(pid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
				return err
			}
		}
		return nil
	}
	return func(context.Context) error { return signal(syscall.SIGCONT) }, signal(syscall.SIGSTOP)
}
