package decode

import "encoding/base64"

// A Decoder finds what one program wrote into logs. It has no state of its own
// and may be used from many goroutines.
type Decoder struct {
	program  string
	messages bool             // read lines of text that are base64, too
	encoding *base64.Encoding // padded, and no second way to write the same bytes
}

// New makes a decoder for a program by its address in base58.
func New(program string) *Decoder {
	return &Decoder{program: program, encoding: base64.StdEncoding.Strict()}
}

// WithMessages makes one that takes the program's lines of text for payloads too
// where they are nothing but base64. Players choose what some programs print:
// it is for programs that are known to print their events so.
func (d *Decoder) WithMessages() *Decoder {
	with := *d
	with.messages = true
	return &with
}

// Logs finds the program's events in the log of a transaction, whose elements
// are the lines. missing means that the node has no log, which is not the same
// as an empty one.
func (d *Decoder) Logs(lines []string, missing bool) Log {
	if missing {
		return Log{State: LogMissing}
	}
	var buf [4]place
	places, a := d.attribute(buf[:0], lines)
	log := Log{State: a.state, Problem: a.problem, Invocations: a.invocations}
	if len(places) > 0 {
		log.Events = make([]Event, 0, len(places))
	}
	layout := BuiltinLayout()
	for _, at := range places {
		if at.source == SourceLog {
			raw, problem := d.readSlice(at.text)
			e := layout.read(0, raw, problem, at.text)
			e.Source, e.Ordinal, e.Line = SourceLog, uint32(len(log.Events)), at.line
			log.add(e)
		}
	}
	return log
}

// read reads what stood on a line: the bytes, or the text with what is wrong
// with it.
func (l *Layout) read(slot uint64, raw []byte, problem, text string) Event {
	if problem != "" {
		return Event{Kind: KindMalformed, Data: []byte(text), Problem: problem}
	}
	return l.Parse(slot, raw)
}
