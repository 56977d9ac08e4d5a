package decode

import "strconv"

// A Reason says in a word why a transaction may hold more events of the program
// than were found. Records and outputs have it as it is.
type Reason string

// The reasons.
const (
	ReasonTruncated      Reason = "truncated"       // the node cut the log
	ReasonNoLog          Reason = "no_log"          // the node has none
	ReasonUnattributable Reason = "unattributable"  // the log's invocations do not add up
	ReasonNoInner        Reason = "no_inner"        // no inner instructions in the record, or not all
	ReasonNoKeys         Reason = "no_keys"         // an instruction's program or account is not named
	ReasonNoHeight       Reason = "no_stack_height" // nobody knows who called
	ReasonForm           Reason = "form"            // an instruction that no node gives
)

// A Doubt is a reason with its details, which may hold a stranger's text.
type Doubt struct {
	Reason Reason // empty = no doubt
	Detail string
}

// A Finder finds what one program emitted in a transaction, by every way. It has
// no state of its own and may be used from many goroutines.
type Finder struct {
	*Decoder
	*CPI
}

// NewFinder makes a finder for a program by its address in base58; it fails for
// what is none.
func NewFinder(program string) (*Finder, error) {
	cpi, err := NewCPI(program)
	if err != nil {
		return nil, err
	}
	return &Finder{Decoder: New(program), CPI: cpi}, nil
}

// Found is what one transaction holds of the program.
type Found struct {
	Log    Payloads
	Calls  Calls
	Doubts []Doubt // none = this is all
}

// Find reads the log and the instructions of a transaction. Each is held against
// the other: the runtime writes a line for every call, so a complete log shows
// the program calling itself as often as the record has it do so.
func (f *Finder) Find(tx *Transaction) Found {
	found := Found{Log: f.Payloads(tx.Logs, tx.LogsMissing)}
	if !tx.InnerMissing {
		found.Calls = f.Events(tx)
	}
	complete := found.Log.State == LogComplete
	seen, recorded := found.Log.SelfCalls, found.Calls.SelfCalls
	if found.Log.Invocations == 0 && recorded == 0 && (complete || !tx.Mentions(f.CPI.program)) {
		found.Calls.Doubt = Doubt{}
		return found // the program did not run
	}
	switch found.Log.State {
	case LogTruncated:
		found.doubt(ReasonTruncated, "the log was cut short")
	case LogMissing:
		found.doubt(ReasonNoLog, "the node has no log")
	case LogUnattributable:
		found.doubt(ReasonUnattributable, found.Log.Problem)
	}
	switch {
	case found.Calls.Doubt.Reason != "":
		found.Doubts = append(found.Doubts, found.Calls.Doubt)
	case seen > recorded && tx.InnerMissing:
		found.doubt(ReasonNoInner, "the program called itself, which may be events, and there are no instructions here: ask for the transaction")
	case seen > recorded || complete && seen < recorded:
		found.doubt(ReasonNoInner, "the log shows "+strconv.Itoa(seen)+" calls of the program by itself, the instructions are "+strconv.Itoa(recorded))
	}
	return found
}

func (f *Found) doubt(reason Reason, detail string) {
	f.Doubts = append(f.Doubts, Doubt{reason, detail})
}
