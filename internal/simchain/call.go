package simchain

import (
	"encoding/base64"
	"strconv"

	"github.com/gagliardetto/solana-go/base58"
)

// call is one program's invocation: what it was given and what it did, in order.
type call struct {
	program  Key
	accounts []account
	data     []byte
	steps    []step
	returns  []byte // data that it returned, nil for none
	units    int    // compute units; 0 for a builtin, whose log does not tell
	failure  string // why it failed, "" if it did not
}

// account is an account as an instruction names it.
type account struct {
	key              Key
	signer, writable bool
}

// step is one thing that a program did: exactly one of the fields is set.
type step struct {
	log  string   // text that it logged
	raw  string   // line that is none of the runtime's
	data [][]byte // slices that it published
	call *call    // a program that it called
}

// lines is a transaction's log as the runtime writes it: line after line in one
// buffer, without terminators (a line may hold newlines and NULs of its own).
type lines struct {
	text []byte
	ends []int
	open int // where the line that is being written began

	limit   int  // bytes of lines that are kept
	written int  // bytes of lines kept
	cut     bool // the limit was met
}

// logLimit is how many bytes of log a node keeps of a transaction.
const logLimit = 10_000

// end finishes a line. A line that would reach the limit is not kept; the first
// such line leaves a marker, and shorter ones that still fit are kept after it.
func (l *lines) end() {
	size := len(l.text) - l.open
	if l.written+size < l.limit {
		l.written += size
		l.keep()
		return
	}
	l.text = l.text[:l.open]
	if !l.cut {
		l.cut = true
		l.raw("Log truncated")
		l.keep()
	}
}

func (l *lines) keep() {
	l.ends = append(l.ends, len(l.text))
	l.open = len(l.text)
}

func (l *lines) raw(s string) { l.text = append(l.text, s...) }

func (l *lines) key(k Key) { l.text = base58.AppendEncode32(l.text, (*[32]byte)(&k)) }

func (l *lines) number(n int) { l.text = strconv.AppendInt(l.text, int64(n), 10) }

func (l *lines) base64(b []byte) { l.text = base64.StdEncoding.AppendEncode(l.text, b) }

// writeAll writes the log of a transaction's calls.
func (l *lines) writeAll(calls []*call) {
	for _, c := range calls {
		l.write(c, 1, unitLimit)
	}
}

// write writes the log of a call at a depth (1 is the top); budget is what compute
// units are left to it.
func (l *lines) write(c *call, depth, budget int) {
	l.program(c.program, " invoke [")
	l.number(depth)
	l.raw("]")
	l.end()
	for _, s := range c.steps {
		l.step(c, s, depth, budget)
	}
	if c.units > 0 {
		l.program(c.program, " consumed ")
		l.number(c.units)
		l.raw(" of ")
		l.number(budget)
		l.raw(" compute units")
		l.end()
	}
	if c.returns != nil {
		l.raw("Program return: ")
		l.key(c.program)
		l.raw(" ")
		l.base64(c.returns)
		l.end()
	}
	if c.failure != "" {
		l.program(c.program, " failed: ")
		l.raw(c.failure)
	} else {
		l.program(c.program, " success")
	}
	l.end()
}

func (l *lines) program(k Key, rest string) {
	l.raw("Program ")
	l.key(k)
	l.raw(rest)
}

func (l *lines) step(c *call, s step, depth, budget int) {
	switch {
	case s.call != nil:
		l.write(s.call, depth+1, budget-c.units/4)
		return
	case s.raw != "":
		l.raw(s.raw)
	case s.data != nil:
		l.raw("Program data:")
		for _, slice := range s.data {
			l.raw(" ")
			l.base64(slice)
		}
	default:
		l.raw("Program log: ")
		l.raw(s.log)
	}
	l.end()
}

// appendJSON appends the log as a JSON array of strings.
func (l *lines) appendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	from := 0
	for i, to := range l.ends {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSONString(dst, l.text[from:to])
		from = to
	}
	return append(dst, ']')
}

// strings gives the log line by line.
func (l *lines) strings() []string {
	list := make([]string, 0, len(l.ends))
	from := 0
	for _, to := range l.ends {
		list = append(list, string(l.text[from:to]))
		from = to
	}
	return list
}

// appendJSONString appends s, which is valid UTF-8, in quotes.
func appendJSONString(dst, s []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	plain := 0
	for i, c := range s {
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[plain:i]...)
		if c == '"' || c == '\\' {
			dst = append(dst, '\\', c)
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		plain = i + 1
	}
	return append(append(dst, s[plain:]...), '"')
}
