package inspect

import (
	"fmt"
	"slices"

	"minesaudit/internal/decode"
)

// nothing says why a transaction has no event of the program.
func (t *tx) nothing(program [32]byte) string {
	switch {
	case t.failed():
		return "this transaction failed on chain: nothing happened (" + Printable(string(t.Err)) + ")"
	case t.StatusMissing:
		return "the node kept neither the status nor the log of this transaction: ask another node"
	case t.log.State == decode.LogMissing:
		return "the node kept no log of this transaction: ask another node"
	case t.log.State == decode.LogTruncated:
		return "the log of this transaction is truncated, and no event of the program stands before the cut: what happened cannot be told from it"
	case t.log.State == decode.LogUnattributable:
		return "the log of this transaction does not add up (" + Printable(t.log.Problem) + "): whose events it holds cannot be told"
	case len(t.log.Events) > 0:
		e := t.log.Events[0]
		return fmt.Sprintf("the program emits %d events here, none of a known form; the first: %s", len(t.log.Events), Printable(e.Problem))
	case t.log.Invocations > 0:
		return "the program runs in this transaction, but emits no event"
	case slices.Contains(t.Accounts, program):
		return "this transaction mentions the program, but does not run it"
	default:
		return "this transaction has nothing to do with the program"
	}
}
