//go:build crash

package crash

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/store"
)

const outageGames = 200

// An outage is one way in which a database fails under a daemon that follows.
type outage struct {
	name  string
	disk  bool // the data folder is a small file system of its own
	begin func(ctx context.Context, p *postgres) (end func() error, err error)
	shows string // in the error of /status meanwhile
}

func outages() []outage {
	return []outage{
		{"stopped and started", false, stopped, "connect"},
		{"sessions ended", false, sessionsEnded, ""},
		{"read-only", false, readOnly, "read-only"},
		{"disk full", true, diskFull, "No space left on device"},
		{"table locked", false, locked, "has not answered"},
		{"slow statement", false, slow, "has not answered"},
		{"server halted", false, halted, "has not answered"},
	}
}

// Whatever its database does, a daemon shows it, lives on, and goes on by
// itself when it is over, with nothing lost.
func TestOutages(t *testing.T) {
	want := reference(t, outageGames)
	for _, o := range outages() {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			must(t, o.judge(t, want))
		})
	}
}

// A daemon that lets go of what it cannot save at once must be found out.
func TestOutagesFindADaemonThatLetsGo(t *testing.T) {
	o := outage{"read-only", false, readOnly, "read-only"}
	found(t, o.judge(t, reference(t, outageGames), weak(store.WeakGiveUp)), errDiffers)
}

func (o *outage) judge(t *testing.T, want string, env ...string) error {
	t.Helper()
	ctx := t.Context()
	dir := pgtest.Dir(t)
	if o.disk {
		smallDisk(t, dir)
	}
	p, err := startPostgres(context.WithoutCancel(ctx), dir)
	must(t, err)
	t.Cleanup(p.close)
	n := newNode(t, chainConfig(outageGames))
	n.chain.Faults.Withhold(0.2)
	d, err := newDaemon(bin, t.TempDir(), n, "--database-url", p.url)
	must(t, err)
	must(t, d.start(env...))
	t.Cleanup(func() { _ = d.kill() })
	n.play(ctx)
	if err := d.until(ctx, "it follows", func(s status) bool { return s.State == "following" }); err != nil {
		return err
	}
	lives := d.watchLife(ctx)
	end, err := o.begin(ctx, p)
	must(t, err)
	if o.shows != "" {
		err = d.until(ctx, "the outage shows", func(s status) bool { return !s.Database.OK && strings.Contains(s.Database.Error, o.shows) })
	}
	if err == nil && len(env) > 0 {
		err = d.claimsMore(ctx, p.url)
	}
	must(t, end())
	if err != nil {
		return err
	}
	var at int64
	err = d.until(ctx, "it follows again", func(s status) bool {
		if at == 0 && s.FrontierSlot != nil {
			at = *s.FrontierSlot
		}
		return s.State == "following" && s.Database.OK && *s.FrontierSlot > at
	})
	if err != nil {
		return err
	}
	if err := lives(); err != nil {
		return err
	}
	if err := d.catchUp(ctx, n); err != nil {
		return err
	}
	if err := d.stop(); err != nil {
		return err
	}
	return compare(t, want, p.url)
}

// claimsMore waits until a weakened daemon shows a frontier that its record,
// which takes no writes, does not have.
func (d *daemon) claimsMore(ctx context.Context, dsn string) error {
	has, err := count(ctx, dsn, `select frontier from audit.watch`)
	if err != nil {
		return err
	}
	return d.until(ctx, "it claims more than it has", func(s status) bool { return s.FrontierSlot != nil && *s.FrontierSlot > has })
}

// watchLife asks /livez all the time, and tells of the first answer that is not
// 200.
func (d *daemon) watchLife(ctx context.Context) (lives func() error) {
	ctx, stop := context.WithCancel(ctx)
	result := make(chan error, 1)
	go func() {
		for {
			if _, err := d.get(ctx, "/livez"); err != nil {
				if ctx.Err() != nil {
					err = nil
				}
				result <- err
				return
			}
			if ctx.Err() != nil {
				result <- nil
				return
			}
		}
	}()
	return func() error { stop(); return <-result }
}

func stopped(ctx context.Context, p *postgres) (func() error, error) {
	over, err := p.outage(ctx)
	return func() error { over(); return nil }, err
}

func sessionsEnded(ctx context.Context, p *postgres) (func() error, error) {
	for range 10 {
		if err := endSessions(ctx, p.url); err != nil {
			return nil, err
		}
	}
	return func() error { return nil }, nil
}

func readOnly(ctx context.Context, p *postgres) (func() error, error) {
	set := func(to string) error {
		return execute(ctx, p.url, `alter system set default_transaction_read_only = `+to, `select pg_reload_conf()`)
	}
	return func() error { return set("off") }, set("on")
}

// smallDisk puts a folder on a file system of its own, of which a server takes
// the most.
func smallDisk(t *testing.T, dir string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=192m,mode=0711"); err != nil {
		t.Skipf("a file system cannot be mounted here (%v): a full disk is not tested", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
}

func diskFull(_ context.Context, p *postgres) (func() error, error) {
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
	return func() error { return os.Remove(ballast) }, nil
}

// locked holds a lock on a table that every batch writes to.
func locked(ctx context.Context, p *postgres) (func() error, error) {
	conn, err := pgx.Connect(ctx, p.url)
	if err != nil {
		return nil, err
	}
	_, err = conn.Exec(ctx, `begin; lock table audit.tx, audit.watch in access exclusive mode`)
	return func() error { return conn.Close(ctx) }, err
}

func slow(ctx context.Context, p *postgres) (func() error, error) {
	err := execute(ctx, p.url,
		`create function public.slow() returns trigger language plpgsql as 'begin perform pg_sleep(12); return null; end'`,
		`create trigger slow after insert or update on audit.watch for each statement execute function public.slow()`)
	return func() error { return execute(ctx, p.url, `drop trigger slow on audit.watch`) }, err
}

// halted stops every process of the server where it is.
func halted(_ context.Context, p *postgres) (func() error, error) {
	signal := func(sig syscall.Signal) error {
		for _, pid := range serverProcesses(p.dir) {
			if err := syscall.Kill(pid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
				return err
			}
		}
		return nil
	}
	return func() error { return signal(syscall.SIGCONT) }, signal(syscall.SIGSTOP)
}
