package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"minesaudit/internal/config"
	"minesaudit/internal/idlfetch"
	"minesaudit/internal/inspect"
	"minesaudit/internal/rpc"
)

type idlFetchCmd struct {
	Program string `arg:"" name:"program" help:"Address of the program, base58."`

	Config    string        `name:"config" env:"MINESAUDIT_CONFIG" placeholder:"FILE" help:"YAML file of the daemon, for the node's address." yaml:"-"`
	RPCURL    config.Secret `name:"rpc-url" env:"MINESAUDIT_RPC_URL" placeholder:"URL" help:"Node's JSON-RPC address, http:// or https://. A secret if it has a key in it: better in the file that $MINESAUDIT_RPC_URL_FILE names." yaml:"rpc_url"`
	Authority string        `name:"authority" placeholder:"KEY" help:"Take what this key wrote with the Program Metadata program, in place of the program's own authority."`
	Output    string        `name:"output" short:"o" placeholder:"FILE" help:"Where to write the IDL; it must not exist. Empty: standard output."`
}

// Help is shown under the flags.
func (idlFetchCmd) Help() string {
	return `Looks in the account where Anchor before 1.0 kept IDLs, then in that of the Program Metadata program, and writes the text as it is there. An account that names another one is followed once; one that names a URL is not. Whoever may write the account may write what they like, and the node is believed: read what you get.

Exit codes: 0 an IDL was written, 2 usage, 3 there is none that can be used, 4 the node cannot be asked.

Examples:
  indexer idl fetch PROGRAM --rpc-url https://api.mainnet-beta.solana.com -o program.json
  indexer profile init --idl program.json -o program.yaml`
}

func (c *idlFetchCmd) Run(s *streams) error {
	source, err := c.source()
	if err != nil {
		return err
	}
	defer source.Client.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	redactor := config.NewRedactor(c.RPCURL.Reveal())
	found, err := idlfetch.Fetch(ctx, *source)
	if errors.Is(err, idlfetch.ErrNone) {
		return &exitError{exitInconclusive, redactor.Error(err)}
	}
	if err != nil {
		return redactor.Error(err)
	}
	if err := writeNew(s, c.Output, found.JSON); err != nil {
		return err
	}
	say := func(format string, args ...any) {
		_, _ = fmt.Fprintln(s.Err, "indexer: "+inspect.Printable(fmt.Sprintf(format, args...)))
	}
	say("%d events, from %s %s as of slot %d", len(found.Parsed.Events), found.Kind, rpc.KeyString(found.Address), found.Slot)
	for _, note := range found.Notes {
		say("%s", note)
	}
	return nil
}

// source checks the flags.
func (c *idlFetchCmd) source() (*idlfetch.Source, error) {
	var s idlfetch.Source
	var err error
	if s.Program, err = config.ParseKey(c.Program); err != nil {
		return nil, usage(fmt.Errorf("program: %w", err))
	}
	if c.Authority != "" {
		key, err := config.ParseKey(c.Authority)
		if err != nil {
			return nil, usage(fmt.Errorf("--authority: %w", err))
		}
		s.Authority = &key
	}
	if c.RPCURL == "" {
		return nil, usage(errors.New("--rpc-url ($MINESAUDIT_RPC_URL): not set: give the node's address, such as https://api.mainnet-beta.solana.com"))
	}
	if s.Client, err = rpc.NewClient(rpc.Config{URL: c.RPCURL.Reveal()}); err != nil {
		return nil, usage(config.NewRedactor(c.RPCURL.Reveal()).Error(err))
	}
	return &s, nil
}
