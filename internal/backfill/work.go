package backfill

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"go.uber.org/zap"

	"minesaudit/internal/ingest"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// pgxTx is the transaction in which a job is completed.
type pgxTx = pgx.Tx

// page reads one page at a node and stores it.
func (k *pageWorker) page(ctx context.Context, node *rpc.Node, w *store.Writer, job *river.Job[Page]) error {
	s := k.source(node)
	p := &job.Args
	list, err := s.list(ctx, p)
	if err != nil {
		return err
	}
	covers := list.covers(p.span())
	if k.Nodes.CanCheck() {
		for i := range covers {
			covers[i].Alone = node.Name()
		}
	}
	listed := &ingest.Listed{Span: p.span(), Txs: list.txs}
	lacking, err := k.History.Compare(ctx, w, listed)
	if err != nil {
		return err
	}
	found := &ingest.Found{}
	if found.Txs, err = s.fetch(ctx, lacking.Fetch); err != nil {
		return err
	}
	found.Txs = append(found.Txs, lacking.Failed...)
	if err := s.unlisted(ctx, lacking.Unlisted, found); err != nil {
		return err
	}
	kept, err := k.History.Save(ctx, w, listed, &lacking, found, covers, complete(job))
	if err != nil {
		return err
	}
	for i := range covers {
		if c := &covers[i]; !c.Complete() {
			k.Log.Warn("slots could not be had", zap.Int64("from_slot", c.From), zap.Int64("to_slot", c.To), zap.String("reason", c.Reason))
		}
	}
	if k.OnKept != nil {
		k.OnKept(*p, kept)
	}
	return nil
}

// complete ends the job within the transaction that stores its rows. It fails, and
// the rows with it, where the job is another worker's by now.
func complete(job *river.Job[Page]) func(context.Context, pgx.Tx) error {
	return func(ctx context.Context, tx pgx.Tx) error {
		if _, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job); err != nil {
			return fmt.Errorf("complete the job: %w", err)
		}
		return nil
	}
}

// mostReason bounds what is kept of an error as a reason.
const mostReason = 300

// lacking gives a page up: its slots are on record with the reason.
func (k *pageWorker) lacking(ctx context.Context, w *store.Writer, job *river.Job[Page], why error) error {
	reason := why.Error()
	reason = reason[:min(len(reason), mostReason)]
	p := &job.Args
	k.Log.Error("slots could not be had", zap.Int64("from_slot", p.From), zap.Int64("to_slot", p.To), zap.String("reason", reason))
	_, err := w.Commit(ctx, &store.Batch{
		Covers: []store.Covered{{From: p.From, To: p.To, Source: store.SourceBackfill, Reason: reason}},
	}, complete(job))
	return err
}
