//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"minesaudit/internal/pglocal/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// TestAudit plays on all four programs before the daemons start and while they follow, and holds
// their records against the truth.
func TestAudit(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	bin, err := BuildIndexer(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	s := NewStage(t)

	left, err := s.history(ctx)
	if err != nil {
		t.Fatal(err)
	}
	daemons, databases := s.watch(t, bin, dir)
	if err := s.live(ctx, left, daemons[victim]); err != nil {
		t.Fatal(err)
	}

	if n := len(s.M.ledger.Games()); n < 60 {
		t.Errorf("%d games on the honest program, want at least 60", n)
	}
	for name, ledger := range s.Ledgers() {
		t.Run(name, func(t *testing.T) {
			t.Logf("%d games, %d transactions", len(ledger.Games()), ledger.Transactions())
			compareDaemon(t, daemons[name], databases[name], ledger, name != victim)
		})
	}
}

// compareDaemon waits until a daemon's record is complete, holds everything that the daemon says
// against the truth, and stops it. Counters are looked at if it has run since the first game.
func compareDaemon(t *testing.T, d *Daemon, database string, ledger *Ledger, counters bool) {
	if n := ledger.Transactions(); n >= maxTransactions {
		t.Errorf("%d transactions: the node loses some when they fill a page of %d", n, maxTransactions)
	}
	last := ledger.LastSlot()
	err := d.Await(t.Context(), fmt.Sprintf("slot %d is in the record", last), time.Minute, func(s Status) bool {
		return s.FrontierSlot != nil && *s.FrontierSlot >= last
	})
	if err != nil {
		t.Fatal(err)
	}
	record, err := ReadRecord(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	Compare(t, record, ledger.Games())
	totals := Total(ledger, record)
	CompareRates(t.Context(), t, database, totals)
	CompareStatus(t.Context(), t, d, totals)
	if counters {
		CompareMetrics(t.Context(), t, d, totals)
	}
	if err := d.End(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}

// maxTransactions of a program fit one page of getSignaturesForAddress. Over more pages this node
// leaves some out: it takes `before` for the end of a slot.
const maxTransactions = 1000

// victim is the program whose daemon is killed in the middle of live play.
const victim = "M"

// Each lane of games belongs to one user; several run at once, so that slots hold several
// transactions.
const gamesPerLane = 18

// history is played before anyone watches. It gives the games of M that are still to be ended.
func (s *Stage) history(ctx context.Context) ([]Running, error) {
	var first, second []Running
	err := together(
		func() (err error) { first, err = s.M.PlayGames(ctx, gamesPerLane, 6); return err },
		func() (err error) { second, err = s.M.PlayGames(ctx, gamesPerLane, 9); return err },
		func() error { return s.M.forbidden(ctx) },
		func() error { return s.U.cheats(ctx) },
		func() error { return s.Emitters.scenes(ctx) },
	)
	return append(first, second...), err
}

// watch starts a daemon for each program and waits until all follow.
func (s *Stage) watch(t *testing.T, bin, dir string) (daemons map[string]*Daemon, databases map[string]string) {
	daemons, databases = map[string]*Daemon{}, map[string]string{}
	for name, program := range s.Programs() {
		databases[name] = pgtest.URL(t)
		d, err := StartDaemon(bin, dir, Watch{
			Name: name, Program: program, Operator: s.Operator, Database: databases[name], Node: s.Node,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.End(syscall.SIGKILL) })
		daemons[name] = d
	}
	for _, d := range daemons {
		if err := d.Await(t.Context(), "it follows", time.Minute, Following); err != nil {
			t.Fatal(err)
		}
	}
	return daemons, databases
}

// live is played while the daemons follow. The daemon d, of M, is killed in the middle of it, started
// again, and has to find by itself what it has missed. A few games are left running for good.
func (s *Stage) live(ctx context.Context, left []Running, d *Daemon) error {
	return together(
		func() error { return s.M.EndGames(ctx, left) },
		func() error { _, err := s.M.PlayGames(ctx, gamesPerLane, 9); return err },
		func() error {
			if _, err := s.M.PlayGames(ctx, gamesPerLane/2, 0); err != nil {
				return err
			}
			_ = d.End(syscall.SIGKILL)
			if _, err := s.M.PlayGames(ctx, gamesPerLane/2, 0); err != nil {
				return err
			}
			return d.Start()
		},
		func() error { return s.M.forbidden(ctx) },
		func() error { return s.U.cheats(ctx) },
		func() error { return s.Emitters.scenes(ctx) },
	)
}

// forbidden tries what is forbidden, and sees to it that nothing is left out.
func (m *Mines) forbidden(ctx context.Context) error {
	n, err := m.Forbidden(ctx)
	if err == nil && n < 49 {
		err = fmt.Errorf("%d attempts, want 49", n)
	}
	return err
}

func (m *Mines) cheats(ctx context.Context) error {
	user, err := m.NewUser(ctx)
	if err != nil {
		return err
	}
	for _, c := range Cheats() {
		if err := m.PlayCheat(ctx, user, c); err != nil {
			return err
		}
	}
	return nil
}

func (e *Emitters) scenes(ctx context.Context) error {
	for _, s := range Scenes() {
		if err := e.PlayScene(ctx, s); err != nil {
			return err
		}
	}
	return nil
}
