package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"minesaudit/internal/config"
	"minesaudit/internal/fit"
	"minesaudit/internal/idl"
)

type profileInitCmd struct {
	IDL     string `name:"idl" required:"" placeholder:"FILE" help:"The program's Anchor IDL; indexer idl fetch gets it from the chain."`
	Program string `name:"program" placeholder:"ADDRESS" help:"Address of the program, base58. Empty: the one that the IDL names."`
	Output  string `name:"output" short:"o" placeholder:"FILE" help:"Where to write the profile; it must not exist. Empty: standard output."`
}

// Help is shown under the flags.
func (profileInitCmd) Help() string {
	return `Guesses by names and types which events of the IDL start and end a game and which fields are what, and writes a profile in YAML with the guesses, their alternatives and what was not found in comments. Read every line: a wrong guess is a wrong verdict. The path of the IDL in it is relative to the profile.

Exit codes: 0 a profile was written, 2 usage or unreadable IDL, 3 one was written and the program does not look like a game of Mines.

Examples:
  indexer profile init --idl mines.json -o mines.yaml
  indexer profile check mines.yaml`
}

func (c *profileInitCmd) Run(s *streams) error {
	if c.Program != "" {
		if _, err := config.ParseKey(c.Program); err != nil {
			return usage(fmt.Errorf("--program: %w", err))
		}
	}
	raw, err := os.ReadFile(c.IDL)
	if err != nil {
		return usage(fmt.Errorf("--idl: %w", err))
	}
	file, err := idl.Parse(raw)
	if err != nil {
		return usage(fmt.Errorf("--idl: %s: %w", c.IDL, err))
	}
	if len(file.Events) == 0 {
		return usage(fmt.Errorf("--idl: %s has no events: is it the IDL of another program, or of a version without them?", c.IDL))
	}
	name, err := besideOutput(c.IDL, c.Output)
	if err != nil {
		return usage(err)
	}
	proposal := fit.Propose(fit.Source{IDL: file, File: name, Program: c.Program})
	if err := writeNew(s, c.Output, []byte(proposal.Text)); err != nil {
		return err
	}
	if !proposal.Mines {
		_, _ = fmt.Fprintln(s.Err, "indexer: this does not look like a game of Mines: no event that ends a game has a seed or a board")
		return &exitError{code: exitInconclusive}
	}
	return nil
}

// besideOutput is the name of a file as another one finds it, which is or will be
// in the folder at hand if it has no name.
func besideOutput(file, output string) (string, error) {
	if filepath.IsAbs(file) {
		return file, nil
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	dir, err := filepath.Abs(filepath.Dir(output))
	if err != nil {
		return "", err
	}
	return filepath.Rel(dir, file)
}

// writeNew writes a file that must not exist yet, or standard output.
func writeNew(s *streams, name string, data []byte) error {
	if name == "" || name == "-" {
		_, err := s.Out.Write(data)
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return usage(fmt.Errorf("--output: %s exists: name another file, or remove it first", name))
	}
	if err != nil {
		return usage(fmt.Errorf("--output: %w", err))
	}
	if _, err := file.Write(data); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", name, err), file.Close())
	}
	return file.Close()
}
