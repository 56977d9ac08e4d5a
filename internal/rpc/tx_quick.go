package rpc

import "minesaudit/internal/jsonread"

// The fields of a transaction that are read, each at most once.
const (
	hasSlot = 1 << iota
	hasBlockTime
	hasBody
	hasMeta
	hasErr
	hasLogs
	hasLoaded
	hasWritable
	hasReadonly
	hasNeeded = hasSlot | hasBody | hasMeta | hasErr | hasLogs
)

// readTxQuick reads the answer of getTransaction for a successful transaction. Where ok
// is true it is what readTxAny makes of it.
func readTxQuick(text string) (tx wireTx, ok bool) {
	q := quick{Cursor: jsonread.Cursor{Text: text}}
	for w := q.Object(); w.Next(); {
		switch w.Key {
		case "slot":
			q.once(hasSlot)
			slot := q.uint()
			tx.Slot = &slot
		case "blockTime":
			if q.once(hasBlockTime); !q.null() {
				at := q.int()
				tx.BlockTime = &at
			}
		case "transaction":
			q.once(hasBody)
			tx.Transaction = rawText(q.Raw())
		case "meta":
			q.once(hasMeta)
			tx.Meta = &wireMeta{}
			q.meta(tx.Meta)
		case "version", "transactionIndex":
			q.Skip()
		default:
			q.surprise()
		}
	}
	if !q.ends(hasNeeded) {
		return wireTx{}, false
	}
	return tx, true
}

func (q *quick) meta(m *wireMeta) {
	for w := q.Object(); w.Next(); {
		switch w.Key {
		case "err":
			if q.once(hasErr); !q.null() {
				q.surprise()
			}
		case "logMessages":
			q.once(hasLogs)
			m.Logs = q.strings(typicalLines)
		case "loadedAddresses":
			q.once(hasLoaded)
			q.loaded(&m.Loaded)
		case "fee", "status", "preBalances", "postBalances", "innerInstructions", "preTokenBalances", "postTokenBalances",
			"rewards", "computeUnitsConsumed", "costUnits", "returnData":
			q.Skip()
		default:
			q.surprise()
		}
	}
}

func (q *quick) loaded(l *loaded) {
	for w := q.Object(); w.Next(); {
		switch w.Key {
		case "writable":
			q.once(hasWritable)
			l.Writable = q.strings(0)
		case "readonly":
			q.once(hasReadonly)
			l.Readonly = q.strings(0)
		default:
			q.surprise()
		}
	}
}
