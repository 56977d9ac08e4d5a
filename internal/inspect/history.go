package inspect

import (
	"context"
	"fmt"

	"minesaudit/internal/rpc"
)

// history is an address's transactions, newest first.
type history struct {
	entries []rpc.SignatureInfo
	unread  string // why it does not go back to the beginning; empty if it does
}

// history pages an address's transactions back to the first, or to MaxHistory.
// It asks for confirmed ones, so that an end that came a moment ago is seen, of
// a node that is not behind the transaction asked for.
func (n *Node) history(ctx context.Context, address [32]byte, asked *rpc.Tx) (history, error) {
	var (
		h      history
		listed bool
		opts   = rpc.SignaturesOpts{Commitment: rpc.Confirmed, MinContextSlot: asked.Slot}
		policy = rpc.RetryPolicy{Tries: tries, MaxRetryAfter: longestWait}
		name   = rpc.KeyString(address)
	)
	for {
		opts.Limit = min(pageSize, n.MaxHistory-len(h.entries))
		if opts.Limit <= 0 {
			h.unread = fmt.Sprintf("history not read to its beginning: only the newest %d transactions of the game's address were read", len(h.entries))
			return h, nil
		}
		page, err := rpc.Retry(ctx, policy, func(ctx context.Context) ([]rpc.SignatureInfo, error) {
			return n.Client.Signatures(ctx, name, opts)
		})
		if err != nil {
			return history{}, err
		}
		for _, entry := range page {
			listed = listed || entry.Signature == asked.Signature
		}
		h.entries = append(h.entries, page...)
		if len(page) < opts.Limit {
			break
		}
		opts.Before = page[len(page)-1].Signature
	}
	if !listed { // so the list has holes, or the node keeps only a part
		h.unread = "history not read to its beginning: the node's list of the game's address does not hold the transaction asked for"
	}
	return h, nil
}
