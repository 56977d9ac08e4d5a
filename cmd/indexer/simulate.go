package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"minesaudit/internal/simchain"
)

type simulateCmd struct {
	Listen        string  `default:"127.0.0.1:8899" placeholder:"HOST:PORT" help:"Where JSON-RPC is served; websockets too, and on the next port. Default ${default}."`
	Seed          int64   `default:"1" help:"The same seed gives the same chain. Default ${default}."`
	Games         int     `default:"0" help:"Games to play; 0 is without end. Default ${default}."`
	Rate          float64 `default:"5" help:"Games a second; 0 is as fast as subscribers read. Default ${default}."`
	SlotMs        int     `name:"slot-ms" default:"400" help:"Milliseconds between slots. Default ${default}."`
	FinalitySlots int     `name:"finality-slots" default:"32" help:"Slots from confirmed to finalized. Default ${default}."`
	Cheat         string  `default:"" placeholder:"LIST|all" help:"What is done to about one game in twenty: wrong-seed, wrong-mask, mine-as-safe, fake-bust, bust-also-revealed, mask-out-of-range, wrong-multiplier, wrong-payout, changed-terms, changed-slothash, short-refund, double-settlement, settled-and-voided, a list with commas, or all. Default: nobody cheats."`
	Hostile       bool    `help:"Attack the logs too: forged events, text that looks like structure, logs filled until they are cut."`
	CPI           bool    `name:"cpi" help:"Emit events by calls of the program to itself (emit_cpi!) instead of into the logs; a profile says so with events_in: cpi."`
	Nodes         int     `default:"1" help:"Nodes over the one chain, each on a pair of ports of its own, the second at the listening port plus two. Default ${default}."`
	Faults        string  `placeholder:"LIST|all" help:"What goes wrong with the node, a list with commas; all is all that an honest node has. With several nodes, semicolons stand between their lists (drop,cut;;hide), and one list is every node's. They are listed above."`
	FaultSeed     int64   `name:"fault-seed" default:"1" help:"The same seed does the same to the same transactions and slots; further nodes have the next seeds. Default ${default}."`
	Truth         string  `placeholder:"FILE" help:"Write one JSON line a game: its key, what was done to it and the verdict that a perfect auditor gives."`
}

// Help is shown under the flags.
func (simulateCmd) Help() string {
	var faults strings.Builder
	for _, k := range simchain.FaultKinds() {
		fmt.Fprintf(&faults, "  %-12s  %s\n", k.Fault, k.Help)
	}
	return `Speaks JSON-RPC and websockets as a node does, for run, curl and any client. It derives boards with code of its own, so that it can serve as the oracle of the auditor's tests.

Examples:
  indexer simulate --games 1000 --rate 20 --cheat all --truth truth.jsonl
  curl -s 127.0.0.1:8899 -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"getSlot"}'
  indexer simulate --faults all --fault-seed 7
  indexer simulate --nodes 3 --faults 'drop,cut;lag;hide,alter'

Faults:
` + faults.String()
}

func (c *simulateCmd) Run(s *streams) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return simchain.Run(ctx, simchain.Options{
		Listen: c.Listen, Seed: c.Seed, Games: c.Games, Rate: c.Rate, SlotTime: time.Duration(c.SlotMs) * time.Millisecond,
		FinalitySlots: c.FinalitySlots, Cheat: c.Cheat, Hostile: c.Hostile, CPI: c.CPI, TruthFile: c.Truth,
		Nodes: c.Nodes, Faults: c.Faults, FaultSeed: c.FaultSeed,
	}, s.Err)
}
