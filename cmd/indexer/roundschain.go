package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"minesaudit/internal/claim/checkpoint"
	"minesaudit/internal/verify"
)

type roundsChainCmd struct {
	From        string `name:"from" required:"" placeholder:"HEX" help:"Hash to begin with, 64 hex digits in lower case."`
	Steps       uint64 `name:"steps" required:"" placeholder:"N" help:"How often H is applied. From the hash of round n the terminal is n steps away."`
	Checkpoints string `name:"checkpoints" placeholder:"FILE" help:"File for checkpoints. One that was cut off is taken up where it ended; one that goes further than --steps is looked up from the nearest checkpoint."`
	Every       uint64 `name:"every" placeholder:"N" default:"10000" help:"Steps from a checkpoint to the next. Default ${default}."`
	JSON        bool   `name:"json" help:"One JSON object in place of text."`
}

// Help is shown under the flags.
func (roundsChainCmd) Help() string {
	return `Applies H, the SHA-256 of a hash's text as text, again and again: ten million steps are a few seconds. It may be killed at any moment; the file then holds whole checkpoints, and the next run goes on from the last. A checkpoint is never taken on its word: the way to it from the one before is hashed again.

Exit codes: 0 done, 2 usage, or a checkpoint file that is damaged, of another chain or in use.

Examples:
  indexer rounds chain --from HASH --steps 10000000 --checkpoints crash.chain
  indexer rounds audit --chain crash --checkpoints crash.chain rounds.csv`
}

// chainEnd is where a chain leads.
type chainEnd struct {
	From     string  `json:"from"`
	Steps    uint64  `json:"steps"`
	Hash     string  `json:"hash"`
	Hashed   uint64  `json:"hashed"`
	Terminal *string `json:"terminal_of"` // the chain whose published terminal this is
}

func (c *roundsChainCmd) Run(s *streams) error {
	from, err := verify.ParseChainHash(c.From)
	if err != nil {
		return usage(fmt.Errorf("--from: %w", err))
	}
	if c.Every == 0 {
		return usage(errors.New("--every: at least 1 step"))
	}
	if c.Steps > math.MaxInt64 {
		return usage(fmt.Errorf("--steps: %d: nobody lives that long", c.Steps))
	}
	end := chainEnd{From: c.From, Steps: c.Steps}
	bar := newBar(s.Err, "hashing", int64(c.Steps))
	hash, err := c.walk(from, func(n uint64) {
		end.Hashed += n
		bar.add(n)
	})
	bar.finish()
	if err != nil {
		return err
	}
	end.Hash = hash.String()
	for _, t := range verify.Terminals() {
		if t.Hash == hash {
			end.Terminal = &t.Chain
		}
	}
	return c.show(s, &end)
}

func (c *roundsChainCmd) walk(from verify.ChainHash, progress func(uint64)) (verify.ChainHash, error) {
	if c.Checkpoints == "" {
		return checkpoint.Walk(from, c.Steps, progress), nil
	}
	chain, _, err := checkpoint.Extend(c.Checkpoints, from, c.Every, c.Steps, progress)
	if err != nil {
		for _, known := range []error{checkpoint.ErrDamaged, checkpoint.ErrForeign, checkpoint.ErrInUse, checkpoint.ErrTooMany} {
			if errors.Is(err, known) {
				return verify.ChainHash{}, usage(err)
			}
		}
		if errors.As(err, new(*fs.PathError)) {
			err = usage(err)
		}
		return verify.ChainHash{}, err
	}
	if chain.End().Step == c.Steps {
		return chain.End().Hash, nil // hashed by this process, or again
	}
	return checkpoint.NewLookup(chain).At(c.Steps, progress)
}

func (c *roundsChainCmd) show(s *streams, end *chainEnd) error {
	if c.JSON {
		raw, err := json.Marshal(end)
		if err != nil {
			return fmt.Errorf("encode the result: %w", err)
		}
		_, err = fmt.Fprintf(s.Out, "%s\n", raw)
		return err
	}
	text := fmt.Sprintf("from    %s\nsteps   %d\nhash    %s\nhashed  %d times", end.From, end.Steps, end.Hash, end.Hashed)
	if end.Hashed != end.Steps {
		text += ", the rest taken from checkpoints"
	}
	if end.Terminal != nil {
		text += "\nthis is the published terminal of the chain " + *end.Terminal
	}
	_, err := fmt.Fprintln(s.Out, text)
	return err
}
