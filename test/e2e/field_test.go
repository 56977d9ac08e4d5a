//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/store/storetest"
)

// TestEventsByCPI plays a program of another layout, which emits by calling itself, on both nodes.
// The daemon has only its profile, testdata/minefield.yaml, and is killed in the middle of live play.
// Its record has to be the truth, and that of a daemon which reads the same history in one quiet run.
// Whoever holds a single transaction has to learn the same of it.
func TestEventsByCPI(t *testing.T) {
	bin, err := BuildIndexer(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, stage := range map[string]func(*testing.T) *Stage{"0.1.7": NewStage, "0.14.10": NewNewerStage} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stage(t)
			w := Watch{
				Name: "minefield", Program: s.Field.self.Program, Operator: s.Operator, Node: s.Node,
				Profile: minefieldProfile(t, s.Operator.String()),
			}
			s.auditField(t, bin, w)
			s.inspectField(t, bin, w.Profile)
			s.Field.list(t, bin)
		})
	}
}

// TestMinefieldProfile wants the profile to map all that a check needs, before any of it is played.
func TestMinefieldProfile(t *testing.T) {
	bin, err := BuildIndexer(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	out, code := indexer(t, bin, "profile", "check", "--json", minefieldProfile(t, minefieldProgram))
	var got struct {
		Program  string
		Events   []struct{ Missing []string }
		Ends     []struct{ Open []any }
		Warnings []string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	if code != 0 || got.Program != minefieldProgram || len(got.Events) != 4 || len(got.Ends) != 3 || len(got.Warnings) > 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
	for _, e := range got.Events {
		if len(e.Missing) > 0 {
			t.Errorf("missing: %q", e.Missing)
		}
	}
	for _, e := range got.Ends {
		if len(e.Open) > 0 {
			t.Errorf("checks that cannot be made: %v", e.Open)
		}
	}
}

// auditField holds the record of a stormy run and that of a quiet one against the truth.
func (s *Stage) auditField(t *testing.T, bin string, w Watch) {
	t.Helper()
	ledger, cheats := s.Field.ledger, Cheats()
	half := len(cheats) / 2
	if err := s.playField(t.Context(), cheats[:half]); err != nil {
		t.Fatal(err)
	}
	stormy := follow(t, bin, w)
	err := together(
		func() error { return s.playField(t.Context(), cheats[half:]) },
		func() error { return s.Field.killDuring(t.Context(), stormy.Daemon) },
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d games, %d transactions", len(ledger.Games()), ledger.Transactions())
	if n := ledger.Transactions(); s.tables && n >= maxTransactions {
		t.Errorf("%d transactions: the node loses some when they fill a page of %d", n, maxTransactions)
	}
	compareDaemon(t, stormy, ledger, false)
	// What the stream has announced was asked for at once; the record would have told of it as well.
	if live, err := stormy.Count(t.Context(), "minesaudit_notification_to_verdict_seconds_count"); err != nil || live == 0 {
		t.Errorf("%d verdicts came of announced transactions: %v", live, err)
	}
	quiet := follow(t, bin, w)
	compareDaemon(t, quiet, ledger, true)
	// Where the log shows that the program has not called itself, nobody looks for what was forged.
	forged, err := quiet.Count(t.Context(), "minesaudit_forged_events_total")
	if most := s.Field.forged.Load(); err != nil || forged == 0 || forged > most {
		t.Errorf("the quiet daemon counts %d forged events, want some of %d: %v", forged, most, err)
	}
	storetest.Same(t, "record of a stormy run against that of a quiet one", s.content(t, quiet.database), s.content(t, stormy.database))
	endDaemon(t, stormy)
	endDaemon(t, quiet)
}

// content is what a record says. The older node lists a transaction before it knows the time of its
// slot, so that there counts by the hour depend on when one has asked.
func (s *Stage) content(t *testing.T, database string) string {
	t.Helper()
	all := storetest.Content(t, database)
	if !s.tables {
		return all
	}
	var timeless strings.Builder
	for line := range strings.Lines(all) {
		if !strings.HasPrefix(line, "rollup") {
			timeless.WriteString(line)
		}
	}
	return timeless.String()
}

// plays is how often the rounds are played: once before daemons follow, once while they do.
const plays = 2

// playField plays all rounds, some of the cheats in several lanes, and honest games.
func (s *Stage) playField(ctx context.Context, cheats []Cheat) error {
	rounds := s.fieldRounds()
	lanes := []func() error{
		func() error { _, err := playGames(ctx, s.Field, randomHash(), gamesPerLane, 9); return err },
		func() error { return s.Field.playRounds(ctx, rounds[:len(rounds)/2]) },
		func() error { return s.Field.playRounds(ctx, rounds[len(rounds)/2:]) },
	}
	for some := range slices.Chunk(cheats, 10) {
		lanes = append(lanes, func() error { return playCheats(ctx, s.Field, randomHash(), some) })
	}
	return together(lanes...)
}

// fieldRounds are the rounds that the node takes.
func (s *Stage) fieldRounds() []Round {
	if !s.tables {
		return Rounds()
	}
	return append(Rounds(), tableRounds()...)
}

// killDuring kills a daemon between games, and starts it again some games later. It follows some more
// games then, live.
func (f *Minefield) killDuring(ctx context.Context, d *Daemon) error {
	play := func() error { _, err := playGames(ctx, f, randomHash(), 4, 0); return err }
	if err := play(); err != nil {
		return err
	}
	_ = d.End(syscall.SIGKILL)
	if err := play(); err != nil {
		return err
	}
	if err := d.Start(); err != nil {
		return err
	}
	if err := d.Await(ctx, "it follows again", time.Minute, Following); err != nil {
		return err
	}
	return play()
}

// follow starts a daemon with a record of its own and waits until it follows.
func follow(t *testing.T, bin string, w Watch) watched {
	t.Helper()
	w.Database = pgtest.URL(t)
	d, err := StartDaemon(bin, t.TempDir(), w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.End(syscall.SIGKILL) })
	if err := d.Await(t.Context(), "it follows", time.Minute, Following); err != nil {
		t.Fatal(err)
	}
	return watched{d, w.Database}
}
