package rpc

import "minesaudit/internal/jsonread"

// The fields of a log notification, which must be there, each once.
const (
	seenMethod = 1 << iota
	seenParams
	seenResult
	seenContext
	seenSlot
	seenValue
	seenSignature
	seenErr
	seenLogs
	seenSubscription
	seenVersion // of JSON-RPC
	seenAll     = 1<<iota - 1
)

// readQuick reads the log notification of a successful transaction. Where ok is true
// the frame is readAny's.
func readQuick(text string) (f frame, ok bool) {
	q := quick{Cursor: jsonread.Cursor{Text: text}}
	f = frame{kind: frameLogs, tx: &Tx{}}
	for w := q.Object(); w.Next(); {
		switch w.Key {
		case "jsonrpc":
			q.once(seenVersion)
			q.string()
		case "method":
			if q.once(seenMethod); q.string() != methodLogsNote {
				q.surprise()
			}
		case "params":
			q.once(seenParams)
			q.params(&f)
		default:
			q.surprise()
		}
	}
	if !q.ends(seenAll) {
		return frame{}, false
	}
	return f, true
}

func (q *quick) params(f *frame) {
	for w := q.Object(); w.Next(); {
		switch w.Key {
		case "subscription":
			q.once(seenSubscription)
			f.subscription = q.uint()
		case "result":
			q.once(seenResult)
			q.note(f.tx)
		default:
			q.surprise()
		}
	}
}

func (q *quick) note(tx *Tx) {
	for w := q.Object(); w.Next(); {
		switch w.Key {
		case "context":
			q.once(seenContext)
			for w := q.Object(); w.Next(); {
				if w.Key != "slot" {
					q.surprise()
				}
				q.once(seenSlot)
				tx.Slot = q.uint()
			}
		case "value":
			q.once(seenValue)
			q.logs(tx)
		default:
			q.surprise()
		}
	}
}

// typicalLines is how long most logs are, or a little less.
const typicalLines = 16

func (q *quick) logs(tx *Tx) {
	for w := q.Object(); w.Next(); {
		switch w.Key {
		case "signature":
			var err error
			q.once(seenSignature)
			if tx.Signature, err = ParseSignature(q.string()); err != nil {
				q.surprise()
			}
		case "err":
			if q.once(seenErr); !q.null() {
				q.surprise()
			}
		case "logs":
			q.once(seenLogs)
			tx.Logs = q.strings(typicalLines)
		default:
			q.surprise()
		}
	}
}
