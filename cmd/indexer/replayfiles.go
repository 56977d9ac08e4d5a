package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"

	"minesaudit/internal/inspect"
	"minesaudit/internal/rpc"
	"minesaudit/internal/txjson"
)

// savedFile gives the transactions of a file one after another. Its memory is
// that of one document.
type savedFile struct {
	name   string
	reader *txjson.Reader
	ready  []txjson.Tx
	close  func()
}

// openSaved opens a file, or standard input, plain or compressed by gzip or zstd:
// by its first bytes, not its name. read hears of bytes as they are taken from it.
func openSaved(stdin io.Reader, name string, read func(n int)) (*savedFile, error) {
	f := &savedFile{name: name, close: func() {}}
	from := stdin
	if name == "-" {
		f.name = "standard input"
	} else {
		file, err := os.Open(name)
		if err != nil {
			return nil, usage(err)
		}
		f.close = func() { _ = file.Close() }
		from = file
	}
	plain, end, err := inflate(&counted{from, read})
	if err != nil {
		f.close()
		if why := damage(err); why != "" {
			return nil, usage(fmt.Errorf("read %s: %s", f.name, why))
		}
		return nil, usage(fmt.Errorf("read %s: %w", f.name, err))
	}
	closed := f.close
	f.close = func() { end(); closed() }
	f.reader = txjson.NewReader(plain)
	return f, nil
}

// Magic numbers at the beginning of compressed data.
// Sources: RFC 1952 section 2.3.1, RFC 8878 section 3.1.1.
const (
	gzipMagic = "\x1f\x8b"
	zstdMagic = "\x28\xb5\x2f\xfd"
)

// inflate reads what was compressed, in any number of members or frames.
func inflate(from io.Reader) (plain io.Reader, end func(), err error) {
	head := bufio.NewReaderSize(from, 64<<10)
	magic, err := head.Peek(len(zstdMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch {
	case bytes.HasPrefix(magic, []byte(gzipMagic)):
		plain, err = gzip.NewReader(head)
		return plain, func() {}, err
	case bytes.HasPrefix(magic, []byte(zstdMagic)):
		// A window as large as the format's own recommendation; one that asks for more
		// is refused, not obeyed.
		z, err := zstd.NewReader(head, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}
	return head, func() {}, nil
}

// damage says what is wrong with what a file holds; empty for what is wrong with reading
// it, which is the system's to tell. Plain files cannot be damaged: their documents are.
func damage(err error) string {
	var reading *fs.PathError
	switch {
	case err == nil || errors.As(err, &reading):
		return ""
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the compressed file is cut short"
	}
	return "the compressed file is damaged: " + err.Error()
}

// next gives a transaction; bad says why a document is none that can be used. At
// the end it gives io.EOF, and any other error as damage takes it.
func (f *savedFile) next() (tx *rpc.Tx, line int, bad, err error) {
	for len(f.ready) == 0 {
		f.ready, err = f.reader.Next()
		if err != nil {
			return nil, 0, nil, err
		}
	}
	x := &f.ready[0]
	f.ready = f.ready[1:]
	tx, bad = inspect.Saved(x)
	return tx, x.Line, bad, nil
}

// counted tells how much is read through it.
type counted struct {
	io.Reader
	read func(n int)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read(n)
	return n, err
}
