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
	default:
		return fmt.Sprintf("log_state(%d)", uint8(s))
	}
}

// A Log is what one transaction's log tells of the program.
type Log struct {
	State   LogState
	Problem string  // where and why it is LogUnattributable; else empty
	Events  []Event // the data lines of the program, Events[i] of Ordinal i

	Invocations        int // of the program, at any depth
	Unknown, Malformed int // Events of that Kind
}

func (l *Log) add(e Event, line int) {
	e.Ordinal = uint32(len(l.Events))
	e.Line = line
	switch e.Kind {
	case KindUnknown:
		l.Unknown++
	case KindMalformed:
		l.Malformed++
	}
	l.Events = append(l.Events, e)
}
