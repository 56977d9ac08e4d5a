package records

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// A chunk is at most so many lines and bytes: enough to be worth handing over.
const (
	chunkLines = 512
	chunkBytes = 64 << 10
)

// readLine appends the next line without its end, cut behind MaxLine; the
// number of bytes that were read of it counts all of it. The last one may lack
// a newline; io.EOF comes alone.
func readLine(b []byte, r *bufio.Reader) ([]byte, int, error) {
	start, n := len(b), 0
	for {
		part, err := r.ReadSlice('\n')
		n += len(part)
		// One byte more than is allowed shows that the line is too long.
		b = append(b, part[:min(len(part), MaxLine+1-(len(b)-start))]...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && n > 0:
		case err != nil:
			return b[:start], n, err
		}
		return trimEnd(b, start), n, nil
	}
}

// trimEnd takes the end of a line off, LF or CR LF, or CR at the end of a file.
func trimEnd(b []byte, start int) []byte {
	line := bytes.TrimSuffix(b[start:], []byte("\n"))
	return b[:start+len(bytes.TrimSuffix(line, []byte("\r")))]
}

// skipMark passes over a byte order mark.
func skipMark(r *bufio.Reader) int {
	mark, err := r.Peek(3)
	if err != nil || string(mark) != "\xef\xbb\xbf" {
		return 0
	}
	n, _ := r.Discard(len(mark))
	return n
}
