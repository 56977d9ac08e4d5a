//go:build crash

package crash

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"minesaudit/internal/pglocal"
	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/store"
)

const (
	killGames   = 300
	killsPerRun = 4
)

// victims are what a kill hits.
type victims struct{ daemon, postgres bool }

// Killed at random moments, the daemon, its database or both, the record
// becomes what it would have been.
func TestKillsAtRandomMoments(t *testing.T) {
	want := reference(t, killGames)
	random := rand.New(rand.NewPCG(seed(t), 0))
	kills := rounds(t, 16)
	for i := range (kills + killsPerRun - 1) / killsPerRun {
		run := seededRun(random, i)
		t.Run(fmt.Sprintf("%d-embedded=%v", i, run.embedded), func(t *testing.T) {
			t.Parallel()
			must(t, run.judge(t, want))
		})
	}
}

// A daemon that goes on at the head after a crash must be found out.
func TestKillsFindADaemonThatSkipsWhatItMissed(t *testing.T) {
	want := reference(t, killGames)
	run := killRun{random: rand.New(rand.NewPCG(1, 1)), env: []string{weak(store.WeakStartAtHead)}}
	for range killsPerRun {
		run.kills = append(run.kills, kill{victims{daemon: true}, 700 * time.Millisecond, 500 * time.Millisecond})
	}
	found(t, run.judge(t, want), errDiffers)
}

// A killRun is one chain, one record and some kills.
type killRun struct {
	random   *rand.Rand
	embedded bool // the daemon's private server, else one of the test's
	kills    []kill
	env      []string
}

type kill struct {
	victims
	after time.Duration // since the last start
	down  time.Duration // until the daemon is started again
}

// seededRun draws a run. A third of the kills come during start-up, and the
// first run's daemon finds most of the games in history.
func seededRun(random *rand.Rand, i int) killRun {
	run := killRun{random: rand.New(rand.NewPCG(random.Uint64(), random.Uint64())), embedded: i%2 == 0}
	for range killsPerRun {
		k := kill{
			victims: [...]victims{{true, false}, {false, true}, {true, true}}[random.IntN(3)],
			after:   time.Duration(random.IntN(1500)) * time.Millisecond,
			down:    time.Duration(random.IntN(400)) * time.Millisecond,
		}
		if random.IntN(3) == 0 {
			k.after /= 10
		}
		run.kills = append(run.kills, k)
	}
	return run
}

// judge plays a run to its end and compares its record.
func (r *killRun) judge(t *testing.T, want string) error {
	t.Helper()
	ctx := t.Context()
	n := newNode(t, chainConfig(killGames))
	n.disturb(ctx)
	n.play(ctx)

	dir := pgtest.Dir(t)
	database := []string{"--data-dir", dir}
	if !r.embedded {
		p, err := startPostgres(context.WithoutCancel(ctx), dir)
		must(t, err)
		t.Cleanup(p.close)
		database = []string{"--database-url", p.url}
	}
	d, err := newDaemon(bin, t.TempDir(), n, database...)
	must(t, err)
	t.Cleanup(func() { _ = d.kill() })
	must(t, d.start(r.env...))
	for i, k := range r.kills {
		if err := r.strike(d, dir, k); err != nil {
			return fmt.Errorf("kill %d, of %+v after %v: %w", i, k.victims, k.after, err)
		}
	}
	if err := d.catchUp(ctx, n); err != nil {
		return err
	}
	if err := d.stop(); err != nil {
		return err
	}
	if !r.embedded {
		return compare(t, want, database[1])
	}
	if err := noOrphans(ctx, dir); err != nil {
		return err
	}
	return compareIn(t, want, dir)
}

// strike kills after a while, which is the one thing here that time decides,
// and starts the daemon again if it was hit.
func (r *killRun) strike(d *daemon, dir string, k kill) error {
	select {
	case <-d.exited: // nothing but a kill may end it
		return fmt.Errorf("it had ended: %v\n%s", d.end, tail(d.log))
	case <-time.After(k.after):
	}
	if k.postgres {
		killPostmaster(dir)
	}
	if !k.daemon {
		return nil
	}
	if err := d.kill(); err != nil {
		return err
	}
	time.Sleep(k.down) // away for a while: there must be something to miss
	return d.start(r.env...)
}

// compareIn compares the record of a data folder that no daemon uses any more.
func compareIn(t *testing.T, want, dir string) error {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "data")); err != nil {
		return err
	}
	server, err := pglocal.Start(t.Context(), options(dir))
	if err != nil {
		return err
	}
	defer func() { _ = server.Stop(context.WithoutCancel(t.Context())) }()
	return compare(t, want, server.URL(databaseName))
}
