package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// errDisagrees is a node that gives a transaction another slot or outcome than
// its own list: it answers from two states, and may agree with itself later.
var errDisagrees = errors.New("the node's transaction and its signature list disagree")

// fetch gets listed transactions, or none of them: a pass never goes on past
// one that it could not get. Failed ones are complete as the list tells them,
// and what the stream told of the same slot and outcome need not be asked for.
//
// A node may list what it does not give yet. All of those are waited for at once:
// one after another, a page of a node that lags by a second would take minutes.
func (d *Daemon) fetch(ctx context.Context, listed []rpc.SignatureInfo) ([]arrival, error) {
	found := make([]arrival, len(listed))
	var todo []int
	for i := range listed {
		if tx := d.without(&listed[i]); tx != nil {
			found[i] = d.arrive(*tx, true, time.Time{})
			continue
		}
		todo = append(todo, i)
	}
	for wait := firstLook; ; wait *= 2 {
		lacking, err := d.fetchThose(ctx, listed, todo, found)
		switch {
		case err == nil:
			return found, nil
		case store.Weak(store.WeakSkipUnfetched):
			return slices.DeleteFunc(found, func(a arrival) bool { return a.tx.Signature == [64]byte{} }), nil
		case !errors.Is(err, rpc.NotFound) || wait >= firstLook<<(d.tries(d.node)-1):
			return nil, err
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
		todo = lacking
	}
}

// firstLook is how long after its list a node is asked again for what it answered
// null for; each next time is twice as long after the one before.
const firstLook = 250 * time.Millisecond

// fetchThose asks for some of the listed. It returns those that the node answers null
// for, with that as an error; any other error ends the asking.
func (d *Daemon) fetchThose(ctx context.Context, listed []rpc.SignatureInfo, todo []int, found []arrival) (lacking []int, err error) {
	refused := make([]error, len(todo))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(fetchers)
	for n, i := range todo {
		g.Go(func() error {
			tx, err := d.transaction(gctx, &listed[i])
			if errors.Is(err, rpc.NotFound) {
				refused[n] = err
				return nil
			}
			if err != nil {
				return err
			}
			found[i] = d.arriveFrom(d.node.Name(), *tx, true, time.Time{})
			if !found[i].whole() {
				d.Metrics.unreadable(found[i].trouble())
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for n, refusal := range refused {
		if refusal != nil {
			lacking, err = append(lacking, todo[n]), refusal
		}
	}
	return lacking, err
}

// without gives a listed transaction that needs no call; else nil.
func (d *Daemon) without(info *rpc.SignatureInfo) *rpc.Tx {
	if tx := failedTx(info); tx != nil {
		return tx
	}
	tx := d.late.get(info.Signature)
	if tx == nil || tx.Slot != info.Slot || tx.Err != nil {
		return nil
	}
	if a := d.arrive(*tx, true, time.Time{}); !a.whole() {
		return nil
	}
	return tx
}

// failedTx is a transaction that failed, of which a list tells all there is to know;
// nil for one that succeeded.
func failedTx(info *rpc.SignatureInfo) *rpc.Tx {
	if info.Err == nil {
		return nil
	}
	return &rpc.Tx{Signature: info.Signature, Slot: info.Slot, Err: info.Err, BlockTime: info.BlockTime, HasBlockTime: info.HasBlockTime}
}

func (d *Daemon) transaction(ctx context.Context, info *rpc.SignatureInfo) (*rpc.Tx, error) {
	tx, err := rpc.Retry(ctx, rpc.RetryPolicy{Tries: d.tries(d.node)}, func(ctx context.Context) (*rpc.Tx, error) {
		return d.node.Transaction(ctx, info.Signature, rpc.Finalized)
	})
	if err != nil {
		return nil, fmt.Errorf("fetch transaction %s of slot %d: %w", signatureText(info.Signature), info.Slot, err)
	}
	if tx.Slot != info.Slot || (!tx.StatusMissing && tx.Err != nil) {
		return nil, fmt.Errorf("%w: %s is listed in slot %d as succeeded, and given in slot %d", errDisagrees, signatureText(info.Signature), info.Slot, tx.Slot)
	}
	return tx, nil
}

// byName asks a node for transactions that its list does not have. It returns
// those that it knows as finalized, and the names of those that it does not.
func (d *Daemon) byName(ctx context.Context, names [][64]byte) (found []arrival, unknown [][64]byte, err error) {
	got := make([]*rpc.Tx, len(names))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(fetchers)
	for i := range names {
		g.Go(func() (err error) {
			got[i], err = rpc.Retry(gctx, rpc.RetryPolicy{Tries: d.tries(d.node)}, func(ctx context.Context) (*rpc.Tx, error) {
				return d.node.Transaction(ctx, names[i], rpc.Finalized)
			})
			if errors.Is(err, rpc.NotFound) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("ask for transaction %s: %w", signatureText(names[i]), err)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	for i, tx := range got {
		if tx == nil {
			unknown = append(unknown, names[i])
			continue
		}
		if tx.StatusMissing {
			return nil, nil, fmt.Errorf("ask for transaction %s: the node does not keep its outcome", signatureText(names[i]))
		}
		found = append(found, d.arriveFrom(d.node.Name(), *tx, true, time.Time{}))
	}
	return found, unknown, d.trulyUnknown(ctx, unknown)
}

// trulyUnknown fails if the node has a status of a transaction that it does
// not give: a null answer alone drops nothing.
func (d *Daemon) trulyUnknown(ctx context.Context, names [][64]byte) error {
	for chunk := range slices.Chunk(names, rpc.MaxStatuses) {
		statuses, err := rpc.Retry(ctx, rpc.RetryPolicy{Tries: d.tries(d.node)}, func(ctx context.Context) ([]*rpc.SignatureStatus, error) {
			statuses, _, err := d.node.SignatureStatuses(ctx, chunk, true)
			return statuses, err
		})
		if err != nil {
			return fmt.Errorf("ask for the status of %d transactions: %w", len(chunk), err)
		}
		for i, status := range statuses {
			if status != nil && status.Commitment == rpc.Finalized {
				return fmt.Errorf("%w: it calls %s finalized and does not give it", errDisagrees, signatureText(chunk[i]))
			}
		}
	}
	return nil
}
