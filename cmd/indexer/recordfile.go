package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/klauspost/compress/zstd"
)

// recordFile is a file that is not there until it is whole. What is written of it
// so far lies beside it under the name with ".part", and what has been done for it
// under the name with ".part.json".
//
// A page is one gzip member or zstd frame, and on the disk before the state says
// so. A crash in between leaves a page behind the state's offset, which the next
// run cuts off and fetches again.
type recordFile struct {
	name  string
	part  *os.File
	state recordState
}

// recordState is how far a recording has come.
type recordState struct {
	recordOf
	Offset       int64  `json:"offset"` // of the part's end
	Before       string `json:"before"` // signature below which the next page begins; empty: the newest
	Oldest       uint64 `json:"oldest_slot"`
	Newest       uint64 `json:"newest_slot"`
	Transactions int64  `json:"transactions"`
	Failed       int64  `json:"failed"` // of them
}

// recordOf is what a recording is of.
type recordOf struct {
	Program string `json:"program"`
	Genesis string `json:"genesis"`
	From    uint64 `json:"from_slot"`
	To      uint64 `json:"to_slot"`
}

// openRecord begins a file, or goes on with one that is of the same.
func openRecord(name string, of recordOf) (f *recordFile, resumed bool, err error) {
	if err := absent(name); err != nil {
		return nil, false, err
	}
	f = &recordFile{name: name, state: recordState{recordOf: of}}
	if f.part, err = os.OpenFile(f.partName(), os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, false, usage(err)
	}
	if resumed, err = f.begin(of); err != nil {
		_ = f.part.Close()
		return nil, false, err
	}
	return f, resumed, nil
}

func absent(name string) error {
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return usage(fmt.Errorf("-o: %s is there already: name another file, or remove it", name))
	}
	return nil
}

// begin locks the part and finds out how far it has come. The lock goes with the
// process; whoever had it before may just have given the part its name.
func (f *recordFile) begin(of recordOf) (resumed bool, err error) {
	if err := syscall.Flock(int(f.part.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return false, usage(fmt.Errorf("-o: %s is being written by another indexer: %w", f.partName(), err))
	}
	if err := absent(f.name); err != nil {
		return false, err
	}
	saved, err := os.ReadFile(f.stateName())
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, usage(err)
	case json.Unmarshal(saved, &f.state) != nil:
		return false, usage(fmt.Errorf("-o: %s cannot be read: remove it and begin anew", f.stateName()))
	case f.state.recordOf != of:
		return false, usage(fmt.Errorf("-o: %s is of another recording (program %s, slots %d to %d): name another file, or remove it",
			f.stateName(), f.state.Program, f.state.From, f.state.To))
	default:
		resumed = true
	}
	return resumed, f.cut()
}

func (f *recordFile) partName() string  { return f.name + ".part" }
func (f *recordFile) stateName() string { return f.name + ".part.json" }

// cut takes off what was written and not said to be.
func (f *recordFile) cut() error {
	info, err := f.part.Stat()
	if err != nil {
		return err
	}
	if info.Size() < f.state.Offset {
		return usage(fmt.Errorf("-o: %s is shorter than %s says: remove both and begin anew", f.partName(), f.stateName()))
	}
	if err := f.part.Truncate(f.state.Offset); err != nil {
		return fmt.Errorf("cut %s: %w", f.partName(), err)
	}
	_, err = f.part.Seek(f.state.Offset, io.SeekStart)
	return err
}

// add writes a page's lines and what has been done with them.
func (f *recordFile) add(lines []byte, next recordState) error {
	packed, err := pack(f.name, lines)
	if err != nil {
		return fmt.Errorf("compress a page: %w", err)
	}
	if _, err := f.part.Write(packed); err != nil {
		return fmt.Errorf("write %s: %w", f.partName(), err)
	}
	if err := f.part.Sync(); err != nil {
		return fmt.Errorf("write %s: %w", f.partName(), err)
	}
	next.Offset = f.state.Offset + int64(len(packed))
	f.state = next
	return f.saveState()
}

func (f *recordFile) saveState() error {
	text, err := json.Marshal(f.state)
	if err != nil {
		return err
	}
	fresh := f.stateName() + ".new"
	if err := writeSynced(fresh, append(text, '\n')); err != nil {
		return err
	}
	if err := os.Rename(fresh, f.stateName()); err != nil {
		return err
	}
	return syncFolder(f.name)
}

// finish gives the file its name.
func (f *recordFile) finish() error {
	if err := f.part.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.partName(), f.name); err != nil {
		return err
	}
	if err := os.Remove(f.stateName()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return syncFolder(f.name)
}

func (f *recordFile) close() { _ = f.part.Close() }

// pack compresses as the file's name says. Nothing is no member at all.
func pack(name string, lines []byte) ([]byte, error) {
	if len(lines) == 0 {
		return nil, nil
	}
	var packed bytes.Buffer
	var to io.WriteCloser
	switch {
	case strings.HasSuffix(name, ".gz"):
		to = gzip.NewWriter(&packed)
	case strings.HasSuffix(name, ".zst"):
		var err error
		if to, err = zstd.NewWriter(&packed, zstd.WithEncoderConcurrency(1)); err != nil {
			return nil, err
		}
	default:
		return lines, nil
	}
	if _, err := to.Write(lines); err != nil {
		return nil, err
	}
	if err := to.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

func writeSynced(name string, text []byte) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Sync(), file.Close())
}

// syncFolder makes names in the folder of a file last.
func syncFolder(of string) error {
	folder, err := os.Open(filepath.Dir(of))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
