package inspect

import (
	"context"
	"fmt"
	"math"

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
		retry  = rpc.RetryPolicy{Tries: tries, MaxRetryAfter: longestWait}
	)
	// A short page is the end, wherever: a game has few transactions, and what is not
	// listed is said below.
	list := n.Client.ListSignatures(rpc.KeyString(address), opts, rpc.ListOpts{From: math.MaxInt64}, retry)
	for ended := false; !ended; {
		part, err := list.Next(ctx)
		if err != nil {
			return history{}, err
		}
		ended = part.Ended
		for _, entry := range part.Txs {
			listed = listed || entry.Signature == asked.Signature
			h.entries = append(h.entries, entry)
			if len(h.entries) == n.MaxHistory {
				h.unread = fmt.Sprintf("history not read to its beginning: only the newest %d transactions of the game's address were read", len(h.entries))
				return h, nil
			}
		}
	}
	if !listed { // so the list has holes, or the node keeps only a part
		h.unread = "history not read to its beginning: the node's list of the game's address does not hold the transaction asked for"
	}
	return h, nil
}
