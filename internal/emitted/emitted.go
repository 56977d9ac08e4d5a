// Package emitted reads what the audited program emitted in a transaction, as a
// node tells of it: from its log, and where that is not enough from the node's
// whole answer. What follows the chain and what inspects one game look in the
// same way, and so see the same.
package emitted

import (
	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
	"minesaudit/internal/txjson"
)

// In reads a transaction that succeeded. Its [decode.Log.Ask] stays where the
// log is not enough and there is no answer of a node to look into.
func In(r *decode.Reader, tx *rpc.Tx) decode.Log {
	log := r.Logs(tx.Slot, tx.Logs, tx.LogsMissing)
	if !log.Ask || len(tx.Answer) == 0 {
		return log
	}
	var parser txjson.Parser
	read := parser.Parse(string(tx.Answer))
	switch {
	case len(read) != 1:
		return doubtful(log, "the node's answer is not one transaction")
	case read[0].Problem.Reason != "":
		return doubtful(log, "the node's answer: "+string(read[0].Problem.Reason)+": "+read[0].Problem.Detail)
	}
	return r.Transaction(tx.Slot, &read[0].Transaction)
}

// doubtful keeps what the log shows and says that there may be more.
func doubtful(log decode.Log, why string) decode.Log {
	log.Ask, log.State, log.Problem = false, decode.LogUnattributable, why
	return log
}
