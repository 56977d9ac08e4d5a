package decode

import "strconv"

// eventTag begins the data of an event by CPI: sha256("anchor:event")[:8],
// reversed.
const eventTag = "\xe4\x45\xa5\x2e\x51\xcb\x9a\x1d"

// A CPI finds the events that one program emitted by calling itself. It has no
// state of its own and may be used from many goroutines.
type CPI struct {
	program, authority string
}

// NewCPI fails for an address that is not the base58 form of 32 bytes.
func NewCPI(program string) (*CPI, error) {
	authority, err := EventAuthority(program)
	if err != nil {
		return nil, err
	}
	return &CPI{program: program, authority: authority}, nil
}

// Calls are what a transaction's instructions tell of the program's events.
type Calls struct {
	Doubt  Doubt     // why there may be more; the zero value = this is all
	List   []Payload // what was emitted, tag taken off
	Forged []Forgery // what pretends to be an event of the program

	SelfCalls int // of the program, events and others
}

// A Forgery is an instruction to the program that has an event's tag and is not
// emitted by the program.
type Forgery struct {
	Outer, Inner int // Inner is -1 for a top-level instruction
	Depth        int
	Why          string
}

// Events finds what the program emitted by CPI. Who called is known by the
// heights of the stack alone; where the record has none, the log must prove
// them. From the first call whose caller is in doubt on nothing is taken.
func (c *CPI) Events(tx *Transaction) Calls {
	var (
		calls Calls
		buf   [8]string
		stack = buf[:0] // the programs that run, by height
		lost  string    // why the stack is not known, until the next top-level instruction
		proof = heights{tx: tx}
	)
	for i := range tx.Instructions {
		in := &tx.Instructions[i]
		if in.Inner < 0 {
			stack, lost = append(stack[:0], in.Program), ""
		} else if height := proof.of(i); height == 0 {
			lost = "the record has no stack heights, and the log does not prove them"
		} else if height < 2 || height > len(stack)+1 {
			lost = "height " + strconv.Itoa(height) + " does not follow from " + strconv.Itoa(len(stack))
		} else {
			stack = append(stack[:height-1], in.Program)
		}
		if in.Program != c.program && in.Program != "" {
			continue
		}
		if !c.take(&calls, in, stack, lost) {
			return calls
		}
	}
	if tx.InnerMissing {
		calls.Doubt = Doubt{ReasonNoInner, "the record has no inner instructions"}
	}
	return calls
}

// take looks at one instruction that is the program's, or may be. It gives false
// where nothing can be said from there on.
func (c *CPI) take(calls *Calls, in *Instruction, stack []string, lost string) bool {
	top := in.Inner < 0
	self := !top && lost == "" && stack[len(stack)-2] == c.program
	if self && in.Program == c.program {
		calls.SelfCalls++
	}
	if in.NoData {
		return in.Program == "" || top || calls.doubt(in, ReasonForm, "an instruction of the program without its data")
	}
	data, ok := in.Bytes, true
	if in.Data != "" {
		data, ok = decodeBase58(nil, in.Data)
	}
	if !ok {
		return top || calls.doubt(in, ReasonForm, "data is not base58 of at most 10,240 bytes")
	}
	if len(data) < len(eventTag) || string(data[:len(eventTag)]) != eventTag {
		return true
	}
	switch {
	case in.Program == "":
		return top || calls.doubt(in, ReasonNoKeys, "an event of a program that the record does not name")
	case top:
		calls.forged(in, len(stack), "called by the transaction itself")
	case lost != "":
		return calls.doubt(in, ReasonNoHeight, lost)
	case stack[len(stack)-2] == "":
		return calls.doubt(in, ReasonNoKeys, "called by a program that the record does not name")
	case !self:
		calls.forged(in, len(stack), "called by "+stack[len(stack)-2])
	case in.Accounts != 1:
		calls.forged(in, len(stack), strconv.Itoa(in.Accounts)+" accounts: want the event authority alone")
	case in.Account == "":
		return calls.doubt(in, ReasonNoKeys, "the record does not name the account of an event")
	case in.Account != c.authority:
		calls.forged(in, len(stack), "signed by "+in.Account+": want the event authority "+c.authority)
	default:
		calls.List = append(calls.List, Payload{
			Source: SourceCPI, Ordinal: uint32(len(calls.List)), Outer: in.Outer, Inner: in.Inner, Depth: len(stack),
			Data: data[len(eventTag):],
		})
	}
	return true
}

func (c *Calls) doubt(in *Instruction, reason Reason, detail string) bool {
	c.Doubt = Doubt{reason, "instruction " + strconv.Itoa(in.Outer) + "." + strconv.Itoa(in.Inner) + ": " + detail}
	return false
}

func (c *Calls) forged(in *Instruction, depth int, why string) {
	c.Forged = append(c.Forged, Forgery{Outer: in.Outer, Inner: in.Inner, Depth: depth, Why: why})
}
