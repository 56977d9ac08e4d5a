package decode

import (
	"errors"
	"fmt"
)

// A Reader finds the events of games that one program emitted, by the ways that
// its profile names. It has no state of its own and may be used from many
// goroutines.
type Reader struct {
	finder Finder
	layout *Layout
	where  Where
}

// NewReader fails for a program that is not the base58 form of 32 bytes. messages
// is as in [Decoder.WithMessages], except that text which does not begin as an
// event of games is text: a line that anyone may have the program print.
func NewReader(program string, l *Layout, w Where, messages bool) (*Reader, error) {
	if w > InBoth {
		return nil, fmt.Errorf("events in %s: want one of %q", w, whereNames())
	}
	if messages && w == InCPI {
		return nil, errors.New("events are looked for by CPI alone, and in messages of the log: one of the two")
	}
	finder, err := NewFinder(program)
	if err != nil {
		return nil, err
	}
	if messages {
		finder.Decoder = finder.WithMessages()
	}
	return &Reader{finder: *finder, layout: l, where: w}, nil
}

// Layout is what the reader reads by.
func (r *Reader) Layout() *Layout { return r.layout }

// Logs finds the events that are in the log of a transaction; missing means that
// the node has none. Where events may be by CPI too and the log does not prove
// that there are none, the answer is to [Log.Ask] for the transaction.
func (r *Reader) Logs(slot uint64, lines []string, missing bool) Log {
	if missing {
		return Log{State: LogMissing, Ask: r.where != InLogs}
	}
	var buf [4]place
	places, a := r.finder.attribute(buf[:0], lines)
	log := Log{State: a.state, Problem: a.problem, Invocations: a.invocations}
	if r.where != InCPI {
		r.read(&log, slot, places)
	}
	if r.where == InLogs {
		return log
	}
	switch {
	case a.state != LogComplete:
		log.Ask = true
	case a.selfCalls > 0:
		log.Ask = true
		log.State = LogUnattributable
		log.Problem = string(ReasonNoInner) + ": the program called itself, which may be events, and a log does not have those"
	}
	return log
}

// read adds the events of the places, each with its ordinal.
func (r *Reader) read(log *Log, slot uint64, places []place) {
	if len(places) == 0 {
		return
	}
	log.Events = make([]Event, 0, len(places))
	var ordinals [SourceCPI]uint32
	for _, at := range places {
		raw, problem := r.finder.readSlice(at.text)
		if at.source == SourceMessage && problem != "" {
			continue // not even counted, as in Payloads
		}
		ordinal := ordinals[at.source]
		ordinals[at.source]++
		if at.source == SourceMessage && !r.layout.Named(slot, raw) {
			continue
		}
		e := r.layout.read(slot, raw, problem, at.text)
		e.Source, e.Ordinal, e.Line = at.source, ordinal, at.line
		log.add(e)
	}
}

// Transaction finds the events in the record of a transaction by every way that
// the program has. State is LogComplete if this is all: where events are by CPI
// alone, the instructions prove that even if the log was cut short.
func (r *Reader) Transaction(slot uint64, tx *Transaction) Log {
	if r.where == InLogs {
		return r.Logs(slot, tx.Logs, tx.LogsMissing)
	}
	found := r.finder.Find(tx)
	log := Log{Invocations: found.Log.Invocations, Forged: found.Calls.Forged}
	for _, d := range found.Doubts {
		if r.matters(d, tx) {
			log.doubted(d)
			break
		}
	}
	if r.where == InBoth {
		r.emitted(&log, slot, found.Log.List)
	}
	r.emitted(&log, slot, unpaired(found.Calls.List, log.Events))
	return log
}

// matters tells whether a doubt is one about the ways of the program. A log that
// is cut short matters to events by CPI only where nothing else shows the calls.
func (r *Reader) matters(d Doubt, tx *Transaction) bool {
	switch d.Reason {
	case ReasonTruncated, ReasonNoLog, ReasonUnattributable:
		return r.where == InBoth || tx.InnerMissing
	}
	return true
}

func (l *Log) doubted(d Doubt) {
	switch d.Reason {
	case ReasonTruncated:
		l.State = LogTruncated
	case ReasonNoLog:
		l.State = LogMissing
	case ReasonUnattributable:
		l.State, l.Problem = LogUnattributable, d.Detail
	default:
		l.State, l.Problem = LogUnattributable, string(d.Reason)+": "+d.Detail
	}
}

// emitted adds the events of payloads.
func (r *Reader) emitted(log *Log, slot uint64, payloads []Payload) {
	for i := range payloads {
		p := &payloads[i]
		if p.Source == SourceMessage && !r.layout.Named(slot, p.Data) {
			continue
		}
		e := r.layout.read(slot, p.Data, p.Problem, p.Text)
		e.Source, e.Ordinal, e.Line = p.Source, p.Ordinal, p.Line
		log.add(e)
	}
}

// unpaired leaves out payloads by CPI that are in the log with the same bytes:
// the same event, emitted by both ways. Each one in the log answers for one.
func unpaired(calls []Payload, logged []Event) []Payload {
	if len(logged) == 0 {
		return calls
	}
	answers := make(map[string]int, len(logged))
	for i := range logged {
		answers[string(logged[i].Data)]++
	}
	var rest []Payload
	for _, c := range calls {
		if answers[string(c.Data)] > 0 {
			answers[string(c.Data)]--
			continue
		}
		rest = append(rest, c)
	}
	return rest
}
