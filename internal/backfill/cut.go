package backfill

import (
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// cutter cuts a span's list into pages at the bounds of slots.
type cutter struct {
	from, upper int64               // slots that no page has yet, both within
	anchor      [64]byte            // the next page is listed below it
	held        []rpc.SignatureInfo // of the next page
	ask         [64]byte            // where the list is to be asked for next
	askUpper    int64               // the slot of ask
}

// begin has the list read again from below a transaction, at most of a slot. What it
// has come to stays; what no page has yet is let go.
func (c *cutter) begin(anchor [64]byte, upper int64) {
	c.anchor, c.ask, c.askUpper, c.held = anchor, anchor, upper, nil
}

// add takes what the node listed below ask; nothing means that the list has ended. It
// gives the next page once that is whole, and whether it was the span's last.
//
// The lowest slot of an answer may go on in the next one, so a page ends above it, and
// the list is asked for again from there. A slot that fills an answer joins it with
// the next: its page holds the whole slot, however long.
func (c *cutter) add(got []rpc.SignatureInfo) (p Page, made, last bool) {
	for i := range got {
		switch slot := int64(got[i].Slot); {
		case slot < c.from:
			return c.page(c.from, c.held), true, true
		case slot <= c.upper:
			c.held = append(c.held, got[i])
		default: // above the span: the page begins below it
			c.anchor = got[i].Signature
		}
	}
	if len(got) == 0 {
		return c.page(c.from, c.held), true, true
	}
	end := got[len(got)-1]
	c.ask, c.askUpper = end.Signature, int64(end.Slot)
	whole := len(c.held)
	for whole > 0 && c.held[whole-1].Slot == end.Slot {
		whole--
	}
	if whole == 0 {
		return Page{}, false, false
	}
	p = c.page(int64(end.Slot)+1, c.held[:whole])
	c.anchor, c.upper = c.held[whole-1].Signature, int64(end.Slot)
	c.ask, c.askUpper = c.anchor, int64(c.held[whole-1].Slot)
	c.held = nil
	return p, true, false
}

func (c *cutter) page(from int64, listed []rpc.SignatureInfo) Page {
	return newPage(store.Span{From: from, To: c.upper}, c.anchor, listed)
}
