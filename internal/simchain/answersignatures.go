package simchain

import "encoding/json"

// signatureInfo is an entry of a signature list.
type signatureInfo struct {
	Signature          string          `json:"signature"`
	Slot               uint64          `json:"slot"`
	Err                json.RawMessage `json:"err"`
	Memo               *string         `json:"memo"`
	BlockTime          int64           `json:"blockTime"`
	ConfirmationStatus string          `json:"confirmationStatus"`
}

// maxSignatures is the longest page of a signature list.
const maxSignatures = 1000

// getSignaturesForAddress lists an account's transactions, newest first. As on a
// node, an unknown `until` bounds nothing; an unknown `before` is an error, as
// newer nodes have it.
func (n *Node) getSignaturesForAddress(r request) (any, *rpcError) {
	k, fault := r.keyAt(0)
	if fault != nil {
		return nil, fault
	}
	o, fault := n.settledOptions(r, 1)
	if fault != nil {
		return nil, fault
	}
	limit := int64(maxSignatures)
	if o.Limit != nil {
		limit = *o.Limit
	}
	if limit < 1 || limit > maxSignatures {
		return nil, invalidParams("limit must be 1 to %d", maxSignatures)
	}
	before, fault := n.bound("before", o.Before)
	if fault != nil {
		return nil, fault
	}
	until, fault := n.bound("until", o.Until)
	if fault != nil {
		return nil, fault
	}
	tip, final := n.tipSlot(o.level), n.tipSlot(finalized)
	most, bySignature := n.Faults.page(int(limit))
	page := []signatureInfo{}
	for t := range n.newestFirst(k, before, until, bySignature) {
		if t.slot > tip || n.Faults.hides(t, final) {
			continue
		}
		page = append(page, signatureInfo{
			Signature: t.name(), Slot: t.slot, Err: json.RawMessage(t.errJSON()),
			BlockTime: n.chain.ledger.block(t.slot).time, ConfirmationStatus: n.status(t),
		})
		if len(page) == most {
			break
		}
	}
	return page, nil
}

// bound reads `before` or `until`; "" bounds nothing. Of an unknown transaction,
// `before` is an error and `until` bounds nothing.
func (n *Node) bound(name, text string) (bound, *rpcError) {
	if text == "" {
		return bound{}, nil
	}
	sig, fault := parseSignature(text)
	if fault != nil {
		return bound{}, fault
	}
	t, place := n.known(sig)
	switch {
	case t != nil && !n.Faults.forgets(name):
		return bound{t, place}, nil
	case name == "before":
		return bound{}, unknownAnchor(text)
	}
	return bound{}, nil
}

func (n *Node) status(t *tx) string {
	if t.slot <= n.tipSlot(finalized) {
		return "finalized"
	}
	return "confirmed"
}

// statusAnswer is the state of one transaction.
type statusAnswer struct {
	Slot               uint64          `json:"slot"`
	Confirmations      *uint64         `json:"confirmations"` // null: finalized
	Err                json.RawMessage `json:"err"`
	Status             json.RawMessage `json:"status"`
	ConfirmationStatus string          `json:"confirmationStatus"`
}

const (
	maxStatuses  = 256 // signatures in a request
	recentBlocks = 300 // how far a node looks back unless it is to search its history
)

func (n *Node) getSignatureStatuses(r request) (any, *rpcError) {
	var names []string
	if len(r.Params) == 0 || json.Unmarshal(r.Params[0], &names) != nil {
		return nil, invalidParams("an array of signatures is needed")
	}
	if len(names) > maxStatuses {
		return nil, invalidParams("at most %d signatures", maxStatuses)
	}
	o, fault := n.options(r, 1)
	if fault != nil {
		return nil, fault
	}
	states := make([]*statusAnswer, len(names))
	tip := n.tipSlot(confirmed)
	for i, name := range names {
		sig, fault := parseSignature(name)
		if fault != nil {
			return nil, fault
		}
		t, _ := n.known(sig)
		if t == nil || t.slot > tip || !o.SearchHistory && t.slot+recentBlocks < tip {
			continue
		}
		states[i] = n.statusOf(t, tip)
	}
	return n.inContext(confirmed, states), nil
}

func (n *Node) statusOf(t *tx, tip uint64) *statusAnswer {
	s := &statusAnswer{
		Slot: t.slot, Err: json.RawMessage(t.errJSON()), Status: t.statusJSON(), ConfirmationStatus: n.status(t),
	}
	if s.ConfirmationStatus != "finalized" {
		behind := tip - t.slot
		s.Confirmations = &behind
	}
	return s
}

// statusJSON is the older way to write errJSON.
func (t *tx) statusJSON() json.RawMessage {
	if t.err == "" {
		return json.RawMessage(`{"Ok":null}`)
	}
	return json.RawMessage(`{"Err":` + t.err + `}`)
}

// inContext wraps a value with the slot that it was read at.
func (n *Node) inContext(level commitment, value any) any {
	return map[string]any{
		"context": map[string]any{"apiVersion": "3.0.0", "slot": n.tipSlot(level)},
		"value":   value,
	}
}
