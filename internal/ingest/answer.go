package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// asks gets a transaction of a slot from a node by name; nil if the node denies it.
func (d *Daemon) asks(ctx context.Context, n *rpc.Node, signature [64]byte, slot uint64) (*rpc.Tx, error) {
	get := func(ctx context.Context) (*rpc.Tx, error) { return n.Transaction(ctx, signature, rpc.Finalized) }
	tx, err := check(ctx, get)
	if errors.Is(err, rpc.NotFound) {
		if denied, err := d.denies(ctx, n, signature, slot); err != nil || denied {
			return nil, err
		}
		tx, err = rpc.Retry(ctx, rpc.RetryPolicy{Tries: checkTries, NotFound: true}, get) // it is about to know it
	}
	if errors.Is(err, rpc.NotFound) {
		return nil, fmt.Errorf("%w: %s has a status of %s and does not give it", errDisagrees, n.Name(), signatureText(signature))
	}
	if err != nil {
		return nil, fmt.Errorf("ask %s for transaction %s: %w", n.Name(), signatureText(signature), err)
	}
	return tx, nil
}

// denies reports whether a node that answered null for a transaction of a slot has
// none. The null alone does not say so: the node may not keep the slot (errShort), be
// behind it (errBackwards), or have a status of the transaction and give it later.
func (d *Daemon) denies(ctx context.Context, n *rpc.Node, signature [64]byte, slot uint64) (bool, error) {
	first, err := check(ctx, n.FirstAvailableBlock)
	switch {
	case rpc.ClassOf(err) == rpc.Invalid: // it has no such method
	case err != nil:
		return false, fmt.Errorf("ask %s for the first available block: %w", n.Name(), err)
	case first > firstBlocks && first > slot:
		return false, fmt.Errorf("%w: the history of %s begins at slot %d", errShort, n.Name(), first)
	}
	var asOf uint64
	statuses, err := check(ctx, func(ctx context.Context) (statuses []*rpc.SignatureStatus, err error) {
		statuses, asOf, err = n.SignatureStatuses(ctx, [][64]byte{signature}, true)
		return statuses, err
	})
	switch {
	case err != nil:
		return false, fmt.Errorf("ask %s for the status of %s: %w", n.Name(), signatureText(signature), err)
	case statuses[0] != nil:
		return false, nil
	case asOf < slot:
		return false, fmt.Errorf("%w (%s at %d, asked for a transaction of %d)", errBackwards, n.Name(), asOf, slot)
	}
	return true, nil
}

// answer is what one node says of a transaction.
type answer struct {
	node string
	tx   *rpc.Tx // nil: it does not know it
	arrival
}

func (d *Daemon) answerOf(ctx context.Context, n *rpc.Node, signature [64]byte, slot uint64) (answer, error) {
	tx, err := d.asks(ctx, n, signature, slot)
	if err != nil {
		return answer{}, err
	}
	if tx != nil && tx.StatusMissing { // it keeps the transaction, and not what came of it
		tx = nil
	}
	a := answer{node: n.Name(), tx: tx}
	if tx != nil {
		a.arrival = d.arriveFrom(n.Name(), *tx, true, time.Time{})
		a.settles = true
	}
	return a, nil
}

// gives reports whether the record has what the answer would make of it.
func (a *answer) gives(have *store.StoredTx) bool {
	row := a.row(have.ID)
	return row.Slot == have.Slot && row.Failed == have.Failed && row.State == have.State &&
		(!row.Failed || bytes.Equal(row.Err, have.Err)) && slices.EqualFunc(sorted(row.Events), have.Events, sameEvent)
}

func sorted(events []store.Event) []store.Event {
	events = slices.Clone(events)
	slices.SortFunc(events, func(a, b store.Event) int {
		if a.Source != b.Source {
			return int(a.Source) - int(b.Source)
		}
		return int(a.Ordinal) - int(b.Ordinal)
	})
	return events
}

func sameEvent(a, b store.Event) bool {
	return a.Source == b.Source && a.Ordinal == b.Ordinal && a.Kind == b.Kind && bytes.Equal(a.Data, b.Data)
}

// text tells an answer for people: the record keeps a few kilobytes of it.
func (a *answer) text() string {
	if a.tx == nil {
		return "does not know it"
	}
	return txText(a.tx)
}

func txText(tx *rpc.Tx) string {
	s := fmt.Sprintf("slot %d, ", tx.Slot)
	switch {
	case tx.Err != nil:
		s += "failed " + string(tx.Err)
	case tx.LogsMissing:
		s += "succeeded, no log"
	default:
		s += fmt.Sprintf("succeeded, %d lines:\n%s", len(tx.Logs), strings.Join(tx.Logs, "\n"))
	}
	return s
}

func storedText(t *store.StoredTx) string {
	return fmt.Sprintf("slot %d, failed %v, log %v, %d events", t.Slot, t.Failed, t.State, len(t.Events))
}

func slotOf(have *store.StoredTx, answers ...*answer) uint64 {
	for _, a := range answers {
		if a.tx != nil {
			return a.tx.Slot
		}
	}
	return have.Slot
}
