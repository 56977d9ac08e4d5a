//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
)

// page is how many signatures a node gives at most in one answer.
const page = 1000

// List walks the node's list of a program's transactions from the newest to the oldest, page by page.
func (c *Chain) List(ctx context.Context, program solana.PublicKey) (all []solana.Signature, pages int, err error) {
	limit := page
	for opts := (&rpc.GetSignaturesForAddressOpts{Limit: &limit, Commitment: rpc.CommitmentFinalized}); ; pages++ {
		var got []*rpc.TransactionSignature
		err := poll(ctx, 10*time.Second, func(ctx context.Context) (bool, error) {
			var err error
			got, err = c.rpc.GetSignaturesForAddressWithOpts(ctx, program, opts)
			return err == nil, nil
		})
		if err != nil {
			return nil, pages, fmt.Errorf("list the transactions of %s: %w", program, err)
		}
		for _, s := range got {
			all = append(all, s.Signature)
		}
		if len(got) < page {
			return all, pages + 1, nil
		}
		opts.Before = got[len(got)-1].Signature
	}
}
