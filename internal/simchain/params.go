package simchain

import (
	"encoding/json"

	"github.com/gagliardetto/solana-go/base58"
)

// commitment is how sure a node is of a block. Here every block is confirmed as
// soon as it is made, so processed and confirmed are the same.
type commitment uint8

const (
	finalized commitment = iota // the default
	confirmed
	processed
)

// options is the configuration object of a request: every method picks its own.
type options struct {
	Commitment         string  `json:"commitment"`
	MinContextSlot     *uint64 `json:"minContextSlot"`
	Limit              *int64  `json:"limit"`
	Before             string  `json:"before"`
	Until              string  `json:"until"`
	Encoding           string  `json:"encoding"`
	MaxVersion         *int64  `json:"maxSupportedTransactionVersion"`
	TransactionDetails string  `json:"transactionDetails"`
	SearchHistory      bool    `json:"searchTransactionHistory"`

	level commitment
}

// options reads the configuration object at place i of the parameters, if there
// is one. A slot that the client insists on and that the node has not reached is
// an error.
func (n *Node) options(r request, i int) (options, *rpcError) {
	o, fault := n.configuration(r, i)
	if fault != nil {
		return o, fault
	}
	switch o.Commitment {
	case "finalized", "max", "root", "":
		o.level = finalized
	case "confirmed", "single", "singleGossip":
		o.level = confirmed
	case "processed", "recent":
		o.level = processed
	default:
		return o, invalidParams("unknown commitment %q", o.Commitment)
	}
	if at := n.tipSlot(o.level); o.MinContextSlot != nil && at < *o.MinContextSlot {
		return o, contextNotReached(at)
	}
	return o, nil
}

// configuration reads the object itself. A client sends the same one over and over:
// the last one is remembered.
func (n *Node) configuration(r request, i int) (o options, fault *rpcError) {
	if i >= len(r.Params) {
		return o, nil
	}
	raw := r.Params[i]
	if last := n.last.Load(); last != nil && string(raw) == last.raw {
		return last.options, nil
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		// Older clients give the encoding alone.
		if json.Unmarshal(raw, &o.Encoding) != nil {
			return o, invalidParams("configuration: %v", err)
		}
	}
	n.last.Store(&lastOptions{string(raw), o})
	return o, nil
}

// lastOptions is a configuration object and what it says.
type lastOptions struct {
	raw string
	options
}

// settledOptions is options for methods that answer from stored blocks, which are
// at least confirmed.
func (n *Node) settledOptions(r request, i int) (options, *rpcError) {
	o, fault := n.options(r, i)
	if fault == nil && o.level == processed {
		return o, &rpcError{Code: -32602, Message: "Method does not support commitment below `confirmed`"}
	}
	return o, fault
}

func (r request) keyAt(i int) (Key, *rpcError) {
	var text string
	if i >= len(r.Params) || json.Unmarshal(r.Params[i], &text) != nil {
		return Key{}, invalidParams("parameter %d must be an address", i)
	}
	k, err := parseKey(text)
	if err != nil {
		return Key{}, invalidParams("%v", err)
	}
	return k, nil
}

func (r request) slotAt(i int) (uint64, *rpcError) {
	var slot uint64
	if i >= len(r.Params) || json.Unmarshal(r.Params[i], &slot) != nil {
		return 0, invalidParams("parameter %d must be a slot", i)
	}
	return slot, nil
}

func (r request) signatureAt(i int) ([64]byte, *rpcError) {
	var text string
	if i >= len(r.Params) || json.Unmarshal(r.Params[i], &text) != nil {
		return [64]byte{}, invalidParams("parameter %d must be a signature", i)
	}
	return parseSignature(text)
}

func parseSignature(text string) ([64]byte, *rpcError) {
	var sig [64]byte
	if err := base58.Decode64(text, &sig); err != nil {
		return sig, invalidParams("signature %q: %v", text, err)
	}
	return sig, nil
}
