package inspect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"minesaudit/internal/rpc"
	"minesaudit/internal/txjson"
)

// ErrInput marks what only whoever gave the files can mend.
var ErrInput = errors.New("unusable input")

// maxInput bounds one file, in bytes. A million transactions have about four
// times as much; they are for the daemon.
const maxInput = 1 << 30

// ReadAnswers reads the transactions in a file, in any of the forms of package
// txjson that tell signature and slot. name is for messages. Errors match
// ErrInput unless the reader itself failed.
func ReadAnswers(r io.Reader, name string) ([]*rpc.Tx, error) {
	limited := &io.LimitedReader{R: r, N: maxInput + 1}
	reader := txjson.NewReader(limited)
	var txs []*rpc.Tx
	for documents := 0; ; documents++ {
		found, err := reader.Next()
		switch {
		case limited.N <= 0:
			return nil, fmt.Errorf("%s: %w: longer than %d bytes", name, ErrInput, int64(maxInput))
		case errors.Is(err, io.EOF) && documents == 0:
			return nil, fmt.Errorf("%s: %w: the file is empty", name, ErrInput)
		case errors.Is(err, io.EOF):
			return txs, nil
		case err != nil:
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		for i := range found {
			tx, err := ofRecord(&found[i])
			if err != nil {
				return nil, fmt.Errorf("%s: line %d: %w: %s", name, found[i].Line, ErrInput, Printable(err.Error()))
			}
			txs = append(txs, tx)
		}
	}
}

// ofRecord makes a transaction of what was read, and shares no text with it but
// the answer.
func ofRecord(x *txjson.Tx) (*rpc.Tx, error) {
	if x.Problem.Reason != "" {
		return nil, errors.New(x.Problem.Detail)
	}
	if !x.HasSlot {
		return nil, errors.New("no slot: give whole answers to getTransaction")
	}
	signature, err := rpc.ParseSignature(x.Signature)
	if err != nil {
		return nil, rpc.ErrNoSignature
	}
	tx := &rpc.Tx{
		Signature: signature, Slot: x.Slot, StatusMissing: x.StatusMissing, BlockTime: x.BlockTime, HasBlockTime: x.HasBlockTime,
		LogsMissing: x.LogsMissing, Accounts: accounts(x), Answer: x.Text,
	}
	if x.Err != "" {
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(x.Err)); err != nil {
			return nil, fmt.Errorf("error of the transaction: %w", err)
		}
		tx.Err = compact.Bytes()
	}
	for _, line := range x.Logs {
		tx.Logs = append(tx.Logs, strings.Clone(line))
	}
	return tx, nil
}

// accounts gives nil if not every key is known.
func accounts(x *txjson.Tx) [][32]byte {
	if x.KeysMissing {
		return nil
	}
	keys := make([][32]byte, len(x.Keys))
	for i, text := range x.Keys {
		key, err := rpc.ParseKey(text)
		if err != nil {
			return nil
		}
		keys[i] = key
	}
	return keys
}
