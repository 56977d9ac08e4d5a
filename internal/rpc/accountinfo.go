package rpc

import (
	"context"
	"encoding/base64"
)

// maxAccount is the most data that an account can hold, in bytes.
const maxAccount = 10 << 20

// Account is what a node has at an address.
type Account struct {
	Exists bool
	Owner  [32]byte // the program that alone may write Data
	Data   []byte   // at most 10 MiB
	Slot   uint64   // as of which slot
}

// AccountInfo asks for the account at an address. One that does not exist is no
// error.
func (c *Client) AccountInfo(ctx context.Context, address [32]byte, at Commitment) (Account, error) {
	var answer struct {
		Context struct {
			Slot uint64 `json:"slot"`
		} `json:"context"`
		Value *struct {
			Owner string   `json:"owner"`
			Data  []string `json:"data"` // text and encoding
		} `json:"value"`
	}
	params := []any{KeyString(address), object{"commitment": at, "encoding": "base64"}}
	if err := c.call(ctx, methodAccountInfo, params, &answer); err != nil {
		return Account{}, err
	}
	a := Account{Slot: answer.Context.Slot}
	if answer.Value == nil {
		return a, nil
	}
	data := answer.Value.Data
	if len(data) != 2 || data[1] != "base64" {
		return Account{}, malformed(methodAccountInfo, "the account's data is not in base64, as was asked for")
	}
	if base64.StdEncoding.DecodedLen(len(data[0])) > maxAccount+2 { // the length before padding is known
		return Account{}, malformed(methodAccountInfo, "the account is longer than accounts can be")
	}
	var err error
	if a.Owner, err = ParseKey(answer.Value.Owner); err != nil {
		return Account{}, malformed(methodAccountInfo, "the account's owner is no key")
	}
	if a.Data, err = base64.StdEncoding.DecodeString(data[0]); err != nil {
		return Account{}, malformed(methodAccountInfo, "the account's data is damaged base64")
	}
	a.Exists = true
	return a, nil
}
