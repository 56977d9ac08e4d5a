package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"

	"minesaudit/internal/claim/checkpoint"
	"minesaudit/internal/claim/records"
	"minesaudit/internal/claim/rounds"
	"minesaudit/internal/verify"
)

type roundsAuditCmd struct {
	Chain        string `name:"chain" required:"" placeholder:"NAME|HEX" help:"The chain: platform, crash or battle, whose terminals were published, or another terminal of 64 hex digits."`
	Game         string `name:"game" placeholder:"rocket|platforms|battle" help:"What the rounds are of. Follows from a chain that has a name; otherwise needed if the files claim outcomes."`
	TerminalForm string `name:"terminal-form" placeholder:"sha256|final" help:"Whether a terminal in hex is the SHA-256 of the chain's last hash or that hash itself. Without it the lowest rounds tell."`
	Checkpoints  string `name:"checkpoints" placeholder:"FILE" help:"Checkpoints of this chain down to its terminal, as indexer rounds chain makes them."`
	evidenceFlags
	storeFlags
}

// Help is shown under the flags.
func (roundsAuditCmd) Help() string {
	return `Files hold JSON objects, one a line, or CSV with a header; rounds may come in any order. Fields: round, hash, and the outcome as outcome or under its own name, multiplier of rocket, platform of platforms, winner (from 0, -1 for none) and chances (percent, a list) of battle.

Each hash is held against the nearest lower one that is proved, or the terminal; rounds in between that were not given are bridged by hashing, and reported. At most 10 million hashes are needed, a few seconds. A line that cannot be read is reported with its number, and the rest goes on.

Exit codes: 0 every round passes, 1 a round does not, 2 usage, 3 a line could not be read or a round not be checked, 4 the database cannot be reached.

Examples:
  indexer rounds audit --chain crash rounds.csv
  curl -s https://GAME/rounds.jsonl | indexer rounds audit --chain battle --ignore time,players -
  indexer rounds audit --chain crash --store --database-url postgres://owner@db/audit rounds.csv`
}

func (c *roundsAuditCmd) Run(s *streams) error {
	chain, err := rounds.NewChain(c.Chain, c.TerminalForm, c.Game)
	if err != nil {
		return usage(fmt.Errorf("--%w", err))
	}
	options := rounds.Options{Chain: chain, Ignore: c.Ignore}
	if c.Checkpoints != "" {
		points, err := checkpoint.Load(c.Checkpoints)
		if err != nil {
			return usage(err)
		}
		options.Checkpoints = checkpoint.NewLookup(points)
	}
	ctx := context.Background()
	db, err := c.open(ctx, s)
	if err != nil {
		return err
	}
	defer db.close()
	result, err := c.audit(s, options)
	if err != nil {
		return err
	}
	if err := db.saveRounds(ctx, result); err != nil {
		return err
	}
	return c.show(s, result, result.Verdict())
}

func (c *roundsAuditCmd) audit(s *streams, o rounds.Options) (*rounds.Result, error) {
	sources, size, done, err := openSources(s.In, c.Files)
	if err != nil {
		return nil, err
	}
	defer done()
	// Rounds stay in memory, in pages without pointers, which cost the collector
	// nothing to look at; by default it would let as much garbage lie beside them.
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	bar := newBar(s.Err, "reading", size)
	defer func() { bar.finish() }()
	o.Progress = rounds.Progress{
		Read: func(n int) { bar.add(uint64(n)) },
		Hashes: func(most uint64) {
			bar.finish()
			bar = newBar(s.Err, "hashing", int64(most))
		},
		Hashed: func(n uint64) { bar.add(n) },
	}
	result, err := rounds.Audit(sources, o)
	switch {
	case errors.Is(err, rounds.ErrNoGame):
		err = usage(fmt.Errorf("%w: give --game", err))
	case errors.Is(err, rounds.ErrNoTerminal):
		err = usage(fmt.Errorf("--checkpoints %s: %w: it must begin at the hash of a round n and have n steps", c.Checkpoints, err))
	case errors.Is(err, checkpoint.ErrDamaged):
		err = usage(fmt.Errorf("--checkpoints %s: %w", c.Checkpoints, err))
	case errors.Is(err, records.ErrHeader):
		err = usage(fmt.Errorf("%w; name columns of no interest with --ignore", err))
	case errors.As(err, new(*fs.PathError)):
		err = usage(err)
	}
	return result, err
}

// exitOf is the exit code of a verdict over all of a file; nil is a pass.
func exitOf(v verify.Verdict) error {
	switch v {
	case verify.VerdictPass:
		return nil
	case verify.VerdictFail:
		return &exitError{code: exitMismatch}
	default:
		return &exitError{code: exitInconclusive}
	}
}
