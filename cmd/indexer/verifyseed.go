package main

import "minesaudit/internal/claim"

// seedFlags name the seed of a single-player bet.
type seedFlags struct {
	ServerSeed *string `name:"server-seed" placeholder:"TEXT" help:"Server seed, as revealed."`
	ClientSeed *string `name:"client-seed" placeholder:"TEXT" help:"Client seed."`
	Nonce      string  `name:"nonce" placeholder:"MS" help:"Time of the bet in milliseconds."`
	GameSeed   *string `name:"game-seed" placeholder:"HEX" help:"The seed that the three make, in their place or to be compared."`
}

func (f *seedFlags) request(game string) *claim.Request {
	return &claim.Request{Game: game, ServerSeed: f.ServerSeed, ClientSeed: f.ClientSeed, Nonce: claim.Number(f.Nonce), GameSeed: f.GameSeed}
}

type verifyDiceCmd struct {
	seedFlags
	Selected []int64 `name:"selected" required:"" placeholder:"N,…" help:"Numbers that the bet named, 1 to 5 of them."`
	claimOutput
}

// Help is shown under the flags.
func (verifyDiceCmd) Help() string {
	return `Exit codes: 0 the roll was worked out, 2 usage.

Examples:
  indexer verify dice --server-seed fee74140 --client-seed d0155ceeb8af537b --nonce 1 --selected 3,2,5
  indexer verify dice --game-seed 254734fe5f58c0375a2629ab6ccd069958fb98698dd6f2d2aeb550c235f59335 --selected 2 --explain`
}

func (c *verifyDiceCmd) Run(s *streams) error {
	r := c.request("dice")
	r.Selected = c.Selected
	return c.check(s, r, defaultRules())
}

type verifyHMACMinesCmd struct {
	seedFlags
	Mines string `name:"mines" required:"" placeholder:"N" help:"Number of mines, at most 25."`
	claimOutput
}

// Help is shown under the flags.
func (verifyHMACMinesCmd) Help() string {
	return `Exit codes: 0 the board was worked out, 2 usage.

Example:
  indexer verify hmac-mines --server-seed SEED --client-seed SEED --nonce 1737331586044 --mines 3 --explain`
}

func (c *verifyHMACMinesCmd) Run(s *streams) error {
	r := c.request("hmac-mines")
	r.Mines = claim.Number(c.Mines)
	return c.check(s, r, defaultRules())
}
