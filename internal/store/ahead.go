package store

import (
	"context"
	"errors"
	"fmt"
)

// MostAhead is how many transactions can be written ahead of one turn.
const MostAhead = idBlock

// Ahead begins the transaction of a turn before the turn: it writes rows of transactions
// and their events that nobody has stored, while others decide games. [Writer.Take] goes
// on in it, and until then nobody waits for it but who would store one of the same
// transactions. It gives them their IDs. The batch that is committed has these and no
// others as its New, and what Games gives is without them. ErrStored says that one of
// them has a row.
func (w *Writer) Ahead(ctx context.Context, txs []Tx) error {
	if w.tx != nil {
		return errors.New("write ahead: this writer has a turn")
	}
	if err := w.number(ctx, txs); err != nil {
		return err
	}
	tx, err := w.conn.Begin(ctx)
	if err != nil {
		w.clear(ctx)
		return fmt.Errorf("write ahead: %w", err)
	}
	w.tx = tx
	s := &writes{}
	s.newTxs(txs)
	s.events(txs)
	if err := s.send(ctx, w); err != nil {
		w.Release(ctx)
		return fmt.Errorf("write %d transactions ahead: %w", len(txs), outcome(err))
	}
	w.ahead = ids{txs[0].ID, txs[len(txs)-1].ID}
	return nil
}

// number gives transactions IDs without a gap, so that two of them tell which they are.
func (w *Writer) number(ctx context.Context, txs []Tx) (err error) {
	if len(txs) == 0 || len(txs) > MostAhead {
		return fmt.Errorf("write ahead: %d transactions, want 1 to %d", len(txs), MostAhead)
	}
	if int64(len(txs)) > w.idsLeft {
		w.idsLeft = 0
	}
	for i := range txs {
		if txs[i].ID, err = w.NextID(ctx); err != nil {
			return err
		}
	}
	return nil
}

// ids are those of rows that were written ahead, the first and the last of them; both 0
// where there are none.
type ids struct{ first, last int64 }

func (s ids) none() bool { return s == ids{} }

// are tells whether transactions are those that were written ahead.
func (s ids) are(txs []Tx) bool {
	return int64(len(txs)) == s.last-s.first+1 && txs[0].ID == s.first && txs[len(txs)-1].ID == s.last
}
