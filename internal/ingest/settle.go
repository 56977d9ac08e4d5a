package ingest

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// finding is what the examination of one transaction came to.
type finding struct {
	disagreements []store.Disagreement
	settled       *arrival // what the record is to hold from now on; nil: what it holds
	open          bool     // it may come to more when a verdict rests on it
	again         bool     // it may come to more when a further node can be asked
}

// examineTx holds a stored transaction against a second node. Where the record has it
// from a node that is known, and another one says the same, no more is asked.
func (d *Daemon) examineTx(ctx context.Context, have *store.StoredTx, signature [64]byte, first *rpc.Node, others []*rpc.Node) (*finding, error) {
	teller := d.examiner.teller(signature)
	if teller == others[0].Name() {
		first, others = others[0], append([]*rpc.Node{first}, others[1:]...)
	}
	b, err := d.answerOf(ctx, others[0], signature, have.Slot)
	if err != nil {
		return cannotTell(err)
	}
	if teller == first.Name() && b.tx != nil && b.gives(have) && have.State == decode.LogComplete {
		return &finding{}, nil
	}
	a, err := d.answerOf(ctx, first, signature, have.Slot)
	if err != nil {
		return cannotTell(err)
	}
	kind := differ(&a, &b)
	if kind == "" {
		return d.agreed(have, signature, &a, &b), nil
	}
	winner, how := settle(kind, &a, &b)
	further, all := d.further(ctx, have, signature, others[1:])
	if how == store.ByLength {
		winner, how = longest(winner, further)
	} else if third := majority(further, &a, &b); third != nil {
		winner, how = third, store.ByMajority
	}
	f := &finding{again: !all && how != store.ByMajority, open: kind == store.Unknown && how == store.ByStoring && !have.Convicts, settled: standing(kind, have, signature, winner, how, &a, &b)}
	if how == store.ByStoring && (f.settled != nil || have.State == decode.LogDisputed) {
		how = store.LeftOpen
	}
	f.disagreements = []store.Disagreement{{
		Kind: kind, Signature: signature, Slot: slotOf(have, &a, &b), Node: a.node, Answer: a.text(), Other: b.node, Said: b.text(), Settled: how,
	}}
	return f, nil
}

// cannotTell is for a node that gives no answer. One that does not keep the slot never
// will.
func cannotTell(err error) (*finding, error) {
	if errors.Is(err, errShort) {
		return &finding{open: true}, nil
	}
	return nil, err
}

// standing is what the record is to hold where two nodes differ; nil: what it holds.
func standing(kind store.DisagreementKind, have *store.StoredTx, signature [64]byte, winner *answer, how store.Settled, a, b *answer) *arrival {
	switch {
	case how == store.ByMajority && winner.tx == nil:
		return disowned(have, signature)
	case how == store.ByMajority, how == store.ByLength:
		if winner.gives(have) {
			return nil
		}
		return &winner.arrival
	case have.State == decode.LogDisputed, store.Weak(store.WeakOneWord):
		return nil // the first is so already
	case kind == store.InLog && a.gives(have) && b.gives(have):
		return nil // they differ in lines that are none of the program's
	case kind == store.InLog, kind == store.InOutcome, kind == store.CutShort, kind == store.Unknown && have.Convicts:
		return contested(a, b)
	}
	return nil
}

// further asks further nodes, and reports whether all that there are have been heard.
func (d *Daemon) further(ctx context.Context, have *store.StoredTx, signature [64]byte, nodes []*rpc.Node) (answers []*answer, all bool) {
	heard := 2
	for _, n := range nodes {
		c, err := d.answerOf(ctx, n, signature, have.Slot)
		if err == nil {
			answers = append(answers, &c)
		}
		if err == nil || errors.Is(err, errShort) {
			heard++
		}
	}
	return answers, heard >= d.Nodes.Checkers()
}

// majority gives the side that a further node takes; nil if none does.
func majority(further []*answer, sides ...*answer) *answer {
	for _, c := range further {
		for _, side := range sides {
			if differ(side, c) == "" {
				return side
			}
		}
	}
	return nil
}

// longest is the longest of several logs of which each is the next one cut short. Where
// a further node has other lines nobody is followed.
func longest(winner *answer, further []*answer) (*answer, store.Settled) {
	how := store.ByLength
	for _, c := range further {
		switch kind := differ(winner, c); {
		case kind == "":
			how = store.ByMajority
		case kind == store.Unknown || kind == store.CutShort && within(c.tx, winner.tx):
			// It has less to say.
		case kind == store.CutShort:
			winner, how = c, store.ByLength
		default:
			return nil, store.LeftOpen
		}
	}
	return winner, how
}

// agreed is for two nodes that say the same: where the record has something else, it
// was told so by the stream, or by a node that says otherwise now.
func (d *Daemon) agreed(have *store.StoredTx, signature [64]byte, a, b *answer) *finding {
	f := &finding{}
	switch {
	case a.tx == nil:
		f.settled = disowned(have, signature)
	case !a.gives(have):
		f.settled = &a.arrival
	}
	if f.settled != nil {
		f.disagreements = []store.Disagreement{{
			Kind: store.InStream, Signature: signature, Slot: slotOf(have, a, b), Node: "subscription", Answer: storedText(have),
			Other: b.node, Said: b.text(), Settled: store.ByAgreement,
		}}
	}
	return f
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
	case store.Weak(store.WeakNoLonger):
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

// disowned is a stored transaction that two nodes do not have: its name stays in the
// record, as it would be listed again, and nothing of what it is said to hold. Nil: it
// is so already.
func disowned(have *store.StoredTx, signature [64]byte) *arrival {
	if have.State == decode.LogDisputed && len(have.Events) == 0 {
		return nil
	}
	log := decode.Log{State: decode.LogDisputed, Problem: "two nodes do not know it"}
	return &arrival{tx: rpc.Tx{Signature: signature, Slot: have.Slot}, record: true, settles: true, log: log}
}

// otherSide is added to the ordinals of what only the second of two nodes gives, so
// that the two do not share a key. A log of ten thousand bytes has no so many lines.
const otherSide = 1 << 20

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
