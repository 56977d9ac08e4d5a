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
// false for what is none. Answers as nodes write them are read in one go over the
// text; whatever surprises there is left to encoding/json.
func readAnswer(text string) (a answer, ok bool) {
	if ok = quickly(text, func(c *jsonread.Cursor) bool { return a.read(c) }); !ok {
		ok = json.Unmarshal([]byte(text), &a) == nil
	}
	return a, ok
}

func readAnswers(text string) (answers []answer, ok bool) {
	ok = quickly(text, func(c *jsonread.Cursor) bool {
		for w := c.Array(); w.Next(); {
			var a answer
			if !a.read(c) {
				return false
			}
			answers = append(answers, a)
		}
		return true
	})
	if !ok {
		answers = nil
		ok = json.Unmarshal([]byte(text), &answers) == nil
	}
	return answers, ok
}

func quickly(text string, read func(*jsonread.Cursor) bool) bool {
	c := jsonread.Cursor{Text: text}
	if !read(&c) {
		return false
	}
	c.End()
	return c.Err == nil
}

// The fields of an answer, each at most once.
const (
	answerID = 1 << iota
	answerResult
	answerError
	answerVersion
)

// read reads an answer; false is the first surprise.
func (a *answer) read(c *jsonread.Cursor) bool {
	seen := 0
	for w := c.Object(); w.Next(); {
		field := 0
		switch w.Key {
		case "jsonrpc":
			field = answerVersion
			c.Skip()
		case "id":
			field = answerID
			a.ID = rawText(c.Raw())
		case "result":
			field = answerResult
			a.Result = rawText(c.Raw())
		case "error":
			field = answerError
			if json.Unmarshal([]byte(c.Raw()), &a.Error) != nil {
				return false
			}
		}
		if field == 0 || seen&field != 0 {
			return false
		}
		seen |= field
	}
	return c.Err == nil
}
