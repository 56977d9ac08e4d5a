package decode

import (
	"fmt"
	"strconv"
	"strings"
)

// Source says by which way an event came. Its text stands in records.
type Source uint8

// The sources.
const (
	SourceLog     Source = iota + 1 // a data line, by emit!
	SourceMessage                   // a line of text that holds base64, as programs of old printed events
	SourceCPI                       // an instruction of the program to itself, by emit_cpi!
)

func (s Source) String() string {
	switch s {
	case SourceLog:
		return "log"
	case SourceMessage:
		return "log-msg"
	case SourceCPI:
		return "cpi"
	default:
		return fmt.Sprintf("source(%d)", uint8(s))
	}
}

// A Payload is what the program emitted at one point, before anyone reads it as
// an event.
type Payload struct {
	Source Source

	// Ordinal counts the program's payloads of that source in the transaction,
	// from 0, those that cannot be read included: a stable key.
	Ordinal uint32

	Line         int // index in the log; not of SourceCPI
	Outer, Inner int // indices of the top-level and the inner instruction; of SourceCPI only
	Depth        int // of the invocation that holds it, 1 for a top-level one

	Data    []byte // discriminator and fields; nil where there is a Problem
	Problem string // why the line is not one slice of bytes; else empty
	Text    string // the line after its prefix; not of SourceCPI
}

// Payloads are what one log tells of the program, whatever its events are.
type Payloads struct {
	State   LogState
	Problem string    // where and why it is LogUnattributable; else empty
	List    []Payload // in the order of the lines

	Invocations int // of the program, at any depth
	SelfCalls   int // those of them by the program itself: emit_cpi! makes one for each event
}

// Payloads finds what the program emitted in the log of a transaction; missing
// means that the node has no log.
func (d *Decoder) Payloads(lines []string, missing bool) Payloads {
	if missing {
		return Payloads{State: LogMissing}
	}
	var buf [4]place
	places, a := d.attribute(buf[:0], lines)
	p := Payloads{State: a.state, Problem: a.problem, Invocations: a.invocations, SelfCalls: a.selfCalls}
	if len(places) == 0 {
		return p
	}
	p.List = make([]Payload, 0, len(places))
	var ordinals [SourceCPI]uint32
	for _, at := range places {
		data, problem := d.readSlice(at.text)
		if at.source == SourceMessage && problem != "" {
			continue // text that is no base64 after all
		}
		p.List = append(p.List, Payload{
			Source: at.source, Ordinal: ordinals[at.source], Line: at.line, Depth: at.depth,
			Data: data, Problem: problem, Text: at.text,
		})
		ordinals[at.source]++
	}
	return p
}

// readSlice reads what follows the prefix of a data line. emit! writes one slice;
// a line of none or several is no event, whatever its first slice holds.
func (d *Decoder) readSlice(text string) (data []byte, problem string) {
	switch slices := strings.Count(text, " ") + 1; {
	case text == "":
		return nil, "no slice"
	case slices > 1:
		return nil, strconv.Itoa(slices) + " slices: want 1"
	case strings.ContainsAny(text, "\r\n"): // base64's decoder would skip them
		return nil, "line break in base64"
	}
	data, err := d.encoding.DecodeString(text)
	if err != nil {
		return nil, err.Error()
	}
	return data, ""
}
