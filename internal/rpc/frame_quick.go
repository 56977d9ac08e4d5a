package rpc

import (
	"encoding/json"
	"math/bits"
)

// readQuick decodes the log notification of a successful transaction as nodes write
// it, several times as fast as encoding/json. It takes nothing on trust: whatever is
// not plainly of that form, be it an unknown or repeated field, an error, an odd
// number or damage, makes ok false, and readAny decides what it is. Where ok is true
// the frame equals readAny's; a fuzz test holds the two together.
//
// The strings of the result share the memory of text, most of which they are.
func readQuick(text string) (f frame, ok bool) {
	q := quick{text: text, tx: &Tx{}}
	if !q.object(q.frameField) || q.skipSpace() != len(text) || q.seen != seenAll {
		return frame{}, false
	}
	return frame{kind: frameLogs, subscription: q.subscription, tx: q.tx}, true
}

// The fields that must be there, each once.
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

// quick is a cursor over one frame. Its methods give false at the first surprise.
type quick struct {
	text         string
	at           int
	seen         uint
	subscription uint64
	tx           *Tx
}

// first notes a field and says whether it is seen for the first time.
func (q *quick) first(field uint) bool {
	again := q.seen&field != 0
	q.seen |= field
	return !again
}

func (q *quick) frameField(key string) bool {
	switch key {
	case "jsonrpc":
		_, ok := q.plain()
		return q.first(seenVersion) && ok
	case "method":
		method, ok := q.plain()
		return q.first(seenMethod) && ok && method == methodLogsNote
	case "params":
		return q.first(seenParams) && q.object(q.paramsField)
	}
	return false
}

func (q *quick) paramsField(key string) (ok bool) {
	switch key {
	case "subscription":
		q.subscription, ok = q.number()
		return q.first(seenSubscription) && ok
	case "result":
		return q.first(seenResult) && q.object(q.resultField)
	}
	return false
}

func (q *quick) resultField(key string) bool {
	switch key {
	case "context":
		return q.first(seenContext) && q.object(q.contextField)
	case "value":
		return q.first(seenValue) && q.object(q.valueField)
	}
	return false
}

func (q *quick) contextField(key string) (ok bool) {
	if key != "slot" {
		return false
	}
	q.tx.Slot, ok = q.number()
	return q.first(seenSlot) && ok
}

func (q *quick) valueField(key string) bool {
	switch key {
	case "signature":
		text, ok := q.plain()
		if !ok || !q.first(seenSignature) {
			return false
		}
		sig, err := ParseSignature(text)
		q.tx.Signature = sig
		return err == nil
	case "err":
		return q.first(seenErr) && q.word("null")
	case "logs":
		return q.first(seenLogs) && q.lines()
	}
	return false
}

// object reads an object, one call of field a value.
func (q *quick) object(field func(key string) bool) bool {
	if !q.byte('{') {
		return false
	}
	for {
		key, ok := q.plain()
		if !ok || !q.byte(':') || !field(key) {
			return false
		}
		if !q.byte(',') {
			return q.byte('}')
		}
	}
}

// lines reads an array of strings.
func (q *quick) lines() bool {
	if !q.byte('[') {
		return false
	}
	q.tx.Logs = make([]string, 0, 16)
	if q.byte(']') {
		return true
	}
	for {
		line, ok := q.line()
		if !ok {
			return false
		}
		q.tx.Logs = append(q.tx.Logs, line)
		if !q.byte(',') {
			return q.byte(']')
		}
	}
}

// plain reads a string of printable ASCII without escapes.
func (q *quick) plain() (string, bool) {
	if !q.byte('"') {
		return "", false
	}
	for i := q.at; i < len(q.text); i++ {
		switch c := q.text[i]; {
		case c == '"':
			s := q.text[q.at:i]
			q.at = i + 1
			return s, true
		case c < ' ' || c == '\\' || c >= 0x80:
			return "", false
		}
	}
	return "", false
}

// line reads a string; one that plain cannot read is left to encoding/json.
func (q *quick) line() (string, bool) {
	q.skipSpace()
	start := q.at
	if s, ok := q.plain(); ok {
		return s, true
	}
	if start >= len(q.text) || q.text[start] != '"' {
		return "", false
	}
	for i := start + 1; i < len(q.text); i++ {
		switch q.text[i] {
		case '\\':
			i++ // whatever follows does not end the string
		case '"':
			var s string
			q.at = i + 1
			return s, json.Unmarshal([]byte(q.text[start:q.at]), &s) == nil
		}
	}
	return "", false
}

// number reads a u64 in decimal digits.
func (q *quick) number() (uint64, bool) {
	start := q.skipSpace()
	var n uint64
	for ; q.at < len(q.text) && '0' <= q.text[q.at] && q.text[q.at] <= '9'; q.at++ {
		over, tens := bits.Mul64(n, 10)
		sum, carry := bits.Add64(tens, uint64(q.text[q.at]-'0'), 0)
		if over != 0 || carry != 0 {
			return 0, false
		}
		n = sum
	}
	digits := q.at - start
	if digits == 0 || digits > 1 && q.text[start] == '0' {
		return 0, false
	}
	return n, true
}

func (q *quick) word(w string) bool {
	start := q.skipSpace()
	if len(q.text)-start < len(w) || q.text[start:start+len(w)] != w {
		return false
	}
	q.at += len(w)
	return true
}

// byte takes b if it is the next byte after white space.
func (q *quick) byte(b byte) bool {
	if i := q.skipSpace(); i < len(q.text) && q.text[i] == b {
		q.at++
		return true
	}
	return false
}

func (q *quick) skipSpace() int {
	for ; q.at < len(q.text); q.at++ {
		switch q.text[q.at] {
		case ' ', '\t', '\n', '\r':
		default:
			return q.at
		}
	}
	return q.at
}
