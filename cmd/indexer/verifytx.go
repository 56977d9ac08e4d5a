package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"minesaudit/internal/config"
	"minesaudit/internal/inspect"
	"minesaudit/internal/rpc"
)

type verifyTxCmd struct {
	Signature string `arg:"" name:"signature" help:"Signature of a transaction that started or ended a game, base58."`

	Config  string        `name:"config" env:"MINESAUDIT_CONFIG" placeholder:"FILE" help:"YAML file of the daemon, for the four settings below." yaml:"-"`
	RPCURL  config.Secret `name:"rpc-url" env:"MINESAUDIT_RPC_URL" placeholder:"URL" help:"Node's JSON-RPC address, http:// or https://. A secret if it has a key in it: better in the file that $MINESAUDIT_RPC_URL_FILE names." yaml:"rpc_url"`
	RPCRate float64       `name:"rpc-rate" env:"MINESAUDIT_RPC_RATE" placeholder:"N" default:"0" help:"Most JSON-RPC requests a second; 0 is no limit of our own. Public nodes bear about 4. Default ${default}." yaml:"rpc_rate"`
	Program string        `name:"program" env:"MINESAUDIT_PROGRAM" placeholder:"ADDRESS" help:"Address of the program, base58. May stand in the profile instead." yaml:"program"`
	Profile string        `name:"profile" env:"MINESAUDIT_PROFILE" placeholder:"NAME|FILE" default:"builtin:mines" help:"The program's payout convention and operator keys: builtin:mines or a YAML file. Default ${default}." yaml:"profile"`

	MaxHistory int `name:"max-history" placeholder:"N" default:"5000" help:"Most transactions of a game's address that are read to find its start, its end and any second one. Default ${default}."`
	verifyOutput
}

// Help is shown under the flags.
func (verifyTxCmd) Help() string {
	return `Reads the transaction and the history of the address of each game in it, so either end of a game will do. Exit codes: 0 pass, 1 fail, 2 usage, 3 inconclusive, still running or no game in it, 4 the node cannot be asked.

Examples:
  indexer verify tx SIGNATURE --rpc-url http://127.0.0.1:8899 --program PROGRAM
  indexer verify tx SIGNATURE --rpc-url https://api.mainnet-beta.solana.com --rpc-rate 4 --program PROGRAM --explain
  indexer verify tx SIGNATURE --config /etc/minesaudit.yaml --json`
}

func (c *verifyTxCmd) Run(s *streams) error {
	settings, err := c.settings()
	if err != nil {
		return err
	}
	redactor := settings.Redactor()
	sig, err := rpc.ParseSignature(c.Signature)
	if err != nil {
		return usage(fmt.Errorf("signature: %w", err))
	}
	if c.MaxHistory < 1 {
		return usage(fmt.Errorf("--max-history: %d: give 1 or more", c.MaxHistory))
	}
	client, err := rpc.NewClient(rpc.Config{URL: settings.RPCURL.Reveal(), RequestsPerSecond: settings.RPCRate})
	if err != nil {
		return usage(redactor.Error(err))
	}
	defer client.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	node := inspect.Node{Client: client, MaxHistory: c.MaxHistory, Say: func(format string, args ...any) {
		_, _ = fmt.Fprintf(s.Err, format+"\n", args...)
	}}
	result, err := node.Inspect(ctx, sig, auditOf(settings.Program, &settings.Profile))
	if rpc.ClassOf(err) == rpc.UnsupportedVersion {
		return &exitError{exitInconclusive, redactor.Error(err)}
	}
	if err != nil {
		return redactor.Error(err)
	}
	return c.show(s, result)
}

// settings checks the flags as run does.
func (c *verifyTxCmd) settings() (*config.Settings, error) {
	cfg := config.Default()
	cfg.RPCURL, cfg.RPCRate, cfg.Program, cfg.Profile = c.RPCURL, c.RPCRate, c.Program, c.Profile
	return cfg.Check()
}
