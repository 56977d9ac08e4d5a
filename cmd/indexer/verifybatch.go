package main

import (
	"fmt"

	"minesaudit/internal/claim"
)

type verifyBatchCmd struct {
	Profile string `name:"profile" env:"MINESAUDIT_PROFILE" placeholder:"NAME|FILE" default:"builtin:mines" help:"The payout convention of on-chain Mines: builtin:mines or a YAML file. Default ${default}."`
}

// Help is shown under the flags.
func (verifyBatchCmd) Help() string {
	return `Reads JSON objects from standard input, one a line, and writes one answer a line to standard output, in the same order, on all cores. A line that cannot be answered gives an answer with its number and an error, and the rest goes on. What a line does not give is inconclusive, not a fail. Counts go to standard error. Exit codes: 0 no line failed, 1 a line failed, 2 usage, 3 a line was inconclusive or in error, 4 a read or write failed.

Lines, with what may be left out in brackets; amounts and nonces are decimal strings:
  {"game":"mines","server_seed":HEX,"slothash":HEX|BASE58,"user":HEX|BASE58,"nonce":"7","mines_count":3[,"commit_hash":HEX,"mines_mask":N,"revealed_mask":N,"bust_tile":N|null,"house_edge_bps":N,"stake":"N","max_payout":"N","multiplier":"N","payout":"N"]}
  {"game":"dice","server_seed":"…","client_seed":"…","nonce":"1737331586044","selected":[1,2]}
  {"game":"hmac-mines","game_seed":"…","mines":3}
  {"game":"platforms","hash":HEX}
  {"game":"rocket","hash":HEX}
  {"game":"battle","hash":HEX,"chances":[25,75]}
  {"game":"chain","hash":HEX,"round":12345,"terminal":"crash"}

Example:
  indexer verify batch < claims.jsonl > answers.jsonl`
}

func (c *verifyBatchCmd) Run(s *streams) error {
	rules, err := profileRules(c.Profile)
	if err != nil {
		return err
	}
	summary, err := claim.Batch(s.In, s.Out, rules)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintln(s.Err, summary.String())
	switch {
	case summary.Fail > 0:
		return &exitError{code: exitMismatch}
	case summary.Inconclusive+summary.Errors > 0:
		return &exitError{code: exitInconclusive}
	default:
		return nil
	}
}
