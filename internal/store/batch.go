package store

import (
	"time"

	"minesaudit/internal/decode"
)

// Tx is a transaction's row, and its events.
type Tx struct {
	ID        int64 // from Writer.NextID, or that of the row to be replaced
	Signature [64]byte
	Slot      uint64
	Failed    bool
	Err       []byte // JSON
	State     decode.LogState
	Events    []Event
	Problem   string     // why the log could not be read to its end; empty: it could
	Accounts  [][32]byte // of a transaction with a Problem
}

// Event is one data line of the audited program.
type Event struct {
	Source  Source
	Ordinal uint32
	Kind    decode.Kind
	Game    GameID // zero where no key could be read
	HasGame bool
	Data    []byte
	Paid    *uint64 // see decode.Event
}

// Source is where in a transaction an event was found.
type Source uint8

// Sources of events.
const (
	SourceLog    Source = 0 // Program data:
	SourceLogMsg Source = 1 // Program log: with base64
	SourceCPI    Source = 2 // inner instruction
)

// SourceOf is a source as it is stored.
func SourceOf(s decode.Source) Source {
	switch s {
	case decode.SourceMessage:
		return SourceLogMsg
	case decode.SourceCPI:
		return SourceCPI
	default:
		return SourceLog
	}
}

// Decoded is a stored source as its events have it.
func (s Source) Decoded() decode.Source {
	switch s {
	case SourceLogMsg:
		return decode.SourceMessage
	case SourceCPI:
		return decode.SourceCPI
	default:
		return decode.SourceLog
	}
}

// SlotTime is the chain's time of a slot; Has false where it has none.
type SlotTime struct {
	Slot uint64
	Time time.Time
	Has  bool
}

// Advance moves the frontier from Was to Becomes.
type Advance struct {
	Was, Becomes int64 // Was may be -1: nothing is complete yet
	Head         uint64
}

// Batch is all that changes together.
type Batch struct {
	New      []Tx
	Replaced []Tx    // same signature as a stored row, another slot or outcome: its events are replaced
	Dropped  []int64 // ids of transactions that a fork took away; their rows stay, marked
	Games    []Game
	Verdicts []Verdict
	Times    []SlotTime
	Covers   []Covered // ranges that the batch completes, or that could not be had
	Advance  *Advance  // nil: the frontier stays
}

// Empty reports whether there is nothing to write.
func (b *Batch) Empty() bool {
	return len(b.New)+len(b.Replaced)+len(b.Dropped)+len(b.Games)+len(b.Verdicts)+len(b.Times)+len(b.Covers) == 0 && b.Advance == nil
}

// crashPoint tells a batch that moves the frontier from one that does not.
func (b *Batch) crashPoint(stays, moves CrashPoint) CrashPoint {
	if b.Advance != nil {
		return moves
	}
	return stays
}

// Counted is what a commit added to the rollups, for metrics. Differences
// that a superseding verdict took away are negative.
type Counted struct {
	Cells  []CountedCell
	Checks []CountedCheck
}
