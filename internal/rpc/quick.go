package rpc

import (
	"errors"
	"strconv"
	"unicode/utf8"

	"minesaudit/internal/jsonread"
)

// quick reads JSON as nodes write it, in one go over the text and several times as
// fast as encoding/json. It takes nothing on trust: whatever is not plainly of that
// form, be it an unknown or repeated field, an odd number or damage, is a surprise, and
// encoding/json decides what that is. What is read without one is what encoding/json
// would make of it; fuzz tests hold each of the readers to that.
//
// The strings of a result are parts of the text where they can be.
type quick struct {
	jsonread.Cursor
	seen uint // fields of the form, as its reader numbers them
}

// errSurprise ends a reading.
var errSurprise = errors.New("not as nodes write it")

func (q *quick) surprise() {
	if q.Err == nil {
		q.Err = errSurprise
	}
}

// once notes a field, which must not stand twice.
func (q *quick) once(field uint) {
	if q.seen&field != 0 {
		q.surprise()
	}
	q.seen |= field
}

// ends reads the end of the text, and tells whether there was no surprise and every
// field that is needed.
func (q *quick) ends(needed uint) bool {
	q.End()
	return q.Err == nil && q.seen&needed == needed
}

// null reads null, and tells whether it stands here.
func (q *quick) null() bool {
	if q.Peek() != 'n' {
		return false
	}
	q.Literal("null")
	return true
}

func (q *quick) uint() uint64 {
	n, err := strconv.ParseUint(q.Raw(), 10, 64)
	if err != nil {
		q.surprise()
	}
	return n
}

func (q *quick) int() int64 {
	n, err := strconv.ParseInt(q.Raw(), 10, 64)
	if err != nil {
		q.surprise()
	}
	return n
}

// string reads a string. Where bytes are no UTF-8, encoding/json replaces them.
func (q *quick) string() string {
	s := q.Str()
	if !utf8.ValidString(s) {
		q.surprise()
	}
	return s
}

// strings reads an array of strings, with room for so many.
func (q *quick) strings(room int) []string {
	list := make([]string, 0, room)
	for w := q.Array(); w.Next(); {
		list = append(list, q.string())
	}
	return list
}
