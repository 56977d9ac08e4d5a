package decode

import "slices"

// A Transaction is the record of one, as far as events need it. Keys and
// programs are base58 text: one text for one key.
type Transaction struct {
	Logs        []string
	LogsMissing bool // not the same as no lines

	// Keys are all account keys: static, loaded writable, loaded read-only.
	// KeysMissing means that there may be more.
	Keys        []string
	KeysMissing bool

	// Instructions are all of them in the order in which they ran: each
	// top-level one is followed by those that it caused, depth first.
	// InnerMissing means that only the top-level ones were recorded, if any.
	Instructions []Instruction
	InnerMissing bool
}

// An Instruction is one of a transaction's, its indices into the keys resolved.
type Instruction struct {
	Outer    int    // index of the top-level instruction
	Inner    int    // index among those that it caused; -1 for itself
	Program  string // empty = unknown
	Accounts int    // how many
	Account  string // the first of them, where there is one and it is known
	Data     string // base58, or empty where Bytes has it
	Bytes    []byte // the data itself, from records that have it so
	NoData   bool   // the record has a reading by the node in place of the data
	Height   int    // of the stack, 1 for a top-level one; 0 = not recorded
}

// Mentions reports whether the program may have had a part in the transaction:
// nothing runs that is not among its keys.
func (t *Transaction) Mentions(program string) bool {
	return t.KeysMissing || slices.Contains(t.Keys, program)
}
