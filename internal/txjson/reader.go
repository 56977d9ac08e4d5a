package txjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"minesaudit/internal/jsonread"
)

// MaxDocument bounds one document in bytes. A block of mainnet has a fifth.
const MaxDocument = 64 << 20

// firstLook is how far the end of a document's line is looked for. A longer line
// is tried in parts, each twice as long as the one before it; the first is twice
// as long as the last document, and at least minGuess bytes.
const (
	firstLook = 64 << 10
	minGuess  = 4 << 10
)

// A Reader takes documents out of a stream, one after another. It is for one
// goroutine.
type Reader struct {
	from   io.Reader
	parser Parser

	buf  []byte // buf[at:] is read and not yet taken
	at   int
	end  error // of from, once it has ended
	line int   // of buf[at]

	inArray bool // documents are the elements of an array
	between bool // one of them was read: a comma or the end must follow
	lost    bool // in the middle of a damaged document
	guess   int  // how much of a long line is tried first
	limit   int
}

// NewReader makes a reader of everything that r gives.
func NewReader(r io.Reader) *Reader {
	return &Reader{from: r, line: 1, guess: minGuess, limit: MaxDocument}
}

// Next gives the transactions of the next document, which may be none; they are
// good until the next call. At the end it gives io.EOF, and any other error only
// where the stream cannot be read: damage is a Tx with a Problem.
func (r *Reader) Next() ([]Tx, error) {
	if problem, err := r.advance(); err != nil || problem != "" {
		return r.broken(problem), err
	}
	for size := 0; ; {
		text, whole := r.window(size)
		txs, short := r.try(text)
		switch {
		case !short:
			return txs, nil
		case whole && r.failed() != nil:
			return nil, r.failed()
		case whole:
			return r.broken(jsonread.ErrShort.Error()), nil
		case len(text) >= r.limit:
			return r.tooLong()
		}
		size = min(max(2*len(text), r.guess), r.limit)
	}
}

// try parses one document at the front of text and takes it; short means that it
// does not end there.
func (r *Reader) try(text string) (txs []Tx, short bool) {
	p := &r.parser
	p.begin(text)
	arrays := 0
	if r.inArray {
		arrays = 1
	}
	p.document(arrays)
	if p.Err == jsonread.ErrShort {
		return nil, true
	}
	line := r.line
	if p.Err != nil {
		txs = p.broken()
		if r.lost {
			txs = nil
		}
		r.resume(text, p.At)
	} else {
		r.take(p.At)
		r.guess = min(max(minGuess, 2*p.At), r.limit)
		r.between = r.inArray
		if txs = p.txs; r.lost && !readable(txs) {
			return nil, false // a part of the damaged one
		}
		r.lost = false
	}
	for i := range txs {
		txs[i].Line = line
	}
	return txs, false
}

func readable(txs []Tx) bool {
	return slices.ContainsFunc(txs, func(tx Tx) bool { return tx.Problem.Reason == "" })
}

// advance goes to the begin of the next document, into an array of them and out
// of it. problem says what stands there instead.
func (r *Reader) advance() (problem string, err error) {
	for {
		b, err := r.peek()
		switch {
		case errors.Is(err, io.EOF) && r.inArray:
			r.inArray = false
			return "the array of documents has no end", nil
		case err != nil:
			return "", err
		case !r.inArray && b == '[' && r.opensDocuments():
			r.take(1)
			r.inArray, r.between = true, false
		case r.inArray && b == ']':
			r.take(1)
			r.inArray = false
		case r.inArray && b == ',' && r.between:
			r.take(1)
			r.between = false
		case r.inArray && r.between:
			r.inArray = false // someone else's damage: take what follows as it is
		default:
			return "", nil
		}
	}
}

// opensDocuments reports whether the array that begins here holds documents,
// not lines.
func (r *Reader) opensDocuments() bool {
	for n := 1; ; n++ {
		if r.at+n == len(r.buf) && !r.fill() {
			return false
		}
		switch r.buf[r.at+n] {
		case ' ', '\t', '\r', '\n':
		case '{', '[':
			return true
		default:
			return false
		}
	}
}

// Buffered reports whether there is more that need not be waited for.
func (r *Reader) Buffered() bool { return r.at < len(r.buf) }

// peek passes over white space and gives the next byte.
func (r *Reader) peek() (byte, error) {
	for {
		for i, b := range r.buf[r.at:] {
			switch b {
			case ' ', '\t', '\r', '\n':
			default:
				r.take(i)
				return b, nil
			}
		}
		r.take(len(r.buf) - r.at)
		if !r.fill() {
			return 0, r.end
		}
	}
}

// window gives a part of the text to try. With size 0 that is the first line if
// it has less than firstLook bytes, without waiting for what follows it, and
// else nothing to speak of; whole says that the stream has no more.
func (r *Reader) window(size int) (text string, whole bool) {
	for looked := 0; ; {
		rest := r.buf[r.at:]
		if size == 0 {
			most := min(len(rest), firstLook)
			if i := bytes.IndexByte(rest[looked:most], '\n'); i >= 0 {
				return string(rest[:looked+i+1]), false
			}
			looked = most
			if most == firstLook {
				size = r.guess
			}
		}
		if size > 0 && len(rest) >= size {
			return string(rest[:size]), false
		}
		if !r.fill() {
			return string(rest), true
		}
	}
}

// take passes over n bytes.
func (r *Reader) take(n int) {
	r.line += bytes.Count(r.buf[r.at:r.at+n], []byte{'\n'})
	r.at += n
}

// fill reads more; false means that there is none.
func (r *Reader) fill() bool {
	if r.end != nil {
		return false
	}
	if cap(r.buf)-len(r.buf) < firstLook {
		to := r.buf
		if n := len(r.buf) - r.at; cap(r.buf)-n < max(n, firstLook) {
			to = make([]byte, 0, 2*n+4*firstLook)
		}
		r.buf = append(to[:0], r.buf[r.at:]...)
		r.at = 0
	}
	for range 100 {
		n, err := r.from.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+n]
		r.end = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	r.end = io.ErrNoProgress
	return false
}

// failed is why the stream cannot be read, where it has not simply ended.
func (r *Reader) failed() error {
	if r.end == nil || errors.Is(r.end, io.EOF) {
		return nil
	}
	return r.end
}

// resume goes to where reading can go on after damage at byte at of text: the
// begin of that line, or of the next where the document began in that line.
func (r *Reader) resume(text string, at int) {
	i := strings.LastIndexByte(text[:min(at, len(text))], '\n')
	if i < 0 {
		r.skipLine()
		return
	}
	r.lost = true
	r.take(i + 1)
}

func (r *Reader) skipLine() {
	for {
		if i := bytes.IndexByte(r.buf[r.at:], '\n'); i >= 0 {
			r.take(i + 1)
			return
		}
		r.take(len(r.buf) - r.at)
		if !r.fill() {
			return
		}
	}
}

func (r *Reader) tooLong() ([]Tx, error) {
	tx := Tx{Line: r.line, Problem: Problem{TooLong, fmt.Sprintf("more than %d bytes", r.limit)}}
	r.skipLine()
	return []Tx{tx}, r.failed()
}

// broken is what is given in place of a document, and the rest of the stream.
func (r *Reader) broken(problem string) []Tx {
	if problem == "" {
		return nil
	}
	tx := Tx{Line: r.line, Problem: Problem{NotJSON, problem}}
	r.take(len(r.buf) - r.at)
	r.inArray = false
	if r.lost {
		return nil
	}
	return []Tx{tx}
}
