package idl

import "slices"

// An IDL is what a file says about a program's events. It does not change after
// [Parse] and may be used from many goroutines.
type IDL struct {
	Address string // of the program, as the file has it; may be empty
	Name    string
	Version string
	Legacy  bool     // the form before Anchor 0.30
	Events  []*Event // in the order of the file, broken ones included

	// EventAuthority says that an instruction takes the account of that name:
	// the program emits by CPI.
	EventAuthority bool

	lengths        []int // of discriminators, each once, longest first
	discriminators map[string]*Event
}

// An Event is one event of a program.
type Event struct {
	Name          string
	Discriminator []byte
	Type          *Type // of the payload; nil if Broken

	// Broken is why payloads cannot be read, nil if they can. The event is
	// matched nevertheless, if it has a discriminator.
	Broken error

	twofold bool // holds a coption, which has two layouts
}

// Match finds the event that bytes begin as: the one with the longest
// discriminator. What follows the discriminator is the payload.
func (i *IDL) Match(data []byte) (*Event, bool) {
	for _, n := range i.lengths {
		if len(data) < n {
			continue
		}
		if e, ok := i.discriminators[string(data[:n])]; ok {
			return e, true
		}
	}
	return nil, false
}

// Event finds an event by its name in the file.
func (i *IDL) Event(name string) (*Event, bool) {
	at := slices.IndexFunc(i.Events, func(e *Event) bool { return e.Name == name })
	if at < 0 {
		return nil, false
	}
	return i.Events[at], true
}
