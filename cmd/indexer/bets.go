package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"minesaudit/internal/claim/bets"
	"minesaudit/internal/claim/records"
)

type betsCmd struct {
	Audit betsAuditCmd `cmd:"" help:"Check bets of Dice and the off-chain Mines from files."`
}

type betsAuditCmd struct {
	Game string `name:"game" placeholder:"dice|hmac-mines" help:"Game of the bets that name none."`
	evidenceFlags
	storeFlags
}

// Help is shown under the flags.
func (betsAuditCmd) Help() string {
	return `Files hold JSON objects, one a line, or CSV with a header. Fields: game (dice or hmac-mines), server_seed as revealed, server_seed_hash as shown before the bet, client_seed, nonce, game_seed; of dice selected (a list), face, win; of hmac-mines the number of mines and tiles (a list, 1 to 25).

Checks that the server seed is the one whose hash was shown, works the outcome out, and finds nonces that were used twice with the same seeds, and those missing from a counter. What a bet does not give is inconclusive. A line that cannot be read is reported with its number, and the rest goes on.

Exit codes: 0 every bet passes, 1 a bet does not, 2 usage, 3 a line could not be read or a bet not be checked, 4 the database cannot be reached.

Examples:
  indexer bets audit bets.jsonl
  indexer bets audit --game dice --ignore id,amount --json bets.csv
  indexer bets audit --store --database-url postgres://owner@db/audit bets.jsonl`
}

func (c *betsAuditCmd) Run(s *streams) error {
	options := bets.Options{Ignore: c.Ignore}
	if c.Game != "" {
		game, err := bets.ParseGame(c.Game)
		if err != nil {
			return usage(fmt.Errorf("--%w", err))
		}
		options.Game = game
	}
	ctx := context.Background()
	db, err := c.open(ctx, s)
	if err != nil {
		return err
	}
	defer db.close()
	sources, size, done, err := openSources(s.In, c.Files)
	if err != nil {
		return err
	}
	defer done()
	bar := newBar(s.Err, "reading", size)
	options.Progress = func(n int) { bar.add(uint64(n)) }
	saver := betSaver{ctx: ctx, db: db}
	options.Each = saver.add
	result, err := bets.Audit(sources, options)
	bar.finish()
	switch {
	case errors.Is(err, records.ErrHeader):
		return usage(fmt.Errorf("%w; name columns of no interest with --ignore", err))
	case errors.As(err, new(*fs.PathError)):
		return usage(err)
	case err != nil:
		return err
	}
	if err := saver.end(); err != nil {
		return err
	}
	return c.show(s, result, result.Verdict())
}
