//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
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

// answer is the node's answer about a landed transaction as it came.
func (c *Chain) answer(ctx context.Context, sig solana.Signature) (raw json.RawMessage, err error) {
	err = poll(ctx, 10*time.Second, func(ctx context.Context) (bool, error) {
		options := map[string]any{"encoding": "json", "commitment": "finalized", "maxSupportedTransactionVersion": 1}
		err := c.rpc.RPCCallForInto(ctx, &raw, "getTransaction", []any{sig.String(), options})
		return err == nil && string(raw) != "null", nil
	})
	if err != nil {
		return nil, fmt.Errorf("ask for transaction %s: %w", sig, err)
	}
	return raw, nil
}
