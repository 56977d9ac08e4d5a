package txjson

import (
	"encoding/base64"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/base58"
)

// maxBinary bounds the text of a transaction, which has at most 4,096 bytes:
// reading base58 takes quadratic time.
const maxBinary = 8192

// binary reads a transaction of version legacy, 0 or 1 in its own form. What
// cannot be read leaves the keys and instructions unknown: the log counts
// nevertheless.
func (r *record) binary(text, encoding string) {
	data := decodeBinary(text, encoding)
	if data == nil {
		return
	}
	tx := decodeTransaction(data)
	if tx == nil {
		return
	}
	if len(tx.Signatures) > 0 {
		r.signed(tx.Signatures[0].String())
	}
	for i := range tx.Message.AccountKeys {
		r.keys = append(r.keys, tx.Message.AccountKeys[i].String())
	}
	r.lookups = tx.Message.NumLookups()
	r.once(seenInstructions)
	for i := range tx.Message.Instructions {
		in := &tx.Message.Instructions[i]
		top := instruction{program: int(in.ProgramIDIndex), account: -1, accounts: len(in.Accounts), bytes: in.Data}
		if len(in.Accounts) > 0 {
			top.account = int(in.Accounts[0])
		}
		r.top = append(r.top, top)
	}
}

func decodeBinary(text, encoding string) []byte {
	if len(text) > maxBinary {
		return nil
	}
	var data []byte
	var err error
	switch encoding {
	case "base64":
		data, err = base64.StdEncoding.DecodeString(text)
	case "base58":
		data, err = base58.Decode(text)
	default: // base64+zstd is for accounts
		return nil
	}
	if err != nil {
		return nil
	}
	return data
}

// decodeTransaction gives nil for bytes that are no transaction. They come from
// strangers and the decoder is foreign code, so a panic in it is taken so too.
func decodeTransaction(data []byte) (tx *solana.Transaction) {
	defer func() {
		if recover() != nil {
			tx = nil
		}
	}()
	tx, err := solana.TransactionFromBytes(data)
	if err != nil {
		return nil
	}
	return tx
}
