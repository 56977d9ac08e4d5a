package simchain

import (
	"encoding/json"
	"slices"
)

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
func (c *Chain) getSignaturesForAddress(r request) (any, *rpcError) {
	k, fault := r.keyAt(0)
	if fault != nil {
		return nil, fault
	}
	o, fault := c.settledOptions(r, 1)
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
	places, fault := c.between(k, o.Before, o.Until)
	if fault != nil {
		return nil, fault
	}
	tip := c.ledger.tipSlot(o.level)
	page := []signatureInfo{}
	for _, place := range slices.Backward(places) {
		t := c.ledger.txs[place]
		if t.slot > tip || c.Faults.hides(t) {
			continue
		}
		page = append(page, signatureInfo{
			Signature: t.name(), Slot: t.slot, Err: json.RawMessage(t.errJSON()),
			BlockTime: c.ledger.block(t.slot).time, ConfirmationStatus: c.status(t),
		})
		if len(page) == int(limit) {
			break
		}
	}
	return page, nil
}

// between gives the places of an account's transactions after until and before
// before, both excluded; an empty bound bounds nothing.
func (c *Chain) between(k Key, before, until string) ([]int32, *rpcError) {
	places := c.ledger.lists[k]
	if before != "" {
		place, fault := c.anchor(before)
		if fault != nil {
			return nil, fault
		}
		if place < 0 {
			return nil, unknownAnchor(before)
		}
		at, _ := slices.BinarySearch(places, place)
		places = places[:at]
	}
	if until != "" {
		place, fault := c.anchor(until)
		if fault != nil {
			return nil, fault
		}
		if place >= 0 {
			at, found := slices.BinarySearch(places, place)
			places = places[min(at+b2i(found), len(places)):]
		}
	}
	return places, nil
}

// anchor gives the place of a signature, -1 if the node does not know it.
func (c *Chain) anchor(text string) (int32, *rpcError) {
	sig, fault := parseSignature(text)
	if fault != nil {
		return 0, fault
	}
	_, place := c.ledger.find(sig)
	return place, nil
}

func (c *Chain) status(t *tx) string {
	if t.slot <= c.ledger.tipSlot(finalized) {
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

func (c *Chain) getSignatureStatuses(r request) (any, *rpcError) {
	var names []string
	if len(r.list) == 0 || json.Unmarshal(r.list[0], &names) != nil {
		return nil, invalidParams("an array of signatures is needed")
	}
	if len(names) > maxStatuses {
		return nil, invalidParams("at most %d signatures", maxStatuses)
	}
	o, fault := c.options(r, 1)
	if fault != nil {
		return nil, fault
	}
	states := make([]*statusAnswer, len(names))
	tip := c.ledger.tipSlot(confirmed)
	for i, name := range names {
		sig, fault := parseSignature(name)
		if fault != nil {
			return nil, fault
		}
		t, _ := c.ledger.find(sig)
		if t == nil || !o.SearchHistory && t.slot+recentBlocks < tip {
			continue
		}
		states[i] = c.statusOf(t, tip)
	}
	return c.inContext(confirmed, states), nil
}

func (c *Chain) statusOf(t *tx, tip uint64) *statusAnswer {
	s := &statusAnswer{
		Slot: t.slot, Err: json.RawMessage(t.errJSON()), Status: t.statusJSON(), ConfirmationStatus: c.status(t),
	}
	if s.ConfirmationStatus != "finalized" {
		n := tip - t.slot
		s.Confirmations = &n
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
func (c *Chain) inContext(level commitment, value any) any {
	return map[string]any{
		"context": map[string]any{"apiVersion": "3.0.0", "slot": c.ledger.tipSlot(level)},
		"value":   value,
	}
}
