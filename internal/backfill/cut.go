package backfill

import (
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// cutter cuts a span's list into pages at the bounds of slots.
type cutter struct {
	from, upper int64               // slots that no page has yet, both within
	anchor      rpc.Place           // the next page is listed below it
	held        []rpc.SignatureInfo // of the next page
}

// begin has the list read again from a place. What it has come to stays; what no page
// has yet is let go.
func (c *cutter) begin(at rpc.Place) { c.anchor, c.held = at, nil }

// add takes the next part of the list, and gives the next page once there is something
// on it, and whether it was the span's last. A page holds whole slots, however long.
func (c *cutter) add(part rpc.Listed) (p Page, made, last bool) {
	for i := range part.Txs {
		switch slot := int64(part.Txs[i].Slot); {
		case slot > c.upper: // above the span: the page begins below it
			c.anchor = part.Txs[i].Below()
		case slot >= c.from:
			c.held = append(c.held, part.Txs[i])
		}
	}
	if part.Ended || int64(part.Above) < c.from {
		return c.page(c.from), true, true
	}
	if len(c.held) == 0 {
		return Page{}, false, false
	}
	p = c.page(int64(part.Above) + 1)
	c.anchor, c.upper, c.held = c.held[len(c.held)-1].Below(), int64(part.Above), nil
	return p, true, false
}

func (c *cutter) page(from int64) Page {
	return newPage(store.Span{From: from, To: c.upper}, c.anchor.Before, c.held)
}
