//go:build e2e

package e2e

import (
	"context"
	"os"
	"syscall"
	"testing"

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
	watched := s.watch(t, bin, dir)
	if err := s.live(ctx, left, watched[victim].Daemon); err != nil {
		t.Fatal(err)
	}

	if n := len(s.M.ledger.Games()); n < 60 {
		t.Errorf("%d games on the honest program, want at least 60", n)
	}
	for name, ledger := range s.Ledgers() {
		t.Run(name, func(t *testing.T) {
			n := ledger.Transactions()
			t.Logf("%d games, %d transactions", len(ledger.Games()), n)
			if n >= maxTransactions {
				t.Errorf("%d transactions: the node loses some when they fill a page of %d", n, maxTransactions)
			}
			compareDaemon(t, watched[name], ledger, name != victim)
			endDaemon(t, watched[name])
		})
	}
}

// maxTransactions of a program fit one page of getSignaturesForAddress. Over more pages this node
// leaves some out: it takes `before` for the end of a slot.
const maxTransactions = 1000

// victim is the program whose daemon is killed in the middle of live play.
const victim = "M"

// live is played while the daemons follow. The daemon d, of M, is killed in the middle of it, started
// again, and has to find by itself what it has missed. A few games are left running for good.
func (s *Stage) live(ctx context.Context, left []Running, d *Daemon) error {
	return together(
		func() error { return s.play(ctx, left) },
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
	)
}
