//go:build crash

package crash

import (
	"context"
	"strings"
	"testing"
	"time"

	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/store"
)

const outageGames = 200

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
		if err := smallDisk(t, dir); err != nil {
			t.Skipf("%v: a full disk is not tested", err)
		}
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
	must(t, end(ctx))
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

// watchLife asks /livez every few milliseconds, and tells of the first answer that is
// not 200.
func (d *daemon) watchLife(ctx context.Context) (lives func() error) {
	ctx, stop := context.WithCancel(ctx)
	result := make(chan error, 1)
	go func() {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			_, err := d.get(ctx, "/livez")
			if ctx.Err() != nil {
				err = nil
			}
			if err != nil || ctx.Err() != nil {
				result <- err
				return
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	}()
	return func() error { stop(); return <-result }
}
