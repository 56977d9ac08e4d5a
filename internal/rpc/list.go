package rpc

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// ErrListOrder is a list that does not go on where it was asked to, in falling order of
// slots: a fault of the node.
var ErrListOrder = errors.New("the node's signature list does not go on where it was asked to, in falling order of slots")

const (
	// idlePages is how many pages may bring nothing new, one after the other.
	idlePages = 8
	// mostInSlot is more transactions than a block has room for. Beyond it a node makes
	// them up, without end.
	mostInSlot = 100_000
)

// Place is below a transaction, where a list goes on; zero is the list's newest end.
type Place struct {
	Before [64]byte
	Slot   uint64 // that Before is in; math.MaxInt64 = not known
}

// Below is the place where a list goes on after the transaction.
func (i *SignatureInfo) Below() Place { return Place{i.Signature, i.Slot} }

// String names the slot.
func (p Place) String() string {
	switch {
	case p == Place{}:
		return "the newest"
	case p.Slot == math.MaxInt64:
		return SignatureString(p.Before)
	}
	return fmt.Sprintf("slot %d", p.Slot)
}

// SignatureList reads an address's history, newest first, and gives whole slots.
//
// A page may end inside a slot, and nodes order a slot differently: the next page may
// come from another node behind the same address, to which something else is the rest of
// the slot. So the list goes on below the last slot that a page holds whole, and has the
// split one again. Only in a slot that is longer than a page is there no other way than
// to go on where the page ended.
type SignatureList struct {
	ask  func(ctx context.Context, before [64]byte) ([]SignatureInfo, error)
	opts ListOpts
	at   Place

	above uint64            // slots above it have been given, and are not given again
	held  []SignatureInfo   // of slot above, which may go on
	names map[[64]byte]bool // of held
}

// ListOpts narrows a list.
type ListOpts struct {
	At    Place // where it begins
	Limit int   // of a page; 0 = 1000, the most that nodes give
	// From is the lowest slot that is wanted whole; 0 = all are. A page that is shorter than
	// Limit ends the list where it has come below From; elsewhere only an empty one does,
	// since some nodes give less at once than they have.
	From uint64
}

// NewSignatureList begins a list. ask gets a page from below a transaction, or of the
// newest if before is zero.
func NewSignatureList(opts ListOpts, ask func(ctx context.Context, before [64]byte) ([]SignatureInfo, error)) *SignatureList {
	opts.Limit = orDefault(opts.Limit, 1000)
	return &SignatureList{ask: ask, opts: opts, at: opts.At, above: math.MaxInt64, names: make(map[[64]byte]bool)}
}

// ListSignatures begins a list of an address's history, of which each page is asked for as
// opts and retry say; opts.Before is the list's.
func (c *Client) ListSignatures(address string, opts SignaturesOpts, list ListOpts, retry RetryPolicy) *SignatureList {
	list.Limit = opts.Limit
	return NewSignatureList(list, func(ctx context.Context, before [64]byte) ([]SignatureInfo, error) {
		opts := opts
		opts.Before = before
		return Retry(ctx, retry, func(ctx context.Context) ([]SignatureInfo, error) {
			return c.Signatures(ctx, address, opts)
		})
	})
}

// Listed is the next part of a list.
type Listed struct {
	Txs   []SignatureInfo // of whole slots, newest first, each once; there may be none
	Above uint64          // what is listed above this slot has been given
	Ended bool            // so has everything
}

// Next asks for a page, and again where it brings nothing new. The error is ask's, and
// then Next may be called again, or ErrListOrder.
func (l *SignatureList) Next(ctx context.Context) (Listed, error) {
	for idle := range idlePages {
		page, err := l.page(ctx)
		if err != nil {
			return Listed{}, err
		}
		if len(page) == 0 {
			return Listed{Txs: l.held, Ended: true}, nil
		}
		lowest := &page[len(page)-1]
		ended := len(page) < l.opts.Limit && lowest.Slot < l.opts.From
		if l.take(page) || ended {
			l.goOn(page)
			part := l.give(lowest.Slot, ended)
			if len(l.held) > mostInSlot {
				return Listed{}, fmt.Errorf("%w (more than %d transactions in slot %d)", ErrListOrder, mostInSlot, l.above)
			}
			return part, nil
		}
		if idle%2 == 0 { // and below each twice
			l.at = lowest.Below()
		}
	}
	return Listed{}, fmt.Errorf("%w (nothing new below %s)", ErrListOrder, l.at)
}

func (l *SignatureList) page(ctx context.Context) ([]SignatureInfo, error) {
	page, err := l.ask(ctx, l.at.Before)
	if err != nil {
		return nil, fmt.Errorf("list signatures below %s: %w", l.at, err)
	}
	upper := l.at.Slot
	if l.at == (Place{}) {
		upper = math.MaxInt64
	}
	for i := range page {
		if page[i].Slot > upper || page[i].Signature == l.at.Before {
			return nil, fmt.Errorf("%w (slot %d where %s was left)", ErrListOrder, page[i].Slot, l.at)
		}
		upper = page[i].Slot
	}
	return page, nil
}

// take holds what is new, and tells whether anything is.
func (l *SignatureList) take(page []SignatureInfo) bool {
	had := len(l.held)
	for i := range page {
		if page[i].Slot <= l.above && !l.names[page[i].Signature] {
			l.held = append(l.held, page[i])
			l.names[page[i].Signature] = true
		}
	}
	return len(l.held) > had
}

// goOn has the list go on below the lowest slot but one of a page, if it has two.
func (l *SignatureList) goOn(page []SignatureInfo) {
	last := len(page) - 1
	for i := last; i >= 0; i-- {
		if page[i].Slot > page[last].Slot {
			last = i
			break
		}
	}
	l.at = page[last].Below()
}

// give gives what is held of slots above one, or all.
func (l *SignatureList) give(above uint64, ended bool) Listed {
	n := len(l.held)
	for !ended && n > 0 && l.held[n-1].Slot == above {
		n--
	}
	whole := l.held[:n:n]
	l.above, l.held = above, l.held[n:]
	for i := range whole {
		delete(l.names, whole[i].Signature)
	}
	return Listed{Txs: whole, Above: above, Ended: ended}
}
