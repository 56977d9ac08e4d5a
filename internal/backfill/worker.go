package backfill

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
	"go.uber.org/zap"

	"minesaudit/internal/ingest"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// Workers reads pages and stores them. Everything is required unless said otherwise.
type Workers struct {
	Queue   *Queue
	Store   *store.Store
	Nodes   *rpc.Pool
	Program string
	History *ingest.History
	Budget  func(node string) *Budget // of a node of the pool; the same each time
	Batch   int                       // most transactions in one request; 1 is no batches
	Pages   int                       // worked at once
	Grace   time.Duration             // for pages under way once a stop was asked for; 0: stopGrace
	Log     *zap.Logger

	// OnKept, if set, hears of each page once it is stored. It may be called from
	// several goroutines.
	OnKept func(Page, ingest.Kept)
}

const (
	// stopGrace is how long pages under way may take to be stored once a stop was
	// asked for; after it they are put back.
	stopGrace = 10 * time.Second
	// endGrace bounds the rest.
	endGrace = 15 * time.Second
)

// Run works pages until ctx ends. A page is stored, its slots are claimed and its job
// is completed in one transaction; killed at any moment, whatever was begun is begun
// again by the next to come.
func (w *Workers) Run(ctx context.Context) error {
	name := "history-" + rand.Text()
	here := &presence{queue: w.Queue, name: name}
	switch err := here.show(ctx); {
	case err != nil && ctx.Err() != nil:
		return nil // asked to end before it had begun anything
	case err != nil:
		return err
	}
	defer here.hide(ctx)
	pages := newPageWorker(w)
	defer pages.close()
	client, err := w.client(name, pages)
	if err != nil {
		return err
	}
	if err := client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	defer func() { w.stop(ctx, client) }()
	tick := time.NewTicker(presentEvery)
	defer tick.Stop()
	for {
		w.present(ctx, here)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// present keeps the process's lock, takes up what others have left and what another
// clock has put off. A database that is away comes back.
func (w *Workers) present(ctx context.Context, here *presence) {
	err := here.show(ctx)
	var adopted int64
	if err == nil {
		adopted, err = here.adopt(ctx)
	}
	if err == nil {
		err = w.Queue.rewind(ctx)
	}
	if err != nil && ctx.Err() == nil {
		w.Log.Warn("the job queue cannot be reached; trying again", zap.Error(err))
	}
	if adopted > 0 {
		w.Log.Info("took up pages of a worker that is gone", zap.Int64("pages", adopted))
	}
}

func (w *Workers) client(name string, pages *pageWorker) (*river.Client[pgxTx], error) {
	workers := river.NewWorkers()
	if err := river.AddWorkerSafely(workers, river.Worker[Page](pages)); err != nil {
		return nil, fmt.Errorf("open the job queue: %w", err)
	}
	client, err := river.NewClient(riverpgxv5.New(w.Queue.pool), &river.Config{
		ID: name, Schema: schema, Workers: workers, Logger: slog.New(handler{w.Log}), ErrorHandler: pages,
		Queues: map[string]river.QueueConfig{kind: {MaxWorkers: w.Pages}}, FetchCooldown: 20 * time.Millisecond, FetchPollInterval: time.Second,
		JobTimeout: -1, // at a few calls a second a page takes minutes; each call has its own bound
		// Those of processes that are gone are taken up by presence. This is for one
		// that lives and has lost a job.
		RescueStuckJobsAfter: 24 * time.Hour,
	})
	if err != nil {
		return nil, fmt.Errorf("open the job queue: %w", err)
	}
	return client, nil
}

func (w *Workers) stop(ctx context.Context, client *river.Client[pgxTx]) {
	soft, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(w.Grace, stopGrace))
	defer cancel()
	if client.Stop(soft) == nil {
		return
	}
	hard, cancel := context.WithTimeout(context.WithoutCancel(ctx), endGrace)
	defer cancel()
	if err := client.StopAndCancel(hard); err != nil {
		w.Log.Warn("pages under way were left; another worker takes them up", zap.Error(err))
	}
}

// pageWorker works jobs for the queue's client.
type pageWorker struct {
	river.WorkerDefaults[Page]
	*Workers

	choice  *choice
	writers chan *store.Writer // idle ones
	mu      sync.Mutex
	batches map[string]*batchSize // by node
}

func newPageWorker(w *Workers) *pageWorker {
	return &pageWorker{Workers: w, choice: newChoice(w.Nodes), writers: make(chan *store.Writer, w.Pages), batches: map[string]*batchSize{}}
}

func (k *pageWorker) close() {
	for {
		select {
		case w := <-k.writers:
			_ = w.Close(context.Background())
		default:
			return
		}
	}
}

// writer gives a session that is not in use.
func (k *pageWorker) writer(ctx context.Context) (*store.Writer, error) {
	select {
	case w := <-k.writers:
		if !w.Closed() {
			return w, nil
		}
	default:
	}
	w, _, err := k.Store.OpenWorker(ctx)
	return w, err
}

// back puts a session back.
func (k *pageWorker) back(w *store.Writer) {
	select {
	case k.writers <- w:
	default:
		_ = w.Close(context.Background())
	}
}

// source is a node with its budget.
func (k *pageWorker) source(node *rpc.Node) *source {
	k.mu.Lock()
	defer k.mu.Unlock()
	budget := k.Budget(node.Name())
	batch := k.batches[node.Name()]
	if batch == nil {
		batch = newBatchSize(k.Batch, budget.Pace(methodTransactions))
		k.batches[node.Name()] = batch
	}
	return &source{node: node.Client, program: k.Program, budget: budget, batch: batch}
}

// snooze is when a page is tried again whose node or database was away.
const snooze = 5 * time.Second

// Work reads a page and stores it. What time alone mends costs no attempt; what the
// node got wrong does, and the next one is at another node. After the last the slots
// are on record as lacking.
func (k *pageWorker) Work(ctx context.Context, job *river.Job[Page]) error {
	node := k.choice.pick(ctx, job.Args.From, func(ctx context.Context, n *rpc.Node) (int64, error) { return k.source(n).begins(ctx) })
	w, err := k.writer(ctx)
	if err != nil {
		return k.later(ctx, job, err)
	}
	defer k.back(w)
	err = k.page(ctx, node, w, job)
	switch {
	case err == nil:
		k.choice.trust(node)
		return nil
	case !nodesFault(err):
		return k.later(ctx, job, err)
	}
	k.choice.doubt(node)
	err = fmt.Errorf("node %s: %w", node.Name(), err)
	if job.Attempt < job.MaxAttempts {
		return err
	}
	return k.lacking(ctx, w, job, err)
}

// later puts a page back without an attempt counted.
func (k *pageWorker) later(ctx context.Context, job *river.Job[Page], err error) error {
	if ctx.Err() != nil {
		return err
	}
	k.Log.Warn("a page of history cannot be read now; trying again", zap.Int64("from_slot", job.Args.From), zap.Int64("to_slot", job.Args.To), zap.Error(err))
	return river.JobSnooze(snooze)
}

// nodesFault tells what a node got wrong from what time mends.
func nodesFault(err error) bool {
	switch rpc.ClassOf(err) {
	case rpc.NotFound, rpc.UnsupportedVersion, rpc.NoHistory, rpc.Invalid, rpc.Auth:
		return true
	}
	return errors.Is(err, errDisagrees) || errors.Is(err, rpc.ErrListOrder) || errors.Is(err, errWithheld)
}

// NextRetry doubles the wait up to five minutes.
func (k *pageWorker) NextRetry(job *river.Job[Page]) time.Time {
	return time.Now().Add(min(time.Second<<min(job.Attempt, 9), 5*time.Minute))
}

// HandleError logs what is tried again.
func (k *pageWorker) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	if ctx.Err() == nil {
		k.Log.Warn("a page of history failed; trying again", zap.Int64("job", job.ID), zap.Int("attempt", job.Attempt), zap.Error(err))
	}
	return nil
}

// HandlePanic logs that a page is at fault, not its value: that may be anything.
func (k *pageWorker) HandlePanic(_ context.Context, job *rivertype.JobRow, _ any, trace string) *river.ErrorHandlerResult {
	k.Log.Error("a page of history made the program panic", zap.Int64("job", job.ID), zap.String("stack", trace))
	return nil
}
