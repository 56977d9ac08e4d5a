package inspect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"minesaudit/internal/rpc"
)

// ErrInput marks what only whoever gave the files can mend.
var ErrInput = errors.New("unusable input")

// maxInput bounds one file, in bytes. A million transactions have about four
// times as much; they are for the daemon.
const maxInput = 1 << 30

// ReadAnswers reads the getTransaction answers in a file: JSON values one after
// another, each a whole response, its result alone, or an array of these. name
// is for messages. Errors match ErrInput unless the reader itself failed.
func ReadAnswers(r io.Reader, name string) ([]*rpc.Tx, error) {
	limited := &io.LimitedReader{R: r, N: maxInput + 1}
	a := answers{name: name}
	decoder := json.NewDecoder(limited)
	for {
		var value json.RawMessage
		err := decoder.Decode(&value)
		switch {
		case errors.Is(err, io.EOF) && a.values == 0:
			return nil, fmt.Errorf("%s: %w: the file is empty", name, ErrInput)
		case errors.Is(err, io.EOF):
			return a.txs, nil
		case limited.N <= 0:
			return nil, fmt.Errorf("%s: %w: longer than %d bytes", name, ErrInput, int64(maxInput))
		case isSyntax(err):
			return nil, fmt.Errorf("%s: after byte %d: %w: %s", name, decoder.InputOffset(), ErrInput, Printable(err.Error()))
		case err != nil:
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		if err := a.take(value); err != nil {
			return nil, err
		}
	}
}

func isSyntax(err error) bool {
	var syntax *json.SyntaxError
	return errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF)
}

// answers are the transactions read so far.
type answers struct {
	name   string
	values int // read, whatever they held
	txs    []*rpc.Tx
}

// take reads one value of the file; an array holds answers, not arrays.
func (a *answers) take(value json.RawMessage) error {
	if value[0] != '[' {
		return a.one(value)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(value, &list); err != nil {
		return a.refuse("%s", Printable(err.Error()))
	}
	for _, element := range list {
		if err := a.one(element); err != nil {
			return err
		}
	}
	return nil
}

func (a *answers) one(value json.RawMessage) error {
	a.values++
	if value[0] != '{' {
		return a.refuse("%s is no object", Printable(string(value)))
	}
	var response struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(value, &response); err != nil {
		return a.refuse("%s", Printable(err.Error()))
	}
	result := response.Result
	switch {
	case len(response.Error) > 0 && !bytes.Equal(response.Error, []byte("null")):
		return a.refuse("the node answered an error: %s", Printable(string(response.Error)))
	case bytes.Equal(result, []byte("null")):
		return a.refuse("the node did not know the transaction (result null)")
	case result == nil:
		result = value
	}
	tx, err := rpc.ParseTransaction(result)
	if err != nil {
		return a.refuse("%v", err)
	}
	a.txs = append(a.txs, tx)
	return nil
}

func (a *answers) refuse(format string, args ...any) error {
	return fmt.Errorf("%s: value %d: %w: %s", a.name, a.values, ErrInput, fmt.Sprintf(format, args...))
}
