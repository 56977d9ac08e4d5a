package listing

import (
	"encoding/json"

	"minesaudit/internal/decode"
	"minesaudit/internal/idl"
	"minesaudit/internal/txjson"
)

// Options say what is listed.
type Options struct {
	Messages bool // events that the program printed as text, too
	Failed   bool // those of failed transactions, too
	Where    bool // each event with its transaction's signature and slot
}

// Counts are what has been listed so far.
type Counts struct {
	Transactions int // that could be read
	Events       int
	Malformed    int // payloads; an event with bytes left over is counted as an event too
	Unverifiable int // lines

	Failed       int // transactions that failed
	FailedEvents int // payloads in them, left out
	Messages     int // lines of text that look like events, left out
}

// A Lister lists the events of one program. It is for one goroutine.
type Lister struct {
	Options
	Counts

	program []byte // in quotes
	idl     *idl.IDL
	finder  *decode.Finder
	names   map[*idl.Event][]byte // in quotes
	file    []byte                // in quotes; nil = not said
}

// New fails for a program that is not the base58 form of 32 bytes.
func New(program string, file *idl.IDL, o Options) (*Lister, error) {
	finder, err := decode.NewFinder(program)
	if err != nil {
		return nil, err
	}
	finder.Decoder = finder.WithMessages() // counted even if not listed
	l := &Lister{Options: o, program: quote(program), idl: file, finder: finder, names: map[*idl.Event][]byte{}}
	for _, e := range file.Events {
		l.names[e] = quote(e.Name)
	}
	return l, nil
}

// In says which file what follows is from.
func (l *Lister) In(file string) { l.file = quote(file) }

// Append appends the lines of one transaction to dst.
func (l *Lister) Append(dst []byte, tx *txjson.Tx) []byte {
	if tx.Problem.Reason != "" {
		return l.unverifiable(dst, tx, string(tx.Problem.Reason), tx.Problem.Detail)
	}
	l.Transactions++
	found := l.finder.Find(&tx.Transaction)
	if tx.Err != "" {
		l.Counts.Failed++
		if !l.Options.Failed {
			l.FailedEvents += len(found.Calls.List)
			for i := range found.Log.List {
				if found.Log.List[i].Source == decode.SourceLog {
					l.FailedEvents++
				}
			}
			return dst
		}
	}
	for i := range found.Log.List {
		dst = l.payload(dst, tx, &found.Log.List[i])
	}
	for i := range found.Calls.List {
		dst = l.payload(dst, tx, &found.Calls.List[i])
	}
	for _, f := range found.Calls.Forged {
		dst = l.forged(dst, tx, f)
	}
	for _, d := range found.Doubts {
		dst = l.unverifiable(dst, tx, string(d.Reason), d.Detail)
	}
	return dst
}

// quote gives text as a JSON string. What is not UTF-8 is replaced.
func quote(text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil { // never for a string
		return []byte(`""`)
	}
	return quoted
}
