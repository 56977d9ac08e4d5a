package inspect

import (
	"fmt"
	"slices"

	"minesaudit/internal/assemble"
	"minesaudit/internal/decode"
	"minesaudit/internal/emitted"
	"minesaudit/internal/rpc"
	"minesaudit/internal/verify"
)

// Audit says what is inspected and by which rules.
type Audit struct {
	Program string // base58
	Profile string // the name that the rules have for people
	Rules   verify.Rules
	Events  emitted.Form // what the program's events are, and where
}

// evidence is the transactions that games are judged by, each once.
type evidence struct {
	reader emitted.Reader
	seen   map[[64]byte]*tx
	txs    []*tx // in the order in which they came
	cut    []*tx // those whose log is not whole
	pieces map[decode.GameKey][]assemble.Piece
}

// tx is a transaction with what its log tells; of a failed one nothing is read.
type tx struct {
	*rpc.Tx
	log decode.Log
}

func (t *tx) failed() bool { return t.Err != nil }

func newEvidence(reader emitted.Reader) *evidence {
	return &evidence{
		reader: reader, seen: map[[64]byte]*tx{}, pieces: map[decode.GameKey][]assemble.Piece{},
	}
}

// add takes a transaction in, once.
func (e *evidence) add(raw *rpc.Tx) *tx {
	if known := e.seen[raw.Signature]; known != nil {
		return known
	}
	t := &tx{Tx: raw}
	e.seen[raw.Signature] = t
	e.txs = append(e.txs, t)
	if t.failed() {
		return t
	}
	t.log = e.reader.Read(raw)
	if t.log.State != decode.LogComplete {
		e.cut = append(e.cut, t)
	}
	for _, event := range t.log.Events {
		if !isGameEvent(event) {
			continue
		}
		e.pieces[event.Key] = append(e.pieces[event.Key], assemble.Piece{
			Signature: raw.Signature, Slot: raw.Slot, Source: event.Source, Ordinal: event.Ordinal, BlockTime: raw.BlockTime, HasBlockTime: raw.HasBlockTime,
			Truncated: t.log.State != decode.LogComplete, Event: event,
		})
	}
	return t
}

func isGameEvent(e decode.Event) bool {
	return e.Kind == decode.KindStarted || e.Kind == decode.KindSettled || e.Kind == decode.KindVoided
}

// keys lists the games with an event in a transaction, in the order of its
// events.
func (t *tx) keys() []decode.GameKey {
	var keys []decode.GameKey
	for _, event := range t.log.Events {
		if isGameEvent(event) && !slices.Contains(keys, event.Key) {
			keys = append(keys, event.Key)
		}
	}
	return keys
}

// cutShort lists the transactions whose log may hide an event of a game's
// address: it is not whole, and they name the address or do not say what they
// name.
func (e *evidence) cutShort(address [32]byte) []*tx {
	var list []*tx
	for _, t := range e.cut {
		if t.Accounts == nil || slices.Contains(t.Accounts, address) {
			list = append(list, t)
		}
	}
	return list
}

// unreadable says how many lines of the program are of no known form; empty if
// there is none. A game of theirs would not be seen.
func (e *evidence) unreadable() []string {
	n := 0
	for _, t := range e.txs {
		n += t.log.Unknown + t.log.Malformed
	}
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d events of the program are of no known form: what they tell of is not judged", n)}
}
