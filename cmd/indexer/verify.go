package main

import (
	"fmt"
	"io"
	"os"

	"minesaudit/internal/config"
	"minesaudit/internal/emitted"
	"minesaudit/internal/inspect"
	"minesaudit/internal/verify"
)

type verifyCmd struct {
	Tx   verifyTxCmd   `cmd:"" help:"The games of one transaction, read from a node."`
	File verifyFileCmd `cmd:"" help:"The games of saved getTransaction answers, without a node."`

	Mines     verifyMinesCmd     `cmd:"" help:"An on-chain board by its inputs, and what is claimed of it."`
	Dice      verifyDiceCmd      `cmd:"" help:"A roll of Dice, off the chain."`
	HMACMines verifyHMACMinesCmd `cmd:"" name:"hmac-mines" help:"A board of the off-chain Mines."`
	Platforms verifyPlatformsCmd `cmd:"" help:"A round of Platforms, by its hash."`
	Rocket    verifyRocketCmd    `cmd:"" help:"A round of Rocket, or Crash, by its hash."`
	Battle    verifyBattleCmd    `cmd:"" help:"A round of Battle, by its hash and the chances."`
	Chain     verifyChainCmd     `cmd:"" help:"Whether a hash is that of its round in a hash chain."`
	Batch     verifyBatchCmd     `cmd:"" help:"Claims about any of these, one JSON object a line, on standard input."`
}

// Help is shown under the subcommands.
func (verifyCmd) Help() string {
	return `Judges games without a database. The exit code is the verdict: 0 pass, 1 fail, 3 inconclusive, still running or no game; of several games the worst counts. A game that has an outcome and nothing to be judged by gives 0.`
}

// verifyOutput is how every verification is shown.
type verifyOutput struct {
	JSON    bool `name:"json" help:"One JSON object in place of text."`
	Explain bool `name:"explain" help:"Show every hash block, draw, rejected word and step of the pay too."`
}

// show writes a result; its verdict is the error.
func (o *verifyOutput) show(s *streams, r *inspect.Result) error {
	var err error
	if o.JSON {
		err = r.WriteJSON(s.Out, o.Explain)
	} else {
		err = r.WriteText(s.Out, inspect.TextOptions{Colour: coloured(s.Out), Explain: o.Explain})
	}
	if err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	switch r.Verdict() {
	case verify.VerdictPass:
		return nil
	case verify.VerdictFail:
		return &exitError{code: exitMismatch}
	default:
		return &exitError{code: exitInconclusive}
	}
}

// coloured reports whether colours are wanted: on a terminal, unless NO_COLOR
// holds anything (no-color.org).
func coloured(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == ""
}

// auditOf is what a program is judged by under a profile.
func auditOf(program string, profile *config.Profile) inspect.Audit {
	return inspect.Audit{Program: program, Profile: profile.Name, Rules: profile.Rules(), Events: *formOf(profile)}
}

// formOf is what a profile says of a program's events.
func formOf(p *config.Profile) *emitted.Form {
	return &emitted.Form{Layout: p.Layout, In: p.EventsIn, Messages: p.LogMessages, Balance: p.PayoutFromBalance}
}
