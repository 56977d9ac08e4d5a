package records

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"unicode/utf8"
)

// A chunk is some lines on their way.
type chunk[T any] struct {
	source  int
	first   int    // number of the first line
	text    []byte // the lines, one after another
	ends    []int  // where each of them ends in text
	columns []int  // of CSV; nil for JSON
	read    int    // bytes of the source
	err     error  // why the source ends here, where that is not its end

	items []item[T]
	done  chan struct{} // closed when items are there
}

// An item is what a line came to.
type item[T any] struct {
	line  int
	value T
	err   error
}

// Read reads the sources, one after another. Each record is worked out by work,
// on all cores, and what it came to handed to take in order, with the error of a
// line that could not be read or worked out. An error of take ends it and is
// returned; a read that is waiting then is left behind. Progress, if not nil, is
// told of bytes that were read and whose records were taken.
//
//	sources → read → chunks ⇉ work → take
//	            └─ order ────────────┘
func Read[T any](sources []Source, f Format, work func(*Record) (T, error), take func(Place, T, error) error, progress func(n int)) error {
	if len(sources) > MaxSources {
		return fmt.Errorf("%d files: want at most %d", len(sources), MaxSources)
	}
	workers := runtime.GOMAXPROCS(0)
	chunks := make(chan *chunk[T])
	order := make(chan *chunk[T], 2*workers) // bounds what is on its way
	stop := make(chan struct{})
	for range workers {
		go func() {
			for c := range chunks {
				c.work(&f, work)
				close(c.done)
			}
		}()
	}
	go func() {
		defer close(order)
		defer close(chunks)
		send := func(c *chunk[T]) bool {
			c.done = make(chan struct{})
			select {
			case order <- c:
			case <-stop:
				return false
			}
			chunks <- c // somebody takes it: workers wait for nothing else
			return true
		}
		for i := range sources {
			if !readSource(i, &sources[i], &f, send) {
				return
			}
		}
	}()
	defer close(stop)
	return takeAll(sources, order, take, progress)
}

// takeAll hands over what the chunks came to, in the order in which they were read.
func takeAll[T any](sources []Source, order <-chan *chunk[T], take func(Place, T, error) error, progress func(int)) error {
	for c := range order {
		<-c.done
		for _, it := range c.items {
			if it.line > math.MaxUint32 {
				return fmt.Errorf("%s: more than %d lines", sources[c.source].Name, math.MaxUint32)
			}
			if err := take(Place{c.source, it.line}, it.value, it.err); err != nil {
				return err
			}
		}
		if c.err != nil {
			return fmt.Errorf("read %s: %w", sources[c.source].Name, c.err)
		}
		if progress != nil {
			progress(c.read)
		}
	}
	return nil
}

// readSource cuts a source into chunks and hands each to send. It returns false
// once nothing more is wanted.
func readSource[T any](index int, s *Source, f *Format, send func(*chunk[T]) bool) bool {
	r := bufio.NewReaderSize(s.Reader, chunkBytes)
	c := &chunk[T]{source: index, first: 1, read: skipMark(r)}
	var columns []int
	known := false // whether the form is
	for number := 1; ; number++ {
		before := len(c.text)
		text, n, err := readLine(c.text, r)
		c.text = text
		c.read += n
		if err != nil {
			if err != io.EOF {
				c.err = err
			}
			return send(c) && err == io.EOF
		}
		if line := bytes.TrimSpace(c.text[before:]); !known && len(line) > 0 {
			known = true
			if line[0] != '{' {
				if columns, c.err = f.columns(string(line)); c.err != nil {
					send(c)
					return false
				}
				c.columns = columns
				c.text = c.text[:before] // as good as blank from here on
			}
		}
		c.ends = append(c.ends, len(c.text))
		// A reader that waits before it sends more sees its lines taken.
		if len(c.ends) < chunkLines && len(c.text) < chunkBytes && r.Buffered() > 0 {
			continue
		}
		room := len(c.text) + len(c.text)/8 // asked before it belongs to a worker
		if !send(c) {
			return false
		}
		c = &chunk[T]{source: index, first: number + 1, columns: columns, text: make([]byte, 0, room)}
	}
}

// work works the lines of a chunk out.
func (c *chunk[T]) work(f *Format, work func(*Record) (T, error)) {
	c.items = make([]item[T], 0, len(c.ends))
	r := Record{format: f, values: make([]value, len(f.Fields))}
	start := 0
	for i, end := range c.ends {
		line := c.text[start:end]
		start = end
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		it := item[T]{line: c.first + i}
		clear(r.values)
		r.seen = 0
		if it.err = r.parse(line, c.columns); it.err == nil {
			it.value, it.err = work(&r)
		}
		c.items = append(c.items, it)
	}
	c.text, c.ends = nil, nil
}

func (r *Record) parse(line []byte, columns []int) error {
	switch {
	case len(line) > MaxLine:
		return fmt.Errorf("line of more than %d bytes", MaxLine)
	case !utf8.Valid(line): // a seed would become another one
		return errors.New("not UTF-8")
	case columns == nil:
		return r.jsonLine(line)
	default:
		return r.csvLine(string(line), columns)
	}
}
