package ingest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"go.uber.org/zap"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// ErrNoProgram means that the address to follow is not a program's.
var ErrNoProgram = errors.New("no program at that address")

// upWait is how long the first pass waits for the subscription, so that
// nothing falls between the two.
const upWait = 10 * time.Second

// firstBlocks: a chain's first available block may be 1 where slot 0 holds no
// transactions; that is no pruned history.
const firstBlocks = 1

// bind ties the database to chain, program and profile, or checks that it is
// tied to them. The first time it also fixes where auditing begins, which must
// come after the subscription: what happens in between is in the stream.
func (d *Daemon) bind(ctx, saving context.Context) error {
	var genesis [32]byte
	var node *rpc.Node
	err := d.patiently(ctx, "reach the node", d.state.node, func() (err error) {
		node = d.Nodes.Record()
		genesis, err = node.GenesisHash(ctx)
		return err
	})
	if err != nil {
		return err
	}
	want := d.wanted(genesis)
	have, err := d.binding(saving)
	first := errors.Is(err, store.ErrNoWatch)
	if err != nil && !first {
		return err
	}
	if first {
		// Asked once only: later the record itself shows that there is one, and a
		// node that was just started, or lags, may not know it.
		err = d.knownProgram(ctx)
	} else {
		err = have.Differs(want)
	}
	if err != nil {
		return err
	}
	d.Nodes.Expect(want.Genesis, node)
	d.awaitUp(ctx)
	if first {
		if err := d.begin(ctx, &want); err != nil {
			return err
		}
	}
	err = d.write(saving, "bind the database", func(ctx context.Context, w *store.Writer) (err error) {
		have, err = w.Bind(ctx, want)
		return err
	})
	if err != nil {
		return err
	}
	if store.Weak(store.WeakStartAtHead) && !first {
		if err := d.skipToHead(ctx, saving, &have); err != nil {
			return err
		}
	}
	d.late.below(have.Frontier)
	d.state.bound(have)
	d.Log.Info("auditing", zap.Bool("new_database", first), zap.Int64("audited_from_slot", have.AuditedFrom), zap.Int64("frontier_slot", have.Frontier))
	if first {
		return nil
	}
	// A stop has opened this gap already, a kill has not.
	return d.openGap(saving, notRunning, "the daemon was stopped or killed", d.state.frontierSlot())
}

// binding reads what the database watches; ErrNoWatch where it is new.
func (d *Daemon) binding(ctx context.Context) (have store.Watch, err error) {
	missing := false
	err = d.write(ctx, "read the binding", func(ctx context.Context, w *store.Writer) (err error) {
		have, err = w.Watch(ctx)
		if missing = errors.Is(err, store.ErrNoWatch); missing {
			return nil
		}
		return err
	})
	if missing {
		return have, store.ErrNoWatch
	}
	return have, err
}

// begin finds the first slot to audit. A node that keeps less than was asked
// for moves it up: coverage that nobody has is not claimed.
func (d *Daemon) begin(ctx context.Context, want *store.Watch) error {
	return d.patiently(ctx, "find where history begins", d.state.node, func() error {
		node := d.Nodes.Record()
		slot, err := node.Slot(ctx, rpc.Finalized)
		if err != nil {
			return err
		}
		want.Head = int64(min(slot, math.MaxInt64-1))
		if d.From.Now {
			want.AuditedFrom, want.Frontier = want.Head+1, want.Head
			return nil
		}
		if d.From.Slot > uint64(want.Head) {
			return fmt.Errorf("history should begin at slot %d, the node is at %d; waiting for it", d.From.Slot, want.Head)
		}
		first, err := node.FirstAvailableBlock(ctx)
		if err != nil && rpc.ClassOf(err) != rpc.Invalid {
			return err
		}
		if err == nil && first > d.From.Slot && first > firstBlocks {
			d.Log.Warn("the node's history begins later than was asked for; nothing is known of the time before",
				zap.Uint64("asked_from_slot", d.From.Slot), zap.Uint64("first_available_slot", first))
			want.AuditedFrom = int64(min(first, uint64(want.Head)))
		} else {
			want.AuditedFrom = int64(d.From.Slot)
		}
		want.Frontier = want.AuditedFrom - 1
		return nil
	})
}

// knownProgram refuses an address at which the node has no program.
func (d *Daemon) knownProgram(ctx context.Context) error {
	var found rpc.Program
	err := d.patiently(ctx, "look for the program", d.state.node, func() (err error) {
		found, err = d.Nodes.Record().ProgramExists(ctx, keyText(d.Program))
		if rpc.ClassOf(err) == rpc.Invalid {
			found = rpc.Program{Exists: true, Executable: true} // no such method here: nothing to conclude
			return nil
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case !found.Exists:
		return fmt.Errorf("%w: the node has no account %s; check --program, and that --rpc-url is of its chain", ErrNoProgram, keyText(d.Program))
	case !found.Executable:
		return fmt.Errorf("%w: account %s is not executable; --program takes the program's address, not a game's or a user's", ErrNoProgram, keyText(d.Program))
	}
	return nil
}

// awaitUp gives the subscription some time to come up.
func (d *Daemon) awaitUp(ctx context.Context) {
	timer := time.NewTimer(upWait)
	defer timer.Stop()
	check := time.NewTicker(20 * time.Millisecond)
	defer check.Stop()
	for !d.Stream.State().Connected {
		select {
		case <-check.C:
		case <-timer.C:
			last := d.Stream.State()
			d.Log.Warn("no subscription yet; the record is read without it", zap.String("reason", string(last.LastReason)), zap.String("error", last.LastError))
			return
		case <-ctx.Done():
			return
		}
	}
}
