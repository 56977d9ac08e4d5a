//go:build crash

package crash

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
	"minesaudit/internal/store/storetest"
)

const soakRate = 50 // games a second

// Half an hour of everything that goes wrong: the record is the truth, equals
// what a quiet replay of the same chain gives, and the daemon has not grown.
func TestSoak(t *testing.T) {
	text := os.Getenv("SOAK")
	if text == "" {
		t.Skip("SOAK names no time: make soak does")
	}
	length, err := time.ParseDuration(text)
	must(t, err)
	s := soak{length: length, random: rand.New(rand.NewPCG(seed(t), 0)), bin: shipped(t)}
	summary, err := s.run(t)
	must(t, err)
	fmt.Println(summary)
}

// A daemon that goes on at the head after each kill must be found out.
func TestSoakFindsADaemonThatSkipsWhatItMissed(t *testing.T) {
	t.Parallel()
	s := soak{length: 15 * time.Second, random: rand.New(rand.NewPCG(3, 3)), bin: bin, env: []string{weak(store.WeakStartAtHead)}}
	_, err := s.run(t)
	found(t, err, errDiffers)
}

func TestSoakFindsGrowth(t *testing.T) {
	t.Parallel()
	samples := func(leak sample) (list []sample) {
		begun := time.Now()
		for n := range 100 {
			i := float64(n)
			wobble := float64(n * 7 % 5)
			list = append(list, sample{begun.Add(time.Duration(i) * 10 * time.Second), 60 + 2*wobble + leak.rss*i, 30 + wobble + leak.goroutines*i, 20 + wobble + leak.files*i})
		}
		return list
	}
	if _, err := flat(samples(sample{})); err != nil {
		t.Error(err)
	}
	for _, leak := range []sample{{rss: 0.2}, {goroutines: 0.1}, {files: 0.1}} {
		if _, err := flat(samples(leak)); !errors.Is(err, errGrows) {
			t.Errorf("a daemon that grows by %+v in 10 s: %v", leak, err)
		}
	}
}

// shipped builds the binary as users have it: with pages and batches as long as they
// are there, and not so short that a run of minutes crosses their ends.
func shipped(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "indexer")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "minesaudit/cmd/indexer").CombinedOutput()
	if err != nil {
		t.Fatalf("build the indexer: %v\n%s", err, out)
	}
	return bin
}

// A soak is one long run.
type soak struct {
	bin    string
	length time.Duration
	random *rand.Rand
	env    []string
}

func (s *soak) run(t *testing.T) (summary string, err error) {
	t.Helper()
	ctx := t.Context()
	n := newNode(t, simchain.Config{
		Seed: 11, Games: int(soakRate * s.length.Seconds()), Rate: soakRate, SlotTime: 100 * time.Millisecond, FinalitySlots: 20,
		Cheats: simchain.Cheats(), TruncateEvery: 50, Hostile: true,
	})
	dir := pgtest.Dir(t)
	p, err := startPostgres(context.WithoutCancel(ctx), dir)
	must(t, err)
	t.Cleanup(p.close)
	d, err := newDaemon(s.bin, t.TempDir(), n, "--database-url", p.url)
	must(t, err)
	must(t, d.start(s.env...))
	t.Cleanup(func() { _ = d.kill() })
	n.play(ctx)

	troubled := &trouble{
		node: n, postgres: p, daemon: d, env: s.env, random: s.random, happened: map[string]int{},
		every: min(4*time.Second, s.length/12), killing: s.length / 3,
	}
	samples, err := s.endure(ctx, troubled)
	if err != nil {
		return "", err
	}
	if err := d.stop(); err != nil {
		return "", err
	}
	if err := truthful(ctx, n, p.url); err != nil {
		return "", err
	}
	replayed, err := s.replay(t, n, p)
	if err != nil {
		return "", err
	}
	if err := compare(t, storetest.Content(t, replayed), p.url); err != nil {
		return "", err
	}
	growth, err := flat(samples)
	if err != nil && len(s.env) == 0 {
		return "", err
	}
	return fmt.Sprintf("soak: %v at %d games a second, %d games, %v; the record is the truth and equals a quiet replay; %s",
		s.length, soakRate, len(n.chain.Truth()), troubled.happened, growth), nil
}

// endure lets trouble be made until the games are over and the record has passed
// them. It gives samples of the process that lived longest, without its first
// minute or so, in which a daemon takes the memory that it needs.
func (s *soak) endure(ctx context.Context, troubled *trouble) ([]sample, error) {
	making, calm := context.WithCancel(ctx)
	made := make(chan error, 1)
	go func() { made <- troubled.make(making) }()
	defer calm()

	every := min(10*time.Second, s.length/60)
	tick := time.NewTicker(every)
	defer tick.Stop()
	var samples []sample
	settled := time.Now().Add(s.length/3 + min(2*time.Minute, s.length/10))
	for over := time.After(s.length + patience); ; {
		select {
		case <-troubled.node.chain.Done():
			calm()
			if err := <-made; err != nil {
				return nil, err
			}
			// Faults that were asked for faster than requests came would last on.
			troubled.node.chain.Faults.Heal()
			return samples, troubled.daemon.catchUp(ctx, troubled.node)
		case err := <-made:
			return nil, err
		case <-over:
			return nil, errors.New("the games do not end")
		case <-tick.C:
		}
		if time.Now().Before(settled) {
			continue
		}
		if one, err := troubled.daemon.sample(ctx); err == nil {
			samples = append(samples, one)
		}
	}
}

// replay records a chain that is over, undisturbed, in a database of its own.
func (s *soak) replay(t *testing.T, n *node, p *postgres) (dsn string, err error) {
	t.Helper()
	if err := p.current().CreateDatabase(t.Context(), "replay"); err != nil {
		return "", err
	}
	dsn = p.current().URL("replay")
	d, err := newDaemon(s.bin, t.TempDir(), n, "--database-url", dsn)
	must(t, err)
	must(t, d.start())
	t.Cleanup(func() { _ = d.kill() })
	var reached int64
	for { // as long as it comes further
		err := d.catchUp(t.Context(), n)
		if err == nil {
			return dsn, d.stop()
		}
		rows, countErr := count(t.Context(), dsn, `select count(*) from audit.tx`)
		if countErr != nil || rows <= reached || d.ended() {
			return dsn, errors.Join(err, countErr)
		}
		reached = rows
	}
}
