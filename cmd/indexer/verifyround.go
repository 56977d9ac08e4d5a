package main

import "minesaudit/internal/claim"

// hashFlag names the hash of a round.
type hashFlag struct {
	Hash string `name:"hash" required:"" placeholder:"HEX" help:"The round's hash, as published."`
}

type verifyPlatformsCmd struct {
	hashFlag
	claimOutput
}

// Help is shown under the flags.
func (verifyPlatformsCmd) Help() string {
	return "Only the last platform follows from the hash. Exit codes: 0 it was worked out, 2 usage."
}

func (c *verifyPlatformsCmd) Run(s *streams) error {
	return c.check(s, &claim.Request{Game: "platforms", Hash: &c.Hash}, defaultRules())
}

type verifyRocketCmd struct {
	hashFlag
	claimOutput
}

// Help is shown under the flags.
func (verifyRocketCmd) Help() string {
	return "Crash is another name of this game. Exit codes: 0 the multiplier was worked out, 2 usage."
}

func (c *verifyRocketCmd) Run(s *streams) error {
	return c.check(s, &claim.Request{Game: "rocket", Hash: &c.Hash}, defaultRules())
}

type verifyBattleCmd struct {
	hashFlag
	Chances []float64 `name:"chances" required:"" placeholder:"PERCENT,…" help:"Chance of each participant, in their order; 100 together."`
	claimOutput
}

// Help is shown under the flags.
func (verifyBattleCmd) Help() string {
	return `Exit codes: 0 the winner was worked out, 2 usage, 3 the chances leave the round without one.

Example:
  indexer verify battle --hash HASH --chances 20,30,50 --explain`
}

func (c *verifyBattleCmd) Run(s *streams) error {
	return c.check(s, &claim.Request{Game: "battle", Hash: &c.Hash, Chances: c.Chances}, defaultRules())
}
