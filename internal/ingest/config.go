package ingest

import (
	"context"
	"time"

	"go.uber.org/zap"

	"minesaudit/internal/emitted"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// Config is what a Daemon works with. Everything is required unless said
// otherwise.
type Config struct {
	Program     [32]byte
	ProfileHash string
	VoidCeiling *float64 // nil: the profile has none
	Rules       verify.Rules
	From        From           // where history begins, at the first start only
	Live        rpc.Commitment // of the log subscription: confirmed or finalized
	Interval    time.Duration  // between two passes of the reconciler

	// Stage is about how many stored transactions one pass goes beyond the frontier:
	// what a daemon that is stopped again and again still gets done. 0: 10,000.
	Stage int

	// How long is kept what no count or standing verdict rests on: verdicts that
	// another one superseded, and transactions without an event. 0: for ever.
	KeepSuperseded, KeepEventless time.Duration

	Nodes   *rpc.Pool
	Stream  Stream
	Reader  emitted.Reader
	Store   *store.Store
	Metrics *Metrics
	Log     *zap.Logger

	// Sample is the share of intact transactions, 0 to 1, of which a second node is
	// asked as well, where there is one.
	Sample float64
	// AwaitSecond is how long the frontier waits for a second node that cannot be asked,
	// where several are configured, before it passes slots on one node's word. 0: not
	// at all.
	AwaitSecond time.Duration

	// Beside, if set, runs while this daemon leads, and ends soon after ctx has: the lead
	// is given up when it has ended. Waiting, if set, tells what is left of its work.
	Beside  func(ctx context.Context)
	Waiting func(ctx context.Context) (Waiting, error)

	// OnVerdict, if set, hears of each verdict after its commit, in the order of
	// commits. It holds the next commit back while it runs.
	OnVerdict func(*store.Game, *store.Verdict)
}

// Stream is the log subscription: of one node, or of several heard as one. See
// rpc.Stream for what its methods promise.
type Stream interface {
	Run(ctx context.Context) error
	Items() <-chan rpc.Item
	Head() uint64
	State() rpc.State
}

// From says where the first start of a database begins.
type From struct {
	Now  bool   // at the finalized slot of that moment
	Slot uint64 // else at this slot; 0 is genesis
}

const (
	// defaultStage is Config.Stage where it is not set.
	defaultStage = 10_000
	// overlapSlots is how far below the frontier a pass reads on, at most one
	// page: order inside a slot differs between nodes, and lists have holes.
	overlapSlots = 150
	// fetchers is how many getTransaction calls are under way at once.
	fetchers = 16
	// fetchTries is how often one call is tried before the pass is given up.
	fetchTries = 6
	// checkTries is how often a call is tried by which one node is held against
	// another. One refused call must not leave a range of slots to one node's word.
	checkTries = 4
	// finalizedMargin is how far a pass stays behind the finalized slot when the
	// stream itself is finalized: the list would always be ahead of it, and each
	// transaction fetched although its notification is about to come.
	finalizedMargin = 8
	// lateMost bounds what is kept aside below the cut. More than that is left to the list.
	lateMost = 10_000
	// slowAfter is how long a try may take before the database is shown as failing.
	slowAfter = 10 * time.Second
	// writeTimeout bounds one try at a batch, reading included.
	writeTimeout = 2 * time.Minute
	// shutdownGrace is how long saving may go on after a stop was asked for.
	shutdownGrace = 15 * time.Second
)
