package main

import (
	"errors"
	"fmt"
	"strconv"

	"minesaudit/internal/claim"
	"minesaudit/internal/verify"
)

type verifyMinesCmd struct {
	ServerSeed string `name:"server-seed" required:"" placeholder:"HEX" help:"Seed that the settlement published: 64 hex digits."`
	Slothash   string `name:"slothash" required:"" placeholder:"HASH" help:"Slot hash of the start: hex or base58."`
	User       string `name:"user" required:"" placeholder:"ADDRESS" help:"The player's account in the events, which may not be the wallet: base58 or hex."`
	Nonce      string `name:"nonce" required:"" placeholder:"N" help:"The player's game counter."`
	MinesCount string `name:"mines-count" required:"" placeholder:"N" help:"Number of mines, 1 to 24."`

	CommitHash   *string `name:"commit-hash" placeholder:"HEX" help:"What the start committed to: 64 hex digits."`
	MinesMask    string  `name:"mines-mask" placeholder:"MASK" help:"Mines that were published: decimal or 0x and hex, bit t is tile t."`
	RevealedMask string  `name:"revealed-mask" placeholder:"MASK" xor:"revealed" help:"Tiles that were revealed, likewise."`
	Revealed     []int   `name:"revealed" placeholder:"TILE,…" xor:"revealed" help:"The same as a list of tiles, 0 to 24."`
	BustTile     string  `name:"bust-tile" placeholder:"TILE|none" help:"Mine that was hit, 0 to 24, or none."`
	HouseEdgeBPS string  `name:"house-edge-bps" placeholder:"N" help:"House edge in basis points, 0 to 10000."`
	Stake        string  `name:"stake" placeholder:"N" help:"Stake, in the smallest unit."`
	MaxPayout    string  `name:"max-payout" placeholder:"N" help:"The cap that the start fixed."`
	Multiplier   string  `name:"multiplier" placeholder:"N" help:"Multiplier that was published, as the whole number of the event."`
	Payout       string  `name:"payout" placeholder:"N" help:"Payout that was published."`

	Profile string `name:"profile" env:"MINESAUDIT_PROFILE" placeholder:"NAME|FILE" default:"builtin:mines" help:"The program's payout convention: builtin:mines or a YAML file. Default ${default}."`
	claimOutput
}

// Help is shown under the flags.
func (verifyMinesCmd) Help() string {
	return `The first five flags fix the board. The others are claims that are held against it; a check of what is not given is inconclusive. Exit codes: 0 pass, 1 fail, 2 usage, 3 inconclusive.

Example:
  indexer verify mines --server-seed 14fd16808fc2b3b0d02e2b488854483089530fc61699ab8eef6d69b1589975d4 --slothash 9c78d92ceeda65965758fecd48911d959a769d1766ae5b3688053798dfc8547d --user 3fa27f67fd0753fd82b933e134b5eaee8d3976afcded155922aa74db264b914d --nonce 831557 --mines-count 1 --explain`
}

func (c *verifyMinesCmd) Run(s *streams) error {
	rules, err := profileRules(c.Profile)
	if err != nil {
		return err
	}
	r, err := c.request()
	if err != nil {
		return usage(err)
	}
	return c.check(s, r, rules)
}

func (c *verifyMinesCmd) request() (*claim.Request, error) {
	mines, err := maskNumber("--mines-mask", c.MinesMask)
	if err != nil {
		return nil, err
	}
	revealed, err := maskNumber("--revealed-mask", c.RevealedMask)
	if err != nil {
		return nil, err
	}
	if c.Revealed != nil {
		if revealed, err = tilesMask(c.Revealed); err != nil {
			return nil, err
		}
	}
	r := &claim.Request{
		Game: "mines", ServerSeed: &c.ServerSeed, Slothash: &c.Slothash, User: &c.User, Nonce: claim.Number(c.Nonce),
		MinesCount: claim.Number(c.MinesCount), CommitHash: c.CommitHash, MinesMask: mines, RevealedMask: revealed,
		HouseEdgeBPS: claim.Number(c.HouseEdgeBPS), Stake: claim.Number(c.Stake), MaxPayout: claim.Number(c.MaxPayout),
		Multiplier: claim.Number(c.Multiplier), Payout: claim.Number(c.Payout),
	}
	switch c.BustTile {
	case "":
	case "none":
		r.BustTile.Given = true
	default:
		r.BustTile = claim.Tile{Given: true, Number: claim.Number(c.BustTile)}
	}
	return r, nil
}

// maskNumber reads a mask in decimal or hex; empty, it was not given.
func maskNumber(flag, text string) (claim.Number, error) {
	if text == "" {
		return "", nil
	}
	mask, err := strconv.ParseUint(text, 0, 32)
	if err != nil {
		return "", fmt.Errorf("%s: %q: want a number of 32 bits, in decimal or as 0x and hex", flag, text)
	}
	return claim.Number(strconv.FormatUint(mask, 10)), nil
}

func tilesMask(tiles []int) (claim.Number, error) {
	mask := uint64(0)
	for _, tile := range tiles {
		if tile < 0 || tile >= verify.Tiles {
			return "", fmt.Errorf("--revealed: tile %d: want 0..%d", tile, verify.Tiles-1)
		}
		if mask>>tile&1 == 1 {
			return "", errors.New("--revealed: tile " + strconv.Itoa(tile) + " is named twice")
		}
		mask |= 1 << tile
	}
	return claim.Number(strconv.FormatUint(mask, 10)), nil
}
