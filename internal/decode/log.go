package decode

import "fmt"

// LogState says how far a log could be believed. Its number is stored. In every
// state but LogComplete the program may have emitted more than was found.
type LogState uint8

// The states of a log.
const (
	LogComplete       LogState = iota
	LogTruncated               // the node cut it short
	LogMissing                 // the node has none
	LogUnattributable          // its invocations do not add up
	LogDisputed                // two nodes give it differently; no reader of one log finds this
)

func (s LogState) String() string {
	switch s {
	case LogComplete:
		return "complete"
	case LogTruncated:
		return "truncated"
	case LogMissing:
		return "missing"
	case LogUnattributable:
		return "unattributable"
	case LogDisputed:
		return "disputed"
	default:
		return fmt.Sprintf("log_state(%d)", uint8(s))
	}
}

// A Log is what one transaction tells of the program, by its log or, where a
// [Reader] looks further, by its instructions.
type Log struct {
	State   LogState
	Problem string  // where and why it is LogUnattributable; else empty
	Events  []Event // what the program emitted: by log in the order of the lines, then by CPI

	// Ask says that the instructions may hold more: that [Reader.Transaction]
	// will tell, and that until then nothing but Events is known.
	Ask bool

	Invocations        int // of the program, at any depth
	Unknown, Malformed int // Events of that Kind
	Forged             []Forgery
}

func (l *Log) add(e Event) {
	switch e.Kind {
	case KindUnknown:
		l.Unknown++
	case KindMalformed:
		l.Malformed++
	}
	l.Events = append(l.Events, e)
}
