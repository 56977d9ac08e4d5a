package simchain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Options is what `indexer simulate` is told.
type Options struct {
	Listen        string // host:port of the JSON-RPC server; websockets are on the next port
	Seed          int64
	Games         int
	Rate          float64
	SlotTime      time.Duration
	FinalitySlots int
	Cheat         string // a list of cheats, or "all"
	Hostile       bool
	CPI           bool
	TruthFile     string // "" for none
}

// Run makes a chain and serves it until ctx ends, telling out (standard error) where
// it is and how far it has come. Errors are ErrConfig where the options are wrong.
func Run(ctx context.Context, o Options, out io.Writer) (err error) {
	cheats, err := ParseCheats(o.Cheat)
	if err != nil {
		return err
	}
	config := Config{
		Seed: o.Seed, Games: o.Games, Rate: o.Rate, SlotTime: o.SlotTime, FinalitySlots: o.FinalitySlots,
		Cheats: cheats, Hostile: o.Hostile, CPI: o.CPI, WaitForSubscriber: o.Rate == 0,
	}
	if o.TruthFile != "" {
		file, openErr := os.Create(o.TruthFile)
		if openErr != nil {
			return fmt.Errorf("%w: truth file: %w", ErrConfig, openErr)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		config.Truth = file
	}
	chain, err := New(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server, err := chain.Serve(ctx, o.Listen)
	if err != nil {
		return err
	}
	defer server.Close()
	chain.introduce(server, out)

	told := make(chan struct{})
	go func() {
		defer close(told)
		chain.tell(ctx, out)
	}()
	err = chain.Run(ctx)
	cancel()
	<-told
	return err
}

// introduce says where the chain is and how to follow it.
func (c *Chain) introduce(s *Server, out io.Writer) {
	_, _ = fmt.Fprintf(out, "JSON-RPC   %s\nwebsocket  %s\nprogram    %s\noperator   %s\ngenesis    %s\n",
		s.RPCURL, s.WSURL, c.Program(), c.Operator(), c.Genesis())
	if c.config.WaitForSubscriber {
		_, _ = fmt.Fprintln(out, "the first game waits for a log subscription")
	}
	_, _ = fmt.Fprintf(out, "follow it: indexer run --rpc-url %s --ws-url %s --program %s --from genesis\n\n",
		s.RPCURL, s.WSURL, c.Program())
}

// tell reports progress every few seconds while games are played, and their end.
func (c *Chain) tell(ctx context.Context, out io.Writer) {
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			c.report(out)
		case <-c.done:
			c.report(out)
			_, _ = fmt.Fprintln(out, "every game has ended and is finalized; empty slots go on until Ctrl-C")
			return
		case <-ctx.Done():
			return
		}
	}
}

func (c *Chain) report(out io.Writer) {
	started, ended := c.Progress()
	of := ""
	if c.config.Games > 0 {
		of = fmt.Sprintf(" of %d", c.config.Games)
	}
	_, _ = fmt.Fprintf(out, "slot %d (finalized %d): %d%s games started, %d ended\n", c.Slot(), c.FinalizedSlot(), started, of, ended)
}
