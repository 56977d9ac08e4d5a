package backfill

import (
	"context"
	"fmt"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// Meet checks that the node to be read from is of the record's chain, and has the
// pool hold the others against that: store.ErrOtherWatch if it is not. Of several
// nodes the pool leaves one after some failures, and gives another.
func Meet(ctx context.Context, nodes *rpc.Pool, have store.Watch) error {
	var node *rpc.Node
	genesis, err := rpc.Retry(ctx, rpc.RetryPolicy{Tries: callTries * len(nodes.Health())}, func(ctx context.Context) ([32]byte, error) {
		node = nodes.Record()
		return node.GenesisHash(ctx)
	})
	if err != nil {
		return fmt.Errorf("ask the node for its chain: %w", err)
	}
	if err := have.Differs(store.Watch{Genesis: genesis, Program: have.Program, ProfileHash: have.ProfileHash}); err != nil {
		return err
	}
	nodes.Expect(genesis, node)
	return nil
}
