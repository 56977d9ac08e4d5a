package backfill

import (
	"context"
	"errors"
	"fmt"
	"time"

	"minesaudit/internal/rpc"
)

// Outcomes that count against a page: the node contradicts itself or another one.
var (
	errDisagrees = errors.New("the node contradicts what was listed")
	errWithheld  = errors.New("the node lists a transaction and does not give it")
)

const (
	// callTries is how often one call is tried before the page is put back.
	callTries = 5
	// nullTries is how often a transaction is asked for that is listed and that the
	// node answers null for: behind one address there may be several nodes.
	nullTries = 4
	// ownPause is how long all leave a node alone that refused and named no time.
	ownPause = 2500 * time.Millisecond
)

// The methods that a node is asked by; the names that its limits go by.
const (
	methodBegins       = "getFirstAvailableBlock"
	methodSignatures   = "getSignaturesForAddress"
	methodStatuses     = "getSignatureStatuses"
	methodTransactions = "getTransaction"
)

// source is a node under its shared budget.
type source struct {
	node    *rpc.Client
	program string
	budget  *Budget
	batch   *batchSize
}

// call makes a request for n transactions, and repeats it as is worth it.
func call[T any](ctx context.Context, s *source, n int, policy rpc.RetryPolicy, do func(context.Context) (T, error)) (T, error) {
	return ask(ctx, s, methodTransactions, n, policy, do)
}

// ask makes a request for which n places of a method are needed, and repeats it as is
// worth it.
func ask[T any](ctx context.Context, s *source, method string, n int, policy rpc.RetryPolicy, do func(context.Context) (T, error)) (T, error) {
	return rpc.Retry(ctx, policy, func(ctx context.Context) (T, error) {
		if err := s.budget.Wait(ctx, method, n); err != nil {
			var none T
			return none, err
		}
		v, err := do(ctx)
		return v, s.refused(ctx, err)
	})
}

// refused lets the others know of a node that wants to be left alone.
func (s *source) refused(ctx context.Context, err error) error {
	if rpc.ClassOf(err) != rpc.RateLimited {
		return err
	}
	pause := ownPause
	if e := (*rpc.Error)(nil); errors.As(err, &e) && e.RetryAfter > 0 {
		pause = e.RetryAfter
	}
	if failed := s.budget.hold(ctx, pause); failed != nil {
		return errors.Join(err, failed)
	}
	return err
}

// signatures is the node's list from a place down, as of a slot that it has to have.
func (s *source) signatures(at rpc.Place, asOf int64) *rpc.SignatureList {
	return rpc.NewSignatureList(rpc.ListOpts{At: at}, func(ctx context.Context, before [64]byte) ([]rpc.SignatureInfo, error) {
		opts := rpc.SignaturesOpts{Commitment: rpc.Finalized, Before: before, MinContextSlot: uint64(max(0, asOf))}
		return ask(ctx, s, methodSignatures, 1, rpc.RetryPolicy{Tries: callTries}, func(ctx context.Context) ([]rpc.SignatureInfo, error) {
			return s.node.Signatures(ctx, s.program, opts)
		})
	})
}

// begins gives the first slot of which the node keeps transactions; 0 where it keeps
// all, or has no such method: then its list's word is all there is.
func (s *source) begins(ctx context.Context) (int64, error) {
	first, err := ask(ctx, s, methodBegins, 1, rpc.RetryPolicy{Tries: callTries}, s.node.FirstAvailableBlock)
	if rpc.ClassOf(err) == rpc.Invalid {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("ask for the first available block: %w", err)
	}
	if first <= firstBlocks {
		return 0, nil
	}
	return int64(min(first, 1<<62)), nil
}

// firstBlocks: a chain's first available block may be 1 where slot 0 holds no
// transactions; that is no pruned history.
const firstBlocks = 1

// status reports whether the node knows a transaction, and as finalized.
func (s *source) status(ctx context.Context, name [64]byte) (known, finalized bool, err error) {
	statuses, err := ask(ctx, s, methodStatuses, 1, rpc.RetryPolicy{Tries: callTries}, func(ctx context.Context) ([]*rpc.SignatureStatus, error) {
		statuses, _, err := s.node.SignatureStatuses(ctx, [][64]byte{name}, true)
		return statuses, err
	})
	if err != nil {
		return false, false, fmt.Errorf("ask for the status of %s: %w", rpc.SignatureString(name), err)
	}
	return statuses[0] != nil, statuses[0] != nil && statuses[0].Commitment == rpc.Finalized, nil
}
