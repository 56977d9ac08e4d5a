package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// SignatureInfo is one line of an address's history. It also tells of failed
// transactions and of those that only mention the address.
type SignatureInfo struct {
	Signature    [64]byte
	Slot         uint64
	Err          []byte // compact JSON of the transaction's error; nil = succeeded
	BlockTime    int64  // unix seconds, where HasBlockTime
	HasBlockTime bool
}

// SignaturesOpts narrows a page of history.
type SignaturesOpts struct {
	Commitment     Commitment // confirmed or finalized; empty = finalized
	Before         [64]byte   // begin below this transaction; zero = at the newest
	MinContextSlot uint64     // a node that is not there yet answers Unavailable (-32016); 0 = do not ask
	Limit          int        // 1 to 1000; 0 = 1000
}

// Signatures gives one page of a program's history, newest first: in falling order of
// slots, the order inside a slot being the node's own. The answer has no context slot
// of its own, and a page shorter than the limit is the end only of what this node has.
// A Before that the node does not know is NotFound on some nodes and an empty page on
// others. The `until` parameter is not offered: a node that does not know it returns
// the newest 1,000 as if all were new.
func (c *Client) Signatures(ctx context.Context, program string, opts SignaturesOpts) ([]SignatureInfo, error) {
	limit := opts.Limit
	if limit <= 0 {
		limit = 1000
	}
	o := object{"limit": limit, "commitment": Finalized}
	if opts.Commitment != "" {
		o["commitment"] = opts.Commitment
	}
	if opts.Before != ([64]byte{}) {
		o["before"] = SignatureString(opts.Before)
	}
	if opts.MinContextSlot != 0 {
		o["minContextSlot"] = opts.MinContextSlot
	}
	var text rawText
	if err := c.call(ctx, methodSignatures, []any{program, o}, &text); err != nil {
		return nil, err
	}
	infos, err := readSignatures(string(text))
	if err != nil {
		return nil, malformed(methodSignatures, err.Error())
	}
	return infos, nil
}

// readSignatures reads a page. Lines as nodes write them are read in one go over the
// text; whatever surprises there is left to readSignaturesAny.
func readSignatures(text string) ([]SignatureInfo, error) {
	if infos, ok := readSignaturesQuick(text); ok {
		return infos, nil
	}
	return readSignaturesAny([]byte(text))
}

func readSignaturesAny(text []byte) ([]SignatureInfo, error) {
	var lines []wireSignature
	if err := json.Unmarshal(text, &lines); err != nil {
		return nil, errors.New("the result is not of the documented form")
	}
	infos := make([]SignatureInfo, len(lines))
	for i := range lines {
		info, err := lines[i].info()
		if err != nil {
			return nil, fmt.Errorf("line %d of %d: %w", i+1, len(lines), err)
		}
		infos[i] = info
	}
	return infos, nil
}

type wireSignature struct {
	Signature string          `json:"signature"`
	Slot      *uint64         `json:"slot"`
	Err       json.RawMessage `json:"err"`
	BlockTime *int64          `json:"blockTime"`
}

func (w *wireSignature) info() (SignatureInfo, error) {
	var info SignatureInfo
	if w.Slot == nil {
		return info, errNoSlot
	}
	sig, err := ParseSignature(w.Signature)
	if err != nil {
		return info, ErrNoSignature
	}
	info = SignatureInfo{Signature: sig, Slot: *w.Slot, Err: txErr(w.Err)}
	if w.BlockTime != nil {
		info.BlockTime, info.HasBlockTime = *w.BlockTime, true
	}
	return info, nil
}

// txErr makes the texts of one error equal whichever node wrote them: no space, and
// nil for null and absent. raw is valid JSON.
func txErr(raw json.RawMessage) []byte {
	if isNull(raw) {
		return nil
	}
	var b bytes.Buffer
	b.Grow(len(raw))
	if json.Compact(&b, raw) != nil {
		return bytes.Clone(raw)
	}
	return b.Bytes()
}
