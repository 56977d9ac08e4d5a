package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// noTime is when the record's transactions were heard: never.
var noTime time.Time

// finding is what the examination of one transaction came to.
type finding struct {
	disagreements []store.Disagreement
	settled       *arrival // what the record is to hold from now on; nil: what it holds
	open          bool     // it may come to more when a verdict rests on it
}

// asks gets a transaction from a node by name; nil if the node does not know it.
func (d *Daemon) asks(ctx context.Context, n *rpc.Node, signature [64]byte) (*rpc.Tx, error) {
	tx, err := rpc.Retry(ctx, rpc.RetryPolicy{Tries: fetchTries / 2}, func(ctx context.Context) (*rpc.Tx, error) {
		return n.Transaction(ctx, signature, rpc.Finalized)
	})
	if errors.Is(err, rpc.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("ask %s for transaction %s: %w", n.Name(), signatureText(signature), err)
	}
	return tx, nil
}

// answer is what one node says of a transaction.
type answer struct {
	node string
	tx   *rpc.Tx // nil: it does not know it
	arrival
}

func (d *Daemon) answerOf(ctx context.Context, n *rpc.Node, signature [64]byte) (answer, error) {
	tx, err := d.asks(ctx, n, signature)
	if err != nil {
		return answer{}, err
	}
	if tx != nil && tx.StatusMissing { // it keeps the transaction, and not what came of it
		tx = nil
	}
	a := answer{node: n.Name(), tx: tx}
	if tx != nil {
		a.arrival = d.arrive(*tx, true, noTime)
		a.settles = true
	}
	return a, nil
}

// examineTx holds a stored transaction against a second node. Where the record has it
// from a node that is known, and another one says the same, no more is asked.
func (d *Daemon) examineTx(ctx context.Context, have *store.StoredTx, signature [64]byte, first *rpc.Node, others []*rpc.Node) (*finding, error) {
	teller := d.examiner.teller(signature)
	if teller == others[0].Name() {
		first, others = others[0], append([]*rpc.Node{first}, others[1:]...)
	}
	b, err := d.answerOf(ctx, others[0], signature)
	if err != nil {
		return nil, err
	}
	if teller == first.Name() && b.tx != nil && b.gives(have) && have.State == decode.LogComplete {
		return &finding{}, nil
	}
	a, err := d.answerOf(ctx, first, signature)
	if err != nil {
		return nil, err
	}
	kind := differ(&a, &b)
	if kind == "" {
		return d.agreed(have, signature, &a, &b), nil
	}
	winner, how := settle(kind, &a, &b)
	if how == store.ByStoring || winner == nil {
		if third := d.majority(ctx, signature, others[1:], &a, &b); third != nil {
			winner, how = third, store.ByMajority
		}
	}
	f := &finding{open: kind == store.Unknown && !have.Convicts}
	switch {
	case how == store.ByMajority && winner.tx != nil, how == store.ByLength:
		if !winner.gives(have) {
			f.settled = &winner.arrival
		}
	case kind == store.InLog && a.gives(have) && b.gives(have):
		// They differ in lines that are none of the program's.
	case kind == store.InLog, kind == store.InOutcome, kind == store.Unknown && have.Convicts:
		if how == store.ByStoring {
			how = store.LeftOpen
		}
		if have.State != decode.LogDisputed { // else it is known already
			f.settled = contested(&a, &b)
		}
	}
	f.disagreements = []store.Disagreement{{
		Kind: kind, Signature: signature, Slot: slotOf(have, &a, &b), Node: a.node, Answer: a.text(), Other: b.node, Said: b.text(), Settled: how,
	}}
	return f, nil
}

// majority asks further nodes, and gives the side that one of them takes; nil if none
// does.
func (d *Daemon) majority(ctx context.Context, signature [64]byte, nodes []*rpc.Node, sides ...*answer) *answer {
	for _, n := range nodes {
		c, err := d.answerOf(ctx, n, signature)
		if err != nil {
			continue // it takes no side
		}
		for _, side := range sides {
			if differ(side, &c) == "" {
				return side
			}
		}
	}
	return nil
}

// agreed is for two nodes that say the same: where the record has something else, it
// was told so by the stream, or by a node that says otherwise now.
func (d *Daemon) agreed(have *store.StoredTx, signature [64]byte, a, b *answer) *finding {
	if a.tx == nil || a.gives(have) {
		return &finding{}
	}
	return &finding{
		settled: &a.arrival,
		disagreements: []store.Disagreement{{
			Kind: store.InStream, Signature: signature, Slot: a.tx.Slot, Node: "subscription", Answer: storedText(have),
			Other: b.node, Said: b.text(), Settled: store.ByAgreement,
		}},
	}
}

// differ says in what two answers differ; empty: in nothing.
func differ(a, b *answer) store.DisagreementKind {
	switch {
	case (a.tx == nil) != (b.tx == nil):
		return store.Unknown
	case a.tx == nil:
		return ""
	case a.tx.Slot != b.tx.Slot:
		return store.InSlot
	case !bytes.Equal(a.tx.Err, b.tx.Err):
		return store.InOutcome
	case a.tx.LogsMissing == b.tx.LogsMissing && slices.Equal(a.tx.Logs, b.tx.Logs):
		if slices.EqualFunc(a.row(0).Events, b.row(0).Events, sameEvent) {
			return ""
		}
		return store.InLog // of events that are called, not logged
	case within(a.tx, b.tx) || within(b.tx, a.tx):
		return store.CutShort
	}
	return store.InLog
}

// settle says which answer stands, if that can be said of two: one before none, and
// of two logs of which one is the other cut short, the longer.
func settle(kind store.DisagreementKind, a, b *answer) (*answer, store.Settled) {
	switch {
	case kind == store.Unknown && a.tx != nil:
		return a, store.ByStoring
	case kind == store.Unknown:
		return b, store.ByStoring
	case kind == store.CutShort && within(a.tx, b.tx):
		return b, store.ByLength
	case kind == store.CutShort:
		return a, store.ByLength
	}
	return nil, store.LeftOpen
}

// cutMark is the line that a node writes where it cuts a log short.
const cutMark = "Log truncated"

// within reports whether a log is another one cut short: missing altogether, or
// marked as cut and, but for the mark, some of the other's lines in their order. A
// node that cuts leaves out every line that no longer fits; shorter ones still do.
func within(short, long *rpc.Tx) bool {
	if short.LogsMissing {
		return !long.LogsMissing
	}
	if long.LogsMissing || !slices.Contains(short.Logs, cutMark) || len(short.Logs) > len(long.Logs)+1 {
		return false
	}
	i := 0
	for _, line := range short.Logs {
		if line == cutMark {
			continue
		}
		for i < len(long.Logs) && long.Logs[i] != line {
			i++
		}
		if i == len(long.Logs) {
			return false
		}
		i++
	}
	return true
}

// contested is a transaction of which neither node is believed: it is in the record
// with the events that either of them gives, and none of those counts. A game with
// such an event is inconclusive, unless it fails by others. A transaction that another
// node does not know is contested only where a game stands as failed by it: nobody is
// convicted on one node's word.
func contested(a, b *answer) *arrival {
	if a.tx == nil {
		a, b = b, a
	}
	tx := a.arrival.tx
	if len(tx.Accounts) == 0 {
		tx.Accounts = b.arrival.tx.Accounts
	}
	tx.Err = nil // a failed one would name no games
	log := decode.Log{State: decode.LogDisputed, Problem: "nodes give it differently", Events: slices.Clone(a.log.Events)}
	ours := a.row(0).Events
	for i, theirs := range b.row(0).Events {
		if !slices.ContainsFunc(ours, func(e store.Event) bool { return sameEvent(e, theirs) }) {
			e := b.log.Events[i]
			e.Ordinal += otherSide
			log.Events = append(log.Events, e)
		}
	}
	return &arrival{tx: tx, layout: a.layout, record: true, settles: true, log: log}
}

// otherSide is added to the ordinals of what only the second of two nodes gives, so
// that the two do not share a key. A log of ten thousand bytes has no so many lines.
const otherSide = 1 << 20

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

// disagree records what nodes said differently.
func (d *Daemon) disagree(saving context.Context, all []store.Disagreement) error {
	if len(all) == 0 {
		return nil
	}
	err := d.write(saving, "record a disagreement", func(ctx context.Context, w *store.Writer) error { return w.Disagree(ctx, all) })
	if err == nil {
		d.Metrics.disagreed(all)
		d.tellDisagreements(all)
	}
	return err
}
