package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"minesaudit/internal/config"
	"minesaudit/internal/inspect"
	"minesaudit/internal/rpc"
)

type verifyFileCmd struct {
	Files []string `arg:"" name:"file" help:"Files of getTransaction answers, in JSON; - is standard input."`

	Config  string `name:"config" env:"MINESAUDIT_CONFIG" placeholder:"FILE" help:"YAML file of the daemon, for the two settings below." yaml:"-"`
	Program string `name:"program" env:"MINESAUDIT_PROGRAM" placeholder:"ADDRESS" help:"Address of the program, base58. Empty: the only one in the files that emits such events." yaml:"program"`
	Profile string `name:"profile" env:"MINESAUDIT_PROFILE" placeholder:"NAME|FILE" default:"builtin:mines" help:"The program's payout convention and operator keys: builtin:mines or a YAML file. Default ${default}." yaml:"profile"`
	verifyOutput
}

// Help is shown under the flags.
func (verifyFileCmd) Help() string {
	return `A file holds answers to getTransaction or getBlock (whole replies, results alone, or arrays of either; one a line or over many lines) or logsNotification frames. All files together are the evidence, and every game in them is judged. Exit codes: 0 pass, 1 fail, 2 usage or unreadable files, 3 inconclusive, still running or no game.

Examples:
  indexer verify file start.json end.json
  indexer verify file answers.jsonl --program PROGRAM --profile mines.yaml --explain
  curl -s NODE -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"getTransaction","params":["SIGNATURE",{"maxSupportedTransactionVersion":1}]}' | indexer verify file -`
}

func (c *verifyFileCmd) Run(s *streams) error {
	audit, err := c.audit()
	if err != nil {
		return err
	}
	var txs []*rpc.Tx
	for _, name := range c.Files {
		found, err := readAnswers(s.In, name)
		if err != nil {
			return usage(err)
		}
		txs = append(txs, found...)
	}
	result, err := inspect.InspectFiles(txs, audit)
	if errors.Is(err, inspect.ErrInput) {
		return usage(err)
	}
	if err != nil {
		return err
	}
	return c.show(s, result)
}

// audit takes the program from the flag or the profile; both must agree, and
// neither need name one.
func (c *verifyFileCmd) audit() (inspect.Audit, error) {
	profile, err := config.LoadProfile(c.Profile)
	if err != nil {
		return inspect.Audit{}, usage(fmt.Errorf("--profile: %w", err))
	}
	program := c.Program
	switch {
	case program == "":
		program = profile.Program
	case profile.Program != "" && profile.Program != program:
		return inspect.Audit{}, usage(fmt.Errorf("--program: not the profile's program %s: drop one of the two or name the right profile", profile.Program))
	}
	if program != "" {
		if _, err := config.ParseKey(program); err != nil {
			return inspect.Audit{}, usage(fmt.Errorf("--program: %w", err))
		}
	}
	return auditOf(program, &profile), nil
}

func readAnswers(stdin io.Reader, name string) ([]*rpc.Tx, error) {
	if name == "-" {
		return inspect.ReadAnswers(stdin, "standard input")
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return inspect.ReadAnswers(file, name)
}
