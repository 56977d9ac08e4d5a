package txjson

import "minesaudit/internal/decode"

// A Tx is one transaction as a document tells it. Where it has a Problem,
// nothing but its signature, if known, is to be used.
type Tx struct {
	decode.Transaction

	Signature     string // base58; empty = not told
	Slot          uint64 // where HasSlot
	HasSlot       bool
	BlockTime     int64 // unix seconds, where HasBlockTime
	HasBlockTime  bool
	Err           string // JSON of the error with which it failed; empty = succeeded, or StatusMissing
	StatusMissing bool   // not told whether it failed
	Text          string // the JSON that it was read from, without what lies around it
	Line          int    // of the document's begin, from 1; by a Reader only

	Problem Problem
}

// A Problem says why a document, or a transaction in it, cannot be read.
type Problem struct {
	Reason Reason // empty = no problem
	Detail string // may hold a stranger's text
}

// A Reason is a problem in a word. Outputs have it as it is.
type Reason string

// The reasons.
const (
	NotJSON  Reason = "not_json"          // or cut off
	TooLong  Reason = "too_long"          // beyond MaxDocument
	NotTx    Reason = "not_a_transaction" // JSON of another kind
	Form     Reason = "form"              // a field that has the wrong type, stands twice or contradicts another
	NotFound Reason = "not_found"         // the node did not know the transaction
	Error    Reason = "error"             // the node answered an error
)
