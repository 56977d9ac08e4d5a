package rpc

import (
	"context"
	"encoding/json"
	"errors"
)

// Tx is one transaction as a notification or getTransaction tells it.
type Tx struct {
	Signature     [64]byte
	Slot          uint64
	Err           []byte // compact JSON of the transaction's error; nil = succeeded
	StatusMissing bool   // the node kept no meta: Err is unknown, not nil; only from getTransaction
	BlockTime     int64  // unix seconds, where HasBlockTime; notifications have none
	HasBlockTime  bool
	Logs          []string   // one element a log line; a line may hold newlines and NULs
	LogsMissing   bool       // the node did not record logs: not the same as no lines
	Accounts      [][32]byte // static keys, then loaded writable, then loaded readonly; nil = unknown; only from getTransaction

	// Answer is the node's whole answer, for who needs more of it: instructions,
	// balances. Only from getTransaction.
	Answer string
}

// ErrNoSignature: the transaction's own bytes cannot be read, the rest can.
var ErrNoSignature = errors.New("no readable signature")

var (
	errNoSlot = errors.New("no slot")
	errForm   = errors.New("not a transaction of the documented form")
)

// Transaction asks for one transaction. NotFound right after its notification means
// that the node lags; UnsupportedVersion must stop whoever follows the program.
func (c *Client) Transaction(ctx context.Context, sig [64]byte, at Commitment) (*Tx, error) {
	var text rawText
	if err := c.call(ctx, methodTransaction, transactionParams(sig, at), &text); err != nil {
		return nil, err
	}
	tx, err := readTransaction(text, sig)
	if err != nil { // a nil *Error in an error is not nil
		return nil, err
	}
	return tx, nil
}

func transactionParams(sig [64]byte, at Commitment) []any {
	return []any{SignatureString(sig), object{
		"commitment": at, "encoding": "base64", "maxSupportedTransactionVersion": 1,
	}}
}

// readTransaction reads the answer to a request for a transaction, which is valid JSON.
func readTransaction(text rawText, sig [64]byte) (*Tx, *Error) {
	tx, err := parseValid(string(text))
	if err != nil && !errors.Is(err, ErrNoSignature) {
		return nil, malformed(methodTransaction, err.Error())
	}
	if err == nil && tx.Signature != sig {
		return nil, malformed(methodTransaction, "the answer is about another transaction")
	}
	tx.Answer = string(text)
	tx.Signature = sig // where the transaction's own bytes cannot be read
	return tx, nil
}

// ParseTransaction reads the result of getTransaction in any of its encodings. With
// ErrNoSignature comes the rest of the transaction, its signature zero and its accounts
// unknown.
func ParseTransaction(result []byte) (*Tx, error) {
	if !json.Valid(result) {
		return nil, errForm
	}
	return parseValid(string(result))
}

// wireTx is the result of getTransaction; Meta is nil where the node kept none.
type wireTx struct {
	Slot        *uint64   `json:"slot"`
	BlockTime   *int64    `json:"blockTime"`
	Transaction rawText   `json:"transaction"`
	Meta        *wireMeta `json:"meta"`
}

type wireMeta struct {
	Err    json.RawMessage `json:"err"`
	Logs   []string        `json:"logMessages"`
	Loaded loaded          `json:"loadedAddresses"`
}

// readTxAny decodes any answer and is what readTxQuick is held against.
func readTxAny(result []byte) (w wireTx, err error) {
	if json.Unmarshal(result, &w) != nil {
		return w, errForm
	}
	return w, nil
}

// parseValid is ParseTransaction for what is known to be valid JSON.
func parseValid(text string) (*Tx, error) {
	w, ok := readTxQuick(text)
	if !ok {
		var err error
		if w, err = readTxAny([]byte(text)); err != nil {
			return nil, err
		}
	}
	if w.Slot == nil {
		return nil, errNoSlot
	}
	tx := &Tx{Slot: *w.Slot, StatusMissing: w.Meta == nil, LogsMissing: true}
	if w.BlockTime != nil {
		tx.BlockTime, tx.HasBlockTime = *w.BlockTime, true
	}
	var tables loaded
	if w.Meta != nil {
		tx.Err = txErr(w.Meta.Err)
		tx.Logs, tx.LogsMissing = w.Meta.Logs, w.Meta.Logs == nil
		tables = w.Meta.Loaded
	}
	sig, keys, ok := readBody(w.Transaction, tables)
	if !ok {
		return tx, ErrNoSignature
	}
	tx.Signature, tx.Accounts = sig, keys
	return tx, nil
}
