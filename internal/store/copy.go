package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// copied is rows on their way into a table by COPY, in its binary format: half
// the server's work of an insert from arrays, and the writer's session is what
// a fast stream waits for. A row is begun with row and has one value for each
// column, in their order.
// Source: PostgreSQL's documentation of COPY, "Binary Format".
type copied struct {
	table   string
	columns string
	fields  int16
	rows    int
	data    []byte
}

// copyHeader is the signature, no flags and no extension.
const copyHeader = "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// send sends the rows; none cost nothing.
func (c *copied) send(ctx context.Context, conn *pgx.Conn) error {
	if c.rows == 0 {
		return nil
	}
	c.data = binary.BigEndian.AppendUint16(c.data, 0xffff) // the end
	sql := `copy ` + c.table + ` (` + c.columns + `) from stdin (format binary)`
	if _, err := conn.PgConn().CopyFrom(ctx, bytes.NewReader(c.data), sql); err != nil {
		return fmt.Errorf("copy %d rows into %s: %w", c.rows, c.table, err)
	}
	return nil
}

func (c *copied) row() {
	c.rows++
	c.data = binary.BigEndian.AppendUint16(c.data, uint16(c.fields))
}

func (c *copied) size(n int) { c.data = binary.BigEndian.AppendUint32(c.data, uint32(n)) }

func (c *copied) null() { c.size(-1) }

func (c *copied) nulls(n int) {
	for range n {
		c.null()
	}
}

func (c *copied) int16(v int16) {
	c.size(2)
	c.data = binary.BigEndian.AppendUint16(c.data, uint16(v))
}

func (c *copied) int32(v int32) {
	c.size(4)
	c.data = binary.BigEndian.AppendUint32(c.data, uint32(v))
}

func (c *copied) int64(v int64) {
	c.size(8)
	c.data = binary.BigEndian.AppendUint64(c.data, uint64(v))
}

func (c *copied) bool(v bool) {
	c.size(1)
	if v {
		c.data = append(c.data, 1)
	} else {
		c.data = append(c.data, 0)
	}
}

// bytes is for bytea and uuid.
func (c *copied) bytes(v []byte) {
	c.size(len(v))
	c.data = append(c.data, v...)
}

// bytesOrNull takes nil for null.
func (c *copied) bytesOrNull(v []byte) {
	if v == nil {
		c.null()
		return
	}
	c.bytes(v)
}

// text must be fit for a text column: see printable.
func (c *copied) text(v string) {
	c.size(len(v))
	c.data = append(c.data, v...)
}

// numeric is for numeric(20,0): digits in base 10,000, the highest first, the
// weight being the power of the first.
func (c *copied) numeric(v uint64) {
	var digits [5]uint16
	first := len(digits)
	for ; v > 0; v /= 10_000 {
		first--
		digits[first] = uint16(v % 10_000)
	}
	weight, last := len(digits)-1-first, len(digits)
	for last > first && digits[last-1] == 0 {
		last-- // the server's own form has no zeros at the end
	}
	c.size(8 + 2*(last-first))
	c.data = binary.BigEndian.AppendUint16(c.data, uint16(last-first))
	c.data = binary.BigEndian.AppendUint16(c.data, uint16(max(weight, 0)))
	c.data = append(c.data, 0, 0, 0, 0) // positive, nothing after the point
	for _, d := range digits[first:last] {
		c.data = binary.BigEndian.AppendUint16(c.data, d)
	}
}
