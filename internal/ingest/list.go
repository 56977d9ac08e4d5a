package ingest

import (
	"context"
	"fmt"

	"minesaudit/internal/rpc"
)

// list is a node's list of finalized signatures, newest first, as of a slot that it has
// to have finalized.
//
// A page may end inside a slot, and nodes order a slot differently: the next page may
// come from another node behind the same address, to which something else is the rest
// of the slot. So the list goes on below the last slot that a page holds whole, and has
// the split one again. Only in a slot that is longer than a page does it go on where the
// page ended.
type list struct {
	d     *Daemon
	node  *rpc.Node
	asOf  int64
	tries int // how often a call is tried

	at     place             // where it is read on
	lowest map[[64]byte]bool // what has been listed of the lowest slot
	slot   uint64            // the lowest slot
}

// place is below a transaction of a slot; zero is a list's newest end.
type place struct {
	before [64]byte
	slot   uint64
}

// idlePages is how many pages may bring nothing new, one after the other: what is left
// of a slot is listed again where the order inside it has changed.
const idlePages = 8

// next gives the next page; an empty one is the end of the list. Some of what it holds
// of its highest slot may have been in the page before.
func (l *list) next(ctx context.Context) ([]rpc.SignatureInfo, error) {
	for idle := range idlePages {
		page, err := l.page(ctx)
		if err != nil || len(page) == 0 {
			return nil, err
		}
		if l.hasNew(page) {
			l.goOn(page)
			return page, nil
		}
		if idle%2 == 0 { // and asked twice there
			l.at = below(&page[len(page)-1])
		}
	}
	return nil, fmt.Errorf("%w (below %s, %d times)", errRepeated, l.at, idlePages)
}

func (l *list) page(ctx context.Context) ([]rpc.SignatureInfo, error) {
	opts := rpc.SignaturesOpts{Commitment: rpc.Finalized, Before: l.at.before, MinContextSlot: uint64(l.asOf), Limit: pageLimit}
	page, err := rpc.Retry(ctx, rpc.RetryPolicy{Tries: l.tries}, func(ctx context.Context) ([]rpc.SignatureInfo, error) {
		return l.node.Signatures(ctx, keyText(l.d.Program), opts)
	})
	if err != nil {
		return nil, fmt.Errorf("list signatures below %s: %w", l.at, err)
	}
	for i := range page {
		if l.at != (place{}) && (page[i].Slot > l.at.slot || page[i].Signature == l.at.before) {
			return nil, fmt.Errorf("%w (slot %d below %s)", errRepeated, page[i].Slot, l.at)
		}
		if i > 0 && page[i].Slot > page[i-1].Slot {
			return nil, fmt.Errorf("%w (%d after %d)", errUnordered, page[i].Slot, page[i-1].Slot)
		}
	}
	return page, nil
}

func (l *list) hasNew(page []rpc.SignatureInfo) bool {
	for i := range page {
		if !l.lowest[page[i].Signature] {
			return true
		}
	}
	return false
}

// goOn sets where the list goes on after a page.
func (l *list) goOn(page []rpc.SignatureInfo) {
	end := &page[len(page)-1]
	if end.Slot != l.slot || l.lowest == nil {
		l.slot, l.lowest = end.Slot, make(map[[64]byte]bool)
	}
	split := len(page)
	for split > 0 && page[split-1].Slot == end.Slot {
		split--
		l.lowest[page[split].Signature] = true
	}
	if split > 0 && (l.at == place{} || page[split-1].Slot < l.at.slot) { // else it would make no way
		end = &page[split-1]
	}
	l.at = below(end)
}

func below(info *rpc.SignatureInfo) place { return place{info.Signature, info.Slot} }

func (p place) String() string {
	if p == (place{}) {
		return "the newest"
	}
	return fmt.Sprintf("slot %d", p.slot)
}
