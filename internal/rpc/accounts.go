package rpc

import (
	"encoding/base64"
	"encoding/json"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/base58"

	"minesaudit/internal/jsonread"
)

// loaded are the keys that a version-0 transaction took from lookup tables.
type loaded struct {
	Writable []string `json:"writable"`
	Readonly []string `json:"readonly"`
}

// readBody takes the first signature and all account keys out of the `transaction`
// field: [DATA, ENCODING], or an object where json or jsonParsed was asked for. ok is
// false if there is no readable signature; keys is nil if not every key is known,
// because a list with holes would give indices a false meaning.
func readBody(raw rawText, tables loaded) (sig [64]byte, keys [][32]byte, ok bool) {
	if len(raw) == 0 {
		return sig, nil, false
	}
	if raw[0] == '[' {
		return readBinary(raw, tables)
	}
	return readObject(raw, tables)
}

func readBinary(raw rawText, tables loaded) (sig [64]byte, keys [][32]byte, ok bool) {
	var pair []string
	c := jsonread.Cursor{Text: string(raw)}
	for w := c.Array(); w.Next(); {
		pair = append(pair, c.Str())
	}
	if c.Err != nil || len(pair) != 2 {
		return sig, nil, false
	}
	var data []byte
	var err error
	switch pair[1] {
	case "base64":
		data, err = base64.StdEncoding.DecodeString(pair[0])
	case "base58":
		data, err = base58.Decode(pair[0])
	default: // base64+zstd is never asked for
		return sig, nil, false
	}
	if err != nil {
		return sig, nil, false
	}
	tx := decodeTransaction(data)
	if tx == nil || len(tx.Signatures) == 0 {
		return sig, nil, false
	}
	sig = tx.Signatures[0]
	if tx.Message.NumLookups() != len(tables.Writable)+len(tables.Readonly) {
		return sig, nil, true
	}
	for _, key := range tx.Message.AccountKeys {
		keys = append(keys, key)
	}
	return sig, appendKeys(keys, tables.Writable, tables.Readonly), true
}

// decodeTransaction gives nil for bytes that are no transaction of version legacy, 0
// or 1. The bytes come from a foreign endpoint and the decoder is foreign code, so a
// panic in it is taken as such bytes too.
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

func readObject(raw rawText, tables loaded) (sig [64]byte, keys [][32]byte, ok bool) {
	var body struct {
		Signatures []string `json:"signatures"`
		Message    struct {
			Keys []json.RawMessage `json:"accountKeys"`
		} `json:"message"`
	}
	if json.Unmarshal([]byte(raw), &body) != nil || len(body.Signatures) == 0 {
		return sig, nil, false
	}
	sig, err := ParseSignature(body.Signatures[0])
	if err != nil {
		return sig, nil, false
	}
	var names []string
	parsed := false // jsonParsed lists the loaded keys among the others
	for _, k := range body.Message.Keys {
		var name string
		if json.Unmarshal(k, &name) != nil {
			var key struct {
				Pubkey string `json:"pubkey"`
			}
			if json.Unmarshal(k, &key) != nil {
				return sig, nil, true
			}
			name, parsed = key.Pubkey, true
		}
		names = append(names, name)
	}
	if parsed {
		tables = loaded{}
	}
	return sig, appendKeys(nil, names, tables.Writable, tables.Readonly), true
}

// appendKeys gives nil if one of the names is no key.
func appendKeys(keys [][32]byte, lists ...[]string) [][32]byte {
	for _, list := range lists {
		for _, name := range list {
			key, err := ParseKey(name)
			if err != nil {
				return nil
			}
			keys = append(keys, key)
		}
	}
	return keys
}
