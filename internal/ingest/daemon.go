package ingest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// historyCheckSlots is how far behind the frontier may be before the node is
// asked again whether it still keeps what lies between.
const historyCheckSlots = 10_000

// upWait is how long the first pass waits for the subscription, so that
// nothing falls between the two.
const upWait = 10 * time.Second

// Daemon follows one program. Make it with New, run it once.
type Daemon struct {
	Config

	watch store.Watch // set before the workers start
	state *state
	late  late
	cuts  chan cut
	kicks chan struct{}

	turn   chan struct{} // held while writing
	writer *store.Writer // guarded by turn

	finalized      int64 // reconcile's: the highest finalized slot seen
	historyChecked bool  // reconcile's

	seen struct {
		sync.Mutex
		totals store.Totals
		at     time.Time
		ok     bool
	}
}

// New makes a daemon; nothing is connected yet.
func New(cfg Config) *Daemon {
	return &Daemon{
		Config: cfg, state: newState(), cuts: make(chan cut), kicks: make(chan struct{}, 1), turn: make(chan struct{}, 1), finalized: -1,
	}
}

// Run follows the program until ctx ends; then it saves what is under way,
// records the gap that begins and returns nil. It fails with store.ErrLocked,
// store.ErrOtherWatch or store.ErrSchemaNewer at the start, or when another
// daemon has taken the database over.
//
//	         ┌──────────── items ───────────► live ──┐
//	stream ──┘                                 ▲     ├─ decode, assemble, judge ─► save ─► PostgreSQL
//	                                      cut  │     │
//	client ◄── slots, lists, transactions ── reconcile
func (d *Daemon) Run(ctx context.Context) error {
	// What is being saved when ctx ends is still saved, within a bound.
	saving, stopSaving := context.WithCancel(context.WithoutCancel(ctx))
	defer stopSaving()
	stopTimer := context.AfterFunc(ctx, func() { time.AfterFunc(shutdownGrace, stopSaving) })
	defer stopTimer()

	streaming, stopStream := context.WithCancel(ctx)
	defer stopStream()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer stopStream()
		if err := d.prepare(ctx); err != nil {
			return err
		}
		g.Go(func() error { return d.Stream.Run(streaming) })
		if err := d.bind(ctx, saving); err != nil {
			return err
		}
		work, ctx := errgroup.WithContext(ctx)
		work.Go(func() error { return d.live(ctx, saving) })
		work.Go(func() error { return d.reconcile(ctx, saving) })
		return work.Wait()
	})
	err := g.Wait()
	d.leave(saving)
	if err != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// prepare opens the record, waiting for a database that is not there yet.
func (d *Daemon) prepare(ctx context.Context) error {
	err := d.patiently(ctx, "open the database", d.state.database, func() error {
		if _, err := d.Store.Migrate(ctx); err != nil {
			return err
		}
		w, err := d.Store.OpenWriter(ctx)
		if err != nil {
			return err
		}
		d.writer = w
		return nil
	})
	if err != nil {
		return err
	}
	return nil
}

// bind ties the database to chain, program and profile, or checks that it is
// tied to them. The first time it also fixes where auditing begins, which must
// come after the subscription: what happens in between is in the stream.
func (d *Daemon) bind(ctx, saving context.Context) error {
	want := store.Watch{Program: d.Program, ProfileHash: d.ProfileHash, VoidCeiling: d.VoidCeiling}
	err := d.patiently(ctx, "reach the node", d.state.node, func() (err error) {
		want.Genesis, err = d.Client.GenesisHash(ctx)
		return err
	})
	if err != nil {
		return err
	}
	err = d.write(saving, "bind the database", func(w *store.Writer) error {
		have, err := w.Watch(saving)
		if errors.Is(err, store.ErrNoWatch) {
			return nil
		}
		if err != nil {
			return err
		}
		d.watch = have
		return nil
	})
	if err != nil {
		return err
	}
	first := d.watch.Program == [32]byte{} && d.watch.ProfileHash == ""
	if !first {
		if err := d.watch.Differs(want); err != nil {
			return err
		}
	}
	if err := d.knownProgram(ctx); err != nil {
		return err
	}
	d.awaitUp(ctx)
	if first {
		if err := d.begin(ctx, &want); err != nil {
			return err
		}
		err := d.write(saving, "bind the database", func(w *store.Writer) (err error) {
			d.watch, err = w.Bind(saving, want)
			return err
		})
		if err != nil {
			return err
		}
		d.Log.Info("auditing begins", zap.Int64("audited_from_slot", d.watch.AuditedFrom))
	} else {
		d.Log.Info("auditing goes on", zap.Int64("audited_from_slot", d.watch.AuditedFrom), zap.Int64("frontier_slot", d.watch.Frontier))
		if err := d.openGap(saving, "not_running", "the daemon was stopped or killed", uint64(max(d.watch.Frontier, 0))); err != nil {
			return err
		}
	}
	d.late.below(d.watch.Frontier)
	d.state.bound(d.watch)
	return nil
}

// begin finds the first slot to audit. A node that keeps less than was asked
// for moves it up: coverage that nobody has is not claimed.
func (d *Daemon) begin(ctx context.Context, want *store.Watch) error {
	return d.patiently(ctx, "find where history begins", d.state.node, func() error {
		slot, err := d.Client.Slot(ctx, rpc.Finalized)
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
		first, err := d.Client.FirstAvailableBlock(ctx)
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

// firstBlocks: a chain's first available block may be 1 where slot 0 holds no
// transactions; that is no pruned history.
const firstBlocks = 1

// knownProgram refuses an address at which the node has no program.
func (d *Daemon) knownProgram(ctx context.Context) error {
	var found rpc.Program
	err := d.patiently(ctx, "look for the program", d.state.node, func() (err error) {
		found, err = d.Client.ProgramExists(ctx, keyText(d.Program))
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

// ErrNoProgram means that the address to follow is not a program's.
var ErrNoProgram = errors.New("no program at that address")

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
			d.Log.Warn("no subscription yet; the record is read without it")
			return
		case <-ctx.Done():
			return
		}
	}
}

// leave records the gap that a stop begins, and frees the lock.
func (d *Daemon) leave(ctx context.Context) {
	if d.writer == nil || d.writer.Closed() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, shutdownGrace/3)
	defer cancel()
	if _, bound := d.state.boundTo(); bound {
		if err := d.writer.OpenGap(ctx, "not_running", "the daemon was stopped", d.state.frontierSlot()); err != nil {
			d.Log.Warn("the stop was not recorded as a gap; the next start will", zap.Error(err))
		}
	}
	_ = d.writer.Close(ctx)
}

// kick makes the reconciler begin a pass at once, or another one after this.
func (d *Daemon) kick() {
	select {
	case d.kicks <- struct{}{}:
	default:
	}
}
