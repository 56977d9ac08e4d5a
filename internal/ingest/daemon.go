package ingest

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// historyCheckSlots is how far behind the frontier may be before the node is
// asked again whether it still keeps what lies between.
const historyCheckSlots = 10_000

// Daemon follows one program. Make it with New, run it once.
type Daemon struct {
	Config

	state *state
	late  late
	asked asked
	cuts  chan cut
	kicks chan struct{}

	turn    chan struct{} // held while writing
	writer  *store.Writer // guarded by turn
	lookUps int           // guarded by turn: batches of the stream that are still to be compared with the record

	node           *rpc.Node // reconcile's: the one that a pass reads from, set before it begins
	finalized      int64     // reconcile's: the highest finalized slot seen
	historyChecked *rpc.Node // reconcile's: the node whose history was last looked at
	timeless       *rpc.Node // reconcile's: the node that had no time of a slot when last waited for
	pruning        pruning   // reconcile's
	examining      examining // reconcile's
	examiner       *examiner
	heldAgainst    recent[store.Examination]

	counted   recent[store.Totals]
	covered   recent[covered]
	unsettled recent[map[verify.Verdict]int64]
	toRead    recent[Waiting]
}

// New makes a daemon; nothing is connected yet.
func New(cfg Config) *Daemon {
	if cfg.Stage == 0 {
		cfg.Stage = defaultStage
	}
	return &Daemon{
		Config: cfg, examiner: newExaminer(), state: newState(), asked: newAsked(), cuts: make(chan cut), kicks: make(chan struct{}, 1), turn: make(chan struct{}, 1), finalized: -1,
	}
}

// Run waits for as long as another daemon leads, and follows the program until
// ctx ends; then it saves what is under way, records the gap that begins and
// returns nil. It fails with store.ErrOtherWatch or store.ErrSchemaNewer at the
// start, and with store.ErrLocked when another daemon has taken over.
//
//	         ┌──────────── items ───────────► live ──┐
//	stream ──┘         answer ◄── announced ──┘▲▲    │
//	                      └──── transactions ──┘│    ├─ decode, assemble, judge ─► save ─► PostgreSQL
//	                                      cut  │     │
//	nodes  ◄── slots, lists, transactions ── reconcile
//	       ◄── lists, transactions ───────── examineOn, where there are several
//	       ◄── older ones ────────────────── Beside, by a queue and turns of its own
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
		g.Go(func() error { return d.Nodes.Watch(streaming) })
		if err := d.bind(ctx, saving); err != nil {
			return err
		}
		work, ctx := errgroup.WithContext(ctx)
		for range askers {
			work.Go(func() error { return d.answer(ctx) })
		}
		work.Go(func() error { return d.beats(ctx, saving) })
		work.Go(func() error { return d.live(ctx, saving) })
		work.Go(func() error { return d.reconcile(ctx, saving) })
		work.Go(func() error { return d.examineOn(ctx, saving) })
		if d.Beside != nil {
			work.Go(func() error { d.Beside(ctx); return nil })
		}
		return work.Wait()
	})
	err := g.Wait()
	d.leave(saving)
	if err != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// leave records the gap that a stop begins, and frees the lock.
func (d *Daemon) leave(ctx context.Context) {
	if d.writer == nil || d.writer.Closed() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, shutdownGrace/3)
	defer cancel()
	if _, bound := d.state.boundTo(); bound {
		store.CrashAt(store.CrashLeaving)
		if err := d.writer.OpenGap(ctx, notRunning, "the daemon was stopped", d.state.frontierSlot()); err != nil {
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
