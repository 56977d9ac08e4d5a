// Package emitted reads what the audited program emitted in a transaction, as a
// node tells of it: from its log, and where that is not enough from the node's
// whole answer. What follows the chain and what inspects one game look in the
// same way, and so see the same.
package emitted

import (
	"slices"

	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
	"minesaudit/internal/txjson"
)

// A Reader reads transactions of one program. It has no state of its own and may
// be used from many goroutines.
type Reader struct {
	*decode.Reader
	balance decode.Balance
}

// Read reads a transaction that succeeded. Its [decode.Log.Ask] stays where the
// log is not enough and there is no answer of a node to look into.
func (r Reader) Read(tx *rpc.Tx) decode.Log {
	log := r.Logs(tx.Slot, tx.Logs, tx.LogsMissing)
	if tx.Answer == "" {
		log.Ask = log.Ask || r.balance != decode.BalanceNone && slices.ContainsFunc(log.Events, func(e decode.Event) bool { return lacksPayout(&e) })
		return log
	}
	if log.Ask {
		log = r.instructions(log, tx)
	}
	if r.balance != decode.BalanceNone {
		take(r.balance, log.Events, tx)
	}
	return log
}

// instructions looks into the whole transaction.
func (r Reader) instructions(log decode.Log, tx *rpc.Tx) decode.Log {
	var parser txjson.Parser
	read := parser.Parse(tx.Answer)
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
