package backfill

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"minesaudit/internal/ingest"
	"minesaudit/internal/rpc"
)

// fetchers is how many requests for one page are under way at once.
const fetchers = 8

// batchSize is how many transactions one request asks for, as far as the node takes
// it. It is shared by all pages of a process: what one has learnt the others keep to.
type batchSize struct{ atomic.Int64 }

// newBatchSize begins at what the operator allows, and at no more than a quarter of a
// second's budget, so that no second is crowded.
func newBatchSize(most int, perSecond float64) *batchSize {
	if perSecond > 0 {
		most = min(most, int(perSecond/4))
	}
	b := &batchSize{}
	b.Store(int64(max(1, most)))
	return b
}

// refuse halves what was too long, or no batch at all for the node; 1 is none.
func (b *batchSize) refuse(size int) {
	b.CompareAndSwap(int64(size), int64(max(1, size/2)))
}

// fetch gets all listed transactions, or none of them: a page is never stored with one
// missing.
func (s *source) fetch(ctx context.Context, listed []rpc.SignatureInfo) ([]*rpc.Tx, error) {
	found := make([]*rpc.Tx, len(listed))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(fetchers)
	for at := 0; at < len(listed); {
		size := min(int(s.batch.Load()), len(listed)-at)
		part, into := listed[at:at+size], found[at:at+size]
		at += size
		g.Go(func() error { return s.part(ctx, part, into) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return found, nil
}

// part gets some transactions in one request, and one by one what that did not give.
func (s *source) part(ctx context.Context, listed []rpc.SignatureInfo, into []*rpc.Tx) error {
	if len(listed) > 1 {
		if err := s.together(ctx, listed, into); err != nil {
			return err
		}
	}
	for i := range listed {
		if into[i] != nil {
			continue
		}
		tx, err := s.transaction(ctx, listed[i].Signature, nullTries)
		if err == nil {
			err = agrees(tx, &listed[i])
		}
		if err != nil {
			return err
		}
		into[i] = tx
	}
	return nil
}

// together fills in what one batch gives. What it does not give, for whatever reason
// but a refusal for its rate, is left to be asked for singly.
func (s *source) together(ctx context.Context, listed []rpc.SignatureInfo, into []*rpc.Tx) error {
	names := make([][64]byte, len(listed))
	for i := range listed {
		names[i] = listed[i].Signature
	}
	got, err := call(ctx, s, len(names), rpc.RetryPolicy{Tries: callTries}, func(ctx context.Context) ([]rpc.Fetched, error) {
		return s.node.Transactions(ctx, names, rpc.Finalized)
	})
	if rpc.ClassOf(err) == rpc.Invalid {
		s.batch.refuse(len(names))
		half := len(listed) / 2
		for _, cut := range [][2]int{{0, half}, {half, len(listed)}} {
			if cut[1]-cut[0] < 2 {
				continue
			}
			if err := s.together(ctx, listed[cut[0]:cut[1]], into[cut[0]:cut[1]]); err != nil {
				return err
			}
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("fetch %d transactions of slots %d to %d: %w", len(names), listed[len(listed)-1].Slot, listed[0].Slot, err)
	}
	for i := range got {
		if got[i].Err != nil {
			if err := s.refused(ctx, got[i].Err); rpc.ClassOf(err) == rpc.UnsupportedVersion {
				return fmt.Errorf("fetch transaction %s of slot %d: %w", rpc.SignatureString(names[i]), listed[i].Slot, err)
			}
			continue
		}
		if err := agrees(got[i].Tx, &listed[i]); err != nil {
			return err
		}
		into[i] = got[i].Tx
	}
	return nil
}

// transaction asks for one by name; tries above 1 are for one that is listed.
func (s *source) transaction(ctx context.Context, name [64]byte, tries int) (*rpc.Tx, error) {
	tx, err := call(ctx, s, 1, rpc.RetryPolicy{Tries: max(tries, callTries), NotFound: tries > 1}, func(ctx context.Context) (*rpc.Tx, error) {
		return s.node.Transaction(ctx, name, rpc.Finalized)
	})
	if err != nil && tries > 1 && rpc.ClassOf(err) == rpc.NotFound {
		return nil, fmt.Errorf("%w: %s: %w", errWithheld, rpc.SignatureString(name), err)
	}
	if err != nil {
		return nil, fmt.Errorf("fetch transaction %s: %w", rpc.SignatureString(name), err)
	}
	return tx, nil
}

// agrees holds a transaction against the list's line of it.
func agrees(tx *rpc.Tx, info *rpc.SignatureInfo) error {
	if tx.Slot != info.Slot || (!tx.StatusMissing && tx.Err != nil) {
		return fmt.Errorf("%w: %s is listed in slot %d as succeeded, and given in slot %d otherwise",
			errDisagrees, rpc.SignatureString(info.Signature), info.Slot, tx.Slot)
	}
	return nil
}

// unlisted asks by name for what is stored in a page's slots and is not in its list.
// Only what the node neither gives nor calls finalized was dropped.
func (s *source) unlisted(ctx context.Context, names [][64]byte, found *ingest.Found) error {
	for _, name := range names {
		tx, err := s.transaction(ctx, name, 1)
		if err == nil && tx.StatusMissing {
			return fmt.Errorf("%w: it does not keep the outcome of %s", errWithheld, rpc.SignatureString(name))
		}
		if err == nil {
			found.ByName = append(found.ByName, tx)
			continue
		}
		if !errors.Is(err, rpc.NotFound) {
			return err
		}
		_, finalized, err := s.status(ctx, name)
		if err != nil {
			return err
		}
		if finalized {
			return fmt.Errorf("%w: %s, which it calls finalized", errWithheld, rpc.SignatureString(name))
		}
		found.Unknown = append(found.Unknown, name)
	}
	return nil
}
