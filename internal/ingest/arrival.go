package ingest

import (
	"time"

	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// arrival is a transaction on its way to the record.
type arrival struct {
	tx     rpc.Tx
	log    decode.Log
	record bool      // from a finalized node, by list or by name; else from the stream
	heard  time.Time // when its notification came; zero for the record
}

// arrive decodes a transaction. Of a failed one nothing is taken: its events
// did not happen.
func (d *Daemon) arrive(tx rpc.Tx, record bool, heard time.Time) arrival {
	a := arrival{tx: tx, record: record, heard: heard}
	if tx.Err == nil {
		a.log = d.Decoder.Logs(tx.Logs, tx.LogsMissing)
	}
	return a
}

// whole reports whether the log could be read to its end.
func (a *arrival) whole() bool { return a.tx.Err != nil || a.log.State == decode.LogComplete }

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
	if !a.whole() {
		t.Problem = a.log.State.String()
		if a.log.Problem != "" {
			t.Problem += ": " + a.log.Problem
		}
		t.Accounts = a.tx.Accounts
	}
	for i := range a.log.Events {
		e := &a.log.Events[i]
		row := store.Event{Source: store.SourceLog, Ordinal: e.Ordinal, Kind: e.Kind, Data: e.Data}
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
