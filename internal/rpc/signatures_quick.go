package rpc

import "minesaudit/internal/jsonread"

// The fields of a line of a signature list, each at most once.
const (
	lineSignature = 1 << iota
	lineSlot
	lineErr
	lineTime
	lineNeeded = lineSignature | lineSlot
)

// readSignaturesQuick reads a page of a signature list. Where ok is true it is what
// readSignaturesAny makes of it.
func readSignaturesQuick(text string) (infos []SignatureInfo, ok bool) {
	q := quick{Cursor: jsonread.Cursor{Text: text}}
	infos = []SignatureInfo{}
	for w := q.Array(); w.Next(); {
		q.seen = 0
		infos = append(infos, q.line())
		if q.seen&lineNeeded != lineNeeded {
			q.surprise()
		}
	}
	return infos, q.ends(0)
}

func (q *quick) line() (s SignatureInfo) {
	for w := q.Object(); w.Next(); {
		switch w.Key {
		case "signature":
			var err error
			q.once(lineSignature)
			if s.Signature, err = ParseSignature(q.string()); err != nil {
				q.surprise()
			}
		case "slot":
			q.once(lineSlot)
			s.Slot = q.uint()
		case "err":
			q.once(lineErr)
			s.Err = txErr([]byte(q.Raw()))
		case "blockTime":
			if q.once(lineTime); !q.null() {
				s.BlockTime, s.HasBlockTime = q.int(), true
			}
		case "memo", "confirmationStatus", "transactionIndex":
			q.Skip()
		default:
			q.surprise()
		}
	}
	return s
}
