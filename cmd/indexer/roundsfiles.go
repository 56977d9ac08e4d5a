package main

import (
	"fmt"
	"io"
	"os"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

// evidenceFlags say which files are audited and how the result is shown.
type evidenceFlags struct {
	Files    []string `arg:"" name:"file" help:"Files to audit; - is standard input."`
	Ignore   []string `name:"ignore" placeholder:"FIELD" help:"Fields of the files that are passed over. Any other that is not known is an error, so that a misspelt one is not taken for one left out."`
	Findings int      `name:"findings" placeholder:"N" default:"20" help:"How many findings, gaps and unreadable lines are listed, each. All are counted. Default ${default}."`
	JSON     bool     `name:"json" help:"One JSON object in place of text."`
}

// A shown result writes itself.
type shown interface {
	WriteText(w io.Writer, most int) error
	WriteJSON(w io.Writer, most int) error
}

// show writes a result; its verdict is the error.
func (f *evidenceFlags) show(s *streams, r shown, v verify.Verdict) error {
	write := r.WriteText
	if f.JSON {
		write = r.WriteJSON
	}
	if err := write(s.Out, max(f.Findings, 0)); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return exitOf(v)
}

// openSources opens the files, and gives their size together, or −1 where one
// has none. None may be named twice as standard input.
func openSources(stdin io.Reader, names []string) (sources []records.Source, size int64, done func(), err error) {
	var files []*os.File
	done = func() {
		for _, file := range files {
			_ = file.Close()
		}
	}
	usedStdin := false
	for _, name := range names {
		if name == "-" {
			if usedStdin {
				done()
				return nil, 0, nil, usage(fmt.Errorf("- is named twice: standard input can be read once"))
			}
			usedStdin = true
			sources, size = append(sources, records.Source{Name: "standard input", Reader: stdin}), -1
			continue
		}
		file, err := os.Open(name)
		if err != nil {
			done()
			return nil, 0, nil, usage(err)
		}
		files = append(files, file)
		sources = append(sources, records.Source{Name: name, Reader: file})
		info, err := file.Stat()
		if size >= 0 && err == nil && info.Mode().IsRegular() {
			size += info.Size()
		} else {
			size = -1
		}
	}
	return sources, size, done, nil
}
