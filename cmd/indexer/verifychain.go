package main

import "minesaudit/internal/claim"

type verifyChainCmd struct {
	hashFlag
	Round        string  `name:"round" placeholder:"N" help:"Number of the round, 1 to 10000000. Without it the distance is looked for, up to the whole chain."`
	Terminal     string  `name:"terminal" required:"" placeholder:"NAME|HEX" help:"End of the chain: platform, crash or battle, whose ends were published, or 64 hex digits."`
	TerminalForm *string `name:"terminal-form" placeholder:"sha256|final" help:"Whether a terminal in hex is the SHA-256 of the chain's last hash or that hash itself. Without it either may be."`
	claimOutput
}

// Help is shown under the flags.
func (verifyChainCmd) Help() string {
	return `Hashes the hash again and again until the terminal is reached; from round n that takes n steps, a few hundred nanoseconds each. Exit codes: 0 the hash is that of the round, 1 it is not, 2 usage, 3 no round was named.

Example:
  indexer verify chain --hash HASH --round 12345 --terminal crash`
}

func (c *verifyChainCmd) Run(s *streams) error {
	r := &claim.Request{Game: "chain", Hash: &c.Hash, Round: claim.Number(c.Round), Terminal: &c.Terminal, TerminalForm: c.TerminalForm}
	return c.check(s, r, defaultRules())
}
