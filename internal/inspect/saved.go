package inspect

import (
	"minesaudit/internal/rpc"
	"minesaudit/internal/txjson"
)

// Saved makes a transaction of one that was read from a file; an error says in
// words fit for people why it cannot be used. It shares no text with x.
func Saved(x *txjson.Tx) (*rpc.Tx, error) { return ofRecord(x) }
