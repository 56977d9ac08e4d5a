//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/store/storetest"
)

// TestNewerNode plays on release 0.14.10, whose list can be walked over many pages. In the middle of a
// burst the daemon of the honest program, which has a private server for its record, is killed and the
// node is stopped; the daemon is started again while the node is still down. The node is stopped and
// started four times more, while all daemons run. In the end each record is the truth, and says what the
// record of a daemon says that pages back over all of that in one quiet run.
func TestNewerNode(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	bin, err := BuildIndexer(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	s := NewNewerStage(t)
	s.refusesTables(t)
	left, err := s.history(ctx)
	if err != nil {
		t.Fatal(err)
	}
	watched := s.watch(t, bin, dir, victim)
	over := make(chan struct{}) // closed when the node is stopped no more
	err = together(
		func() error { return s.play(ctx, left) },
		func() error { _, err := s.M.PlayGames(ctx, gamesPerLane, 9); return err },
		func() error { _, err := s.M.PlayGames(ctx, gamesPerLane, 9); return err },
		func() error { return s.burst(ctx, over) },
		func() error { defer close(over); return s.outage(ctx, t, watched[victim].Daemon) },
	)
	if err != nil {
		t.Fatal(err)
	}

	t.Logf("%d transactions were signed anew", s.chain.again.Load())
	if n := len(s.M.ledger.Games()); n < 100 {
		t.Errorf("%d games on the honest program, want at least 100", n)
	}
	for name, ledger := range s.Ledgers() {
		t.Run(name, func(t *testing.T) {
			t.Logf("%d games, %d transactions", len(ledger.Games()), ledger.Transactions())
			s.keepsAll(t, name, ledger)
			compareDaemon(t, watched[name], ledger, name != victim)
			s.compareQuiet(t, bin, name, watched[name], ledger)
			endDaemon(t, watched[name])
		})
	}
}

// refusesTables holds that this node has no transactions with lookup tables, so that tableScenes are
// for the older one alone.
func (s *Stage) refusesTables(t *testing.T) {
	t.Helper()
	table, err := s.chain.base.NewTable(t.Context(), s.A.Program)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := s.chain.Refusal(t.Context(), Tx{Table: table, Instructions: []solana.Instruction{s.B.Run(opCall(opPrint(nil)), s.A.Program)}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(answer, "lookup tables are not supported") {
		t.Fatalf("the newer node refuses a lookup table with %q: tableScenes may work there by now", answer)
	}
	t.Logf("the newer node on a lookup table: %s", answer)
}

// burst plays games in a crowd of what tells of none, for as long as the node is stopped again and again.
func (s *Stage) burst(ctx context.Context, over <-chan struct{}) error {
	for {
		err := together(
			func() error { return s.M.Crowd(ctx, page/5) },
			func() error { _, err := s.M.PlayGames(ctx, gamesPerLane/3, 0); return err },
		)
		if err != nil {
			return err
		}
		select {
		case <-over:
			return nil
		default:
		}
	}
}

// nodeStops is how often the node is stopped during the burst.
const nodeStops = 5

// outage kills the daemon, lets more than a page of signatures pass, and stops the node. The daemon is
// started again before the node is. Then the node is stopped again and again, with some of the burst
// between.
func (s *Stage) outage(ctx context.Context, t *testing.T, d *Daemon) error {
	passed := func(more int) error {
		before := s.M.ledger.Transactions()
		return poll(ctx, 2*time.Minute, func(context.Context) (bool, error) {
			return s.M.ledger.Transactions() >= before+more, nil
		})
	}
	if err := passed(page / 10); err != nil {
		return err
	}
	_ = d.End(syscall.SIGKILL)
	for stop, more := range [nodeStops]int{page * 12 / 10, page / 16, page / 16, page / 16, page / 16} {
		if err := passed(more); err != nil {
			return fmt.Errorf("before stop %d of the node: %w", stop+1, err)
		}
		s.Node.Stop()
		t.Logf("node stopped after slot %d, %d transactions and %d games of M", s.M.ledger.LastSlot(), s.M.ledger.Transactions(), len(s.M.ledger.Games()))
		if stop == 0 {
			if err := d.Start(); err != nil {
				return err
			}
		}
		if err := s.Node.Restart(ctx); err != nil {
			return fmt.Errorf("after stop %d of the node: %w", stop+1, err)
		}
	}
	return nil
}

// keepsAll holds that the node still lists what happened before it was stopped, and after.
func (s *Stage) keepsAll(t *testing.T, name string, ledger *Ledger) {
	t.Helper()
	listed, pages, err := s.chain.List(t.Context(), s.Programs()[name])
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the node lists %d transactions on %d pages", len(listed), pages)
	if lost := ledger.Missing(listed); len(lost) > 0 {
		t.Fatalf("the node's list does not hold %d transactions that landed, each once: %s", len(lost), lost)
	}
	if name == victim && pages < 3 {
		t.Errorf("%d pages, want several", pages)
	}
}

// compareQuiet holds a record against that of a daemon which has only ever read the list.
func (s *Stage) compareQuiet(t *testing.T, bin, name string, w watched, ledger *Ledger) {
	t.Helper()
	database := pgtest.URL(t)
	d, err := StartDaemon(bin, t.TempDir(), Watch{
		Name: name, Program: s.Programs()[name], Operator: s.Operator, Database: database, Node: s.Node,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.End(syscall.SIGKILL) }()
	complete(t, d, ledger)
	storetest.Same(t, "record of a stormy run against that of a quiet one", storetest.Content(t, database), storetest.Content(t, w.database))
}
