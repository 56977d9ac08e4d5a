package ingest

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"minesaudit/internal/store"
)

// newTxs are arrivals of which nothing is stored, with the rows that were written of
// them ahead of the turn.
type newTxs struct {
	arrivals []*arrival
	rows     []store.Tx
}

func newRows(arrivals []arrival) *newTxs {
	n := &newTxs{arrivals: distinct(arrivals)}
	n.rows = make([]store.Tx, len(n.arrivals))
	for i, a := range n.arrivals {
		n.rows[i] = a.row(0)
	}
	return n
}

// decideTxs sorts the arrivals into new, replaced and known rows.
func decideTxs(ctx context.Context, w *store.Writer, job *work, b *store.Batch, c *changes) error {
	if n := job.ahead; n != nil {
		for i, a := range n.arrivals {
			c.add(a, &n.rows[i])
		}
		b.New = n.rows
		return nil
	}
	arrivals := distinct(job.arrivals)
	signatures := slices.Clone(job.dropped)
	for _, a := range arrivals {
		signatures = append(signatures, a.tx.Signature)
	}
	var known map[[64]byte]store.Known
	if !job.unseen {
		var err error
		if known, err = w.Known(ctx, signatures); err != nil {
			return err
		}
	}
	for _, a := range arrivals {
		k, stored := known[a.tx.Signature]
		switch {
		case !a.record && int64(a.tx.Slot) <= w.Frontier() && !store.Weak(store.WeakNoCut):
			// The record has gone by. The cut keeps such a thing out, but not from a
			// daemon that was paused while another moved the frontier.
		case !stored:
			id, err := w.NextID(ctx)
			if err != nil {
				return err
			}
			row := a.row(id)
			b.New = append(b.New, row)
			c.add(a, &row)
		case store.Weak(store.WeakSameSignature):
		case k.Slot == a.tx.Slot && k.Failed == (a.tx.Err != nil) && !k.Dropped && !a.settles:
			// Known as it is.
		case !a.record && int64(k.Slot) <= w.Frontier():
			// The stream does not overrule the record.
		default:
			row := a.row(k.ID)
			b.Replaced = append(b.Replaced, row)
			c.gone[k.ID] = true
			c.add(a, &row)
		}
	}
	for _, s := range job.dropped {
		if k, stored := known[s]; stored && !k.Dropped {
			b.Dropped = append(b.Dropped, k.ID)
			c.gone[k.ID] = true
		}
	}
	return nil
}

// distinct keeps one arrival a signature, the record's before the stream's and
// a later one before an earlier, in the order of signatures: the order in
// which rows are written.
func distinct(arrivals []arrival) []*arrival {
	best := make(map[[64]byte]*arrival, len(arrivals))
	for i := range arrivals {
		a := &arrivals[i]
		if have := best[a.tx.Signature]; have == nil || a.record || !have.record {
			best[a.tx.Signature] = a
		}
	}
	return slices.SortedFunc(maps.Values(best), func(a, b *arrival) int {
		return bytes.Compare(a.tx.Signature[:], b.tx.Signature[:])
	})
}
