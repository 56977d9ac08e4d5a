package txjson

import (
	"fmt"
	"slices"
	"strconv"

	"minesaudit/internal/jsonread"
)

// A Parser reads documents that are whole. The zero value is ready; it keeps
// room from one document to the next, and is for one goroutine at a time.
type Parser struct {
	jsonread.Cursor
	txs  []Tx
	free []*record
}

// Parse reads one document: any of the forms of the package comment. Text that is
// none gives a Tx with a Problem, and a document that holds no transaction by its
// nature gives none. The list is good until the next call; the strings in it are
// parts of text.
func (p *Parser) Parse(text string) []Tx {
	p.begin(text)
	p.document(0)
	p.End()
	if p.Err != nil {
		return p.broken()
	}
	return p.txs
}

func (p *Parser) begin(text string) {
	clear(p.txs)
	p.txs = p.txs[:0]
	p.Cursor = jsonread.Cursor{Text: text}
}

// broken gives what stands for a text that is no JSON.
func (p *Parser) broken() []Tx {
	p.txs = append(p.txs[:0], Tx{Problem: Problem{NotJSON, fmt.Sprintf("byte %d: %v", p.At, p.Err)}})
	return p.txs
}

// document reads a document that lies in so many arrays.
func (p *Parser) document(arrays int) {
	switch b := p.Peek(); {
	case b == '{':
		p.answer()
	case b == '[' && p.isList(arrays > 0):
		p.logs()
	case b == '[' && arrays == 0:
		for w := p.Array(); w.Next(); {
			p.document(arrays + 1)
		}
	default:
		text := p.Raw()
		p.refuse(NotTx, "neither an object nor a list of lines: "+clip(text))
	}
}

// isList tells an array of lines from one of documents by its first element;
// empty is what one without any is.
func (p *Parser) isList(empty bool) bool {
	ahead := p.Cursor
	for w := ahead.Array(); w.Next(); {
		return ahead.Peek() == '"'
	}
	return ahead.Err == nil && empty
}

// logs reads an array of lines that stands alone.
func (p *Parser) logs() {
	r := p.takeRecord()
	r.once(seenLogs)
	start := p.At
	p.lines(r)
	r.text = p.Text[start:p.At]
	p.keep(r)
}

func (p *Parser) refuse(reason Reason, detail string) {
	if p.Err == nil {
		p.txs = append(p.txs, Tx{Problem: Problem{reason, detail}})
	}
}

// clip bounds what a message quotes.
func clip(text string) string {
	const most = 120
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}

func (p *Parser) takeRecord() *record {
	n := len(p.free)
	if n == 0 {
		return new(record)
	}
	r := p.free[n-1]
	p.free = p.free[:n-1]
	return r
}

// keep makes a transaction of a record, which may be used again.
func (p *Parser) keep(r *record) {
	if p.Err == nil {
		p.txs = append(p.txs, r.tx())
	}
	p.drop(r)
}

func (p *Parser) drop(r *record) {
	r.reset()
	p.free = append(p.free, r)
}

// string reads a string or null.
func (p *Parser) string(r *record, field string) string {
	switch p.Peek() {
	case '"':
		return p.Str()
	case 'n':
		p.Literal("null")
	default:
		r.wrong(field, p.Raw())
	}
	return ""
}

// number64 gives the text of a number, or nothing of null. Some archives write
// numbers of 64 bits as strings, because of readers for whom they are too large.
func (p *Parser) number64() string {
	text := p.Raw()
	switch {
	case text == "null" || p.Err != nil:
		return ""
	case len(text) > 2 && text[0] == '"':
		return text[1 : len(text)-1]
	}
	return text
}

// uint reads a number from 0 to 2^64-1, or null.
func (p *Parser) uint(r *record, field string) (n uint64, ok bool) {
	text := p.number64()
	if text == "" {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		r.wrong(field, text)
	}
	return n, err == nil
}

// int reads a number of 64 bits with a sign, or null.
func (p *Parser) int(r *record, field string) (n int64, ok bool) {
	text := p.number64()
	if text == "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.wrong(field, text)
	}
	return n, err == nil
}

// index reads a small number; -1 stands for null and what is none.
func (p *Parser) index(r *record, field string) int {
	n, ok := p.uint(r, field)
	const most = 1 << 16 // keys and instructions of one transaction
	if ok && n >= most {
		r.wrong(field, strconv.FormatUint(n, 10))
	}
	if !ok || n >= most {
		return -1
	}
	return int(n)
}

// strings appends the strings of an array to list; null is an empty one.
func (p *Parser) strings(r *record, field string, list []string) []string {
	switch p.Peek() {
	case 'n':
		p.Literal("null")
	case '[':
		list = slices.Grow(list, 8)
		for w := p.Array(); w.Next(); {
			if p.Peek() != '"' {
				r.wrong(field, p.Raw())
				continue
			}
			list = append(list, p.Str())
		}
	default:
		r.wrong(field, p.Raw())
	}
	return list
}

// lines reads a log, or null where the node has none.
func (p *Parser) lines(r *record) {
	r.hasLogs = p.Peek() != 'n'
	r.logs = p.strings(r, "log", r.logs[:0])
}
