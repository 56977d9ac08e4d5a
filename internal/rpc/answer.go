package rpc

import (
	"encoding/json"
	"strconv"

	"minesaudit/internal/jsonread"
)

// answer is one JSON-RPC answer.
type answer struct {
	ID     rawText   `json:"id"`
	Result rawText   `json:"result"`
	Error  *rpcError `json:"error"`
}

// of gives the place of the request in its batch that a is the answer to.
func (a *answer) of() (i int, ok bool) {
	i, err := strconv.Atoi(string(a.ID))
	return i, err == nil
}

// rawText is a value as its JSON, "" where there is none. Read quickly, it is a part
// of the text that it was found in.
type rawText string

// UnmarshalJSON keeps the value's text.
func (r *rawText) UnmarshalJSON(text []byte) error {
	*r = rawText(text)
	return nil
}

// readAnswer reads the answer to one request, readAnswers those to a batch. ok is
// false for what is none.
func readAnswer(text string) (a answer, ok bool) {
	q := quick{Cursor: jsonread.Cursor{Text: text}}
	if a = q.answer(); q.ends(0) {
		return a, true
	}
	a = answer{}
	return a, json.Unmarshal([]byte(text), &a) == nil
}

func readAnswers(text string) (answers []answer, ok bool) {
	q := quick{Cursor: jsonread.Cursor{Text: text}}
	for w := q.Array(); w.Next(); {
		answers = append(answers, q.answer())
	}
	if q.ends(0) {
		return answers, true
	}
	answers = nil
	return answers, json.Unmarshal([]byte(text), &answers) == nil
}

// The fields of an answer, each at most once.
const (
	answerID = 1 << iota
	answerResult
	answerError
	answerVersion
)

func (q *quick) answer() (a answer) {
	q.seen = 0
	for w := q.Object(); w.Next(); {
		switch w.Key {
		case "jsonrpc":
			q.once(answerVersion)
			q.Skip()
		case "id":
			q.once(answerID)
			a.ID = rawText(q.Raw())
		case "result":
			q.once(answerResult)
			a.Result = rawText(q.Raw())
		case "error":
			q.once(answerError)
			if json.Unmarshal([]byte(q.Raw()), &a.Error) != nil {
				q.surprise()
			}
		default:
			q.surprise()
		}
	}
	return a
}
