package simchain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"time"
)

// Options is what `indexer simulate` is told.
type Options struct {
	Listen        string // host:port of the JSON-RPC server; websockets are on the next port, further nodes after it
	Seed          int64
	Games         int
	Rate          float64
	SlotTime      time.Duration
	FinalitySlots int
	Cheat         string // a list of cheats, or "all"
	Hostile       bool
	CPI           bool
	TruthFile     string // "" for none
	Nodes         int    // nodes over the one chain; 0 is 1
	Faults        string // see ParseNodeFaults
	FaultSeed     int64  // of node 0; the next nodes have the next seeds
}

// mostNodes is how many nodes Run serves.
const mostNodes = 32

// Run makes a chain and serves it until ctx ends, telling out (standard error) where
// it is and how far it has come. Errors are ErrConfig where the options are wrong.
func Run(ctx context.Context, o Options, out io.Writer) (err error) {
	cheats, err := ParseCheats(o.Cheat)
	if err != nil {
		return err
	}
	if o.Nodes < 0 || o.Nodes > mostNodes {
		return fmt.Errorf("%w: %d nodes: give 1 to %d", ErrConfig, o.Nodes, mostNodes)
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
	nodes, err := chain.serveAll(ctx, o)
	if err != nil {
		return err
	}
	defer func() {
		for _, s := range nodes {
			s.Close()
		}
	}()
	chain.introduce(nodes, o.Faults, out)

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

// serveAll serves every node that is wanted, with its faults. Each has a pair of
// ports, the next node's after it.
func (c *Chain) serveAll(ctx context.Context, o Options) (nodes []*Server, err error) {
	defer func() {
		if err != nil {
			for _, s := range nodes {
				s.Close()
			}
		}
	}()
	faults, err := ParseNodeFaults(o.Faults, max(1, o.Nodes))
	if err != nil {
		return nil, err
	}
	for i, kinds := range faults {
		address, err := nodeAddress(o.Listen, i)
		if err != nil {
			return nodes, err
		}
		n := c.Node(i)
		if err := n.Faults.Inject(o.FaultSeed+int64(i), kinds...); err != nil {
			return nodes, fmt.Errorf("%w: %w", ErrConfig, err)
		}
		s, err := n.Serve(ctx, address)
		if err != nil {
			return nodes, err
		}
		nodes = append(nodes, s)
	}
	return nodes, nil
}

// nodeAddress is the address of the i-th node, where node 0 has address.
func nodeAddress(address string, i int) (string, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil || i == 0 {
		return address, nil // whoever listens there tells what is wrong
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil || port != 0 && port+2*uint64(i) > 65534 {
		return "", fmt.Errorf("%w: no port for node %d after %s", ErrConfig, i, address)
	}
	if port != 0 {
		port += 2 * uint64(i)
	}
	return net.JoinHostPort(host, strconv.FormatUint(port, 10)), nil
}

// introduce says where the chain's nodes are and how to follow it.
func (c *Chain) introduce(nodes []*Server, faults string, out io.Writer) {
	for i, s := range nodes {
		of := ""
		if len(nodes) > 1 {
			of = fmt.Sprintf("node %d\n", i)
		}
		_, _ = fmt.Fprintf(out, "%sJSON-RPC   %s\nwebsocket  %s\n", of, s.RPCURL, s.WSURL)
	}
	_, _ = fmt.Fprintf(out, "program    %s\noperator   %s\ngenesis    %s\n", c.Program(), c.Operator(), c.Genesis())
	if faults != "" {
		_, _ = fmt.Fprintf(out, "faults     %s\n", faults)
	}
	if c.config.WaitForSubscriber {
		_, _ = fmt.Fprintln(out, "the first game waits for a log subscription")
	}
	_, _ = fmt.Fprintf(out, "follow it: indexer run --rpc-url %s --ws-url %s --program %s --from genesis\n\n",
		nodes[0].RPCURL, nodes[0].WSURL, c.Program())
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
