package rpc

import (
	"context"
	"encoding/json"
	"fmt"
)

// MaxStatuses is how many signatures one SignatureStatuses may ask for.
const MaxStatuses = 256

// SignatureStatus is what a node knows of one transaction.
type SignatureStatus struct {
	Slot       uint64
	Err        []byte // compact JSON of the transaction's error; nil = succeeded
	Commitment Commitment
}

// SignatureStatuses asks for transactions by name. The answer has an entry for each
// signature, in order, nil where the node does not know it; asOf is the slot at which
// the node looked. Without searchHistory a node looks only at its last few hundred slots.
func (c *Client) SignatureStatuses(ctx context.Context, sigs [][64]byte, searchHistory bool) (statuses []*SignatureStatus, asOf uint64, err error) {
	if len(sigs) > MaxStatuses {
		return nil, 0, &Error{
			Method: methodStatuses, Class: Invalid,
			Message: fmt.Sprintf("%d signatures asked for, at most %d go into one request", len(sigs), MaxStatuses),
		}
	}
	names := make([]string, len(sigs))
	for i, sig := range sigs {
		names[i] = SignatureString(sig)
	}
	var answer struct {
		Context struct {
			Slot *uint64 `json:"slot"`
		} `json:"context"`
		Value []*wireStatus `json:"value"`
	}
	params := []any{names, object{"searchTransactionHistory": searchHistory}}
	if err := c.call(ctx, methodStatuses, params, &answer); err != nil {
		return nil, 0, err
	}
	if len(answer.Value) != len(sigs) || answer.Context.Slot == nil {
		return nil, 0, malformed(methodStatuses, fmt.Sprintf("%d statuses for %d signatures, or no slot", len(answer.Value), len(sigs)))
	}
	statuses = make([]*SignatureStatus, len(sigs))
	for i, w := range answer.Value {
		if w == nil {
			continue
		}
		if w.Slot == nil {
			return nil, 0, malformed(methodStatuses, errNoSlot.Error())
		}
		statuses[i] = &SignatureStatus{Slot: *w.Slot, Err: txErr(w.Err), Commitment: w.commitment()}
	}
	return statuses, *answer.Context.Slot, nil
}

type wireStatus struct {
	Slot          *uint64         `json:"slot"`
	Confirmations *uint64         `json:"confirmations"`
	Err           json.RawMessage `json:"err"`
	Status        Commitment      `json:"confirmationStatus"`
}

// commitment falls back on the older field: null confirmations mean rooted.
func (w *wireStatus) commitment() Commitment {
	switch {
	case w.Status != "":
		return w.Status
	case w.Confirmations == nil:
		return Finalized
	}
	return Processed
}
