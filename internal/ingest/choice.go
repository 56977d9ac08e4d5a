package ingest

import (
	"context"
	"errors"
	"slices"

	"minesaudit/internal/rpc"
)

// A pass reads from one node from its beginning to its end: two nodes' lists do not
// go on where the other's ended. Another one is chosen between two passes, or after
// one that failed by the node's fault.

// tries is how often one call of a node is tried. Where there is another one, a pass
// is rather given up and begun again there.
func (d *Daemon) tries(node *rpc.Node) int {
	if len(d.Nodes.Others(node)) > 0 {
		return fetchTries / 2
	}
	return fetchTries
}

// judgeNode lets the choice of the next pass's node know how this one did. After a
// fault of its node the next pass begins at once, if there is another one.
func (d *Daemon) judgeNode(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil:
	case err == nil:
		d.Nodes.Praise(d.node)
	case nodesFault(err):
		d.Nodes.Blame(d.node, err)
		if len(d.Nodes.Others(d.node)) > 0 && d.Nodes.Record() != d.node {
			d.kick()
		}
	}
}

// nodesFault tells what a node did from what the database or the daemon did.
func nodesFault(err error) bool {
	faults := []error{errBackwards, errImplausible, errBehind, rpc.ErrListOrder, errPruned, errDisagrees}
	return slices.ContainsFunc(faults, func(f error) bool { return errors.Is(err, f) }) ||
		!slices.Contains([]rpc.Class{0, rpc.Canceled}, rpc.ClassOf(err))
}

// keptElsewhere reports whether another node keeps history from before a slot.
func (d *Daemon) keptElsewhere(ctx context.Context, slot int64) bool {
	return slices.ContainsFunc(d.Nodes.Others(d.node), func(n *rpc.Node) bool {
		first, err := n.FirstAvailableBlock(ctx)
		return n.Has(rpc.RoleRecord) && err == nil && first < uint64(slot)
	})
}

// check makes a call of a node that another one is held against.
func check[T any](ctx context.Context, call func(context.Context) (T, error)) (T, error) {
	return rpc.Retry(ctx, rpc.RetryPolicy{Tries: checkTries}, call)
}
