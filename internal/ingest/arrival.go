package ingest

import (
	"time"

	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// arrival is a transaction on its way to the record.
type arrival struct {
	tx      rpc.Tx
	log     decode.Log
	layout  *decode.Layout
	settles bool      // two nodes were asked: it stands, whatever the record has of it
	record  bool      // from a finalized node, by list or by name; else from the stream
	heard   time.Time // when its notification came; zero for the record
	from    string    // the node that gave all that is here of it; empty: more than one, or not known
}

// arrive decodes a transaction. Of a failed one nothing is taken: its events
// did not happen.
func (d *Daemon) arrive(tx rpc.Tx, record bool, heard time.Time) arrival {
	a := arrival{tx: tx, layout: d.Reader.Layout(), record: record, heard: heard}
	if tx.Err == nil {
		a.log = d.Reader.Read(&tx)
	}
	a.tx.Answer = "" // all that is needed of it has been taken
	return a
}

// arriveFrom is arrive from a node that is known.
func (d *Daemon) arriveFrom(node string, tx rpc.Tx, record bool, heard time.Time) arrival {
	a := d.arrive(tx, record, heard)
	a.from = node
	return a
}

// whole reports whether the log could be read to its end, understood, and is
// all that is needed.
func (a *arrival) whole() bool { return a.tx.Err != nil || (a.problem() == "" && !a.log.Ask) }

// problem says why something may have happened that was not understood: the log
// could not be read to its end, or holds an event by name whose bytes do not
// fit. Empty: nothing.
func (a *arrival) problem() string {
	if a.log.State != decode.LogComplete && !store.Weak(store.WeakTakeCutLogs) {
		if a.log.Problem == "" {
			return a.log.State.String()
		}
		return a.log.State.String() + ": " + a.log.Problem
	}
	if a.log.Malformed == 0 {
		return ""
	}
	for i := range a.log.Events {
		if e := &a.log.Events[i]; e.Kind == decode.KindMalformed && a.layout.Named(a.tx.Slot, e.Data) {
			return malformed + ": " + e.Problem
		}
	}
	return ""
}

// malformed is the problem of a log with an event that cannot be read.
const malformed = "malformed"

// trouble is the problem as a metric's label.
func (a *arrival) trouble() string {
	if a.log.State == decode.LogComplete {
		return malformed
	}
	return a.log.State.String()
}

// ends reports whether the transaction ends a game.
func (a *arrival) ends() bool {
	for i := range a.log.Events {
		if k := a.log.Events[i].Kind; k == decode.KindSettled || k == decode.KindVoided {
			return true
		}
	}
	return false
}

// row makes the transaction's row under an id.
func (a *arrival) row(id int64) store.Tx {
	t := store.Tx{ID: id, Signature: a.tx.Signature, Slot: a.tx.Slot, Failed: a.tx.Err != nil, Err: a.tx.Err}
	if t.Failed {
		return t
	}
	t.State = a.log.State
	if t.Problem = a.problem(); t.Problem != "" {
		t.Accounts = a.tx.Accounts
	}
	for i := range a.log.Events {
		e := &a.log.Events[i]
		row := store.Event{Source: store.SourceOf(e.Source), Ordinal: e.Ordinal, Kind: e.Kind, Data: e.Data, Paid: e.Paid}
		if ofGame(e.Kind) {
			row.Game, row.HasGame = store.NewGameID(e.Key), true
		}
		t.Events = append(t.Events, row)
	}
	return t
}

func ofGame(k decode.Kind) bool {
	return k == decode.KindStarted || k == decode.KindSettled || k == decode.KindVoided
}
