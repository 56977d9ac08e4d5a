package claim

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"minesaudit/internal/verify"
)

// maxLine bounds what is read of a line, in bytes. The longest honest one, a
// round of Battle with some thousands of participants, is far below.
const maxLine = 1 << 20

// A chunk is at most so many lines and bytes: enough to be worth handing over,
// few enough that a round a million steps up its chain delays few others.
const (
	chunkLines = 32
	chunkBytes = 64 << 10
)

// A Summary counts the lines of a batch by what they came to.
type Summary struct {
	Lines        int
	Worked       int // outcomes of games that have no verdict
	Pass         int
	Fail         int
	Inconclusive int
	Errors       int
}

func (s *Summary) add(a *Answer) {
	s.Lines++
	switch {
	case a.Err != nil:
		s.Errors++
	case a.Verdict == verify.VerdictPass:
		s.Pass++
	case a.Verdict == verify.VerdictFail:
		s.Fail++
	case a.Verdict == verify.VerdictInconclusive:
		s.Inconclusive++
	default:
		s.Worked++
	}
}

func (s *Summary) merge(other *Summary) {
	s.Lines += other.Lines
	s.Worked += other.Worked
	s.Pass += other.Pass
	s.Fail += other.Fail
	s.Inconclusive += other.Inconclusive
	s.Errors += other.Errors
}

func (s *Summary) String() string {
	return fmt.Sprintf("%d lines: %d pass, %d fail, %d inconclusive, %d without a verdict, %d errors",
		s.Lines, s.Pass, s.Fail, s.Inconclusive, s.Worked, s.Errors)
}

// A chunk is some lines on their way.
type chunk struct {
	first int    // number of its first line
	in    []byte // the lines, each ended by a newline
	out   []byte
	tally Summary
	done  chan struct{} // closed when out and tally are there
}

// Batch answers each line of in with one line to out, in order, on all cores.
// Lines that come slowly are answered as they come. Memory is that of a few
// chunks, whatever the length of in. After an error of out it returns at once,
// and a read that is waiting is left behind.
//
//	in → read → work ⇉ answer → out
//	        └─ order ──────────┘
func Batch(in io.Reader, out io.Writer, rules *verify.Rules) (Summary, error) {
	return batch(in, out, func(line []byte) Answer { return answerLine(line, rules) })
}

func batch(in io.Reader, out io.Writer, answerLine func([]byte) Answer) (Summary, error) {
	workers := runtime.GOMAXPROCS(0)
	work := make(chan *chunk)
	order := make(chan *chunk, 2*workers) // bounds what is on its way
	stop := make(chan struct{})           // closed when nobody reads the answers any more

	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for c := range work {
				c.answer(answerLine)
				close(c.done)
			}
		})
	}
	var readErr error
	wait.Go(func() {
		defer close(order)
		defer close(work)
		readErr = readChunks(in, func(c *chunk) bool {
			select {
			case order <- c:
			case <-stop:
				return false
			}
			work <- c // somebody takes it: workers wait for nothing else
			return true
		})
	})
	total, err := writeChunks(out, order)
	close(stop)
	if err != nil {
		return total, fmt.Errorf("write answers: %w", err)
	}
	wait.Wait()
	if readErr != nil {
		return total, fmt.Errorf("read lines: %w", readErr)
	}
	return total, nil
}

// writeChunks writes chunks in the order in which they were read, and flushes
// whenever none is waiting.
func writeChunks(out io.Writer, order <-chan *chunk) (Summary, error) {
	var total Summary
	w := bufio.NewWriterSize(out, chunkBytes)
	for c := range order {
		<-c.done
		total.merge(&c.tally)
		if _, err := w.Write(c.out); err != nil {
			return total, err
		}
		if len(order) == 0 {
			if err := w.Flush(); err != nil {
				return total, err
			}
		}
	}
	return total, w.Flush()
}

// readChunks cuts in into chunks and hands each to send, until that says no.
func readChunks(in io.Reader, send func(*chunk) bool) error {
	r := bufio.NewReaderSize(in, chunkBytes)
	c := &chunk{first: 1}
	lines := 0
	for number := 1; ; number++ {
		var err error
		c.in, err = appendLine(c.in, r)
		if err != nil {
			if len(c.in) > 0 {
				c.done = make(chan struct{})
				send(c)
			}
			if err == io.EOF {
				err = nil
			}
			return err
		}
		lines++
		// A reader that waits for an answer before it sends more gets it.
		if lines < chunkLines && len(c.in) < chunkBytes && r.Buffered() > 0 {
			continue
		}
		c.done = make(chan struct{})
		room := len(c.in) + len(c.in)/8 // asked before it belongs to a worker
		if !send(c) {
			return nil
		}
		c, lines = &chunk{first: number + 1, in: make([]byte, 0, room)}, 0
	}
}

// appendLine appends the next line with its newline, cut behind maxLine. The
// last one may lack a newline; io.EOF comes alone.
func appendLine(b []byte, r *bufio.Reader) ([]byte, error) {
	start := len(b)
	for {
		part, err := r.ReadSlice('\n')
		// One byte more than is allowed shows that the line is too long.
		if room := maxLine + 1 - (len(b) - start); len(part) > room {
			b = append(b, part[:room]...)
		} else {
			b = append(b, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && len(b) > start:
			return append(b, '\n'), nil
		case err != nil:
			return b[:start], err
		}
		if b[len(b)-1] != '\n' { // it was cut off
			b = append(b, '\n')
		}
		return b, nil
	}
}

// answer answers the lines of a chunk.
func (c *chunk) answer(answerLine func([]byte) Answer) {
	c.out = make([]byte, 0, 4*len(c.in))
	number := c.first
	for rest := c.in; len(rest) > 0; number++ {
		end := bytes.IndexByte(rest, '\n')
		a := answerLine(rest[:end])
		if a.Err != nil {
			a.Line = number
		}
		c.tally.add(&a)
		c.out = append(a.AppendJSON(c.out), '\n')
		rest = rest[end+1:]
	}
	c.in = nil
}

func answerLine(line []byte, rules *verify.Rules) Answer {
	if len(line) > maxLine {
		return Answer{Err: fmt.Errorf("line of more than %d bytes", maxLine)}
	}
	r, err := ParseRequest(line)
	if err != nil {
		return Answer{Game: r.Game, Err: err}
	}
	return Check(r, rules)
}
