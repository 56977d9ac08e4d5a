//go:build crash

package crash

import (
	"context"
	"time"

	"minesaudit/internal/simchain"
)

// firstSlot is where a simulated chain begins.
const firstSlot = 250_000_000

// A node is a simulated chain in this process, served on loopback.
type node struct {
	*simchain.Server
	chain *simchain.Chain
}

// chainConfig is a chain of every cheat and of cut logs; the same for every run
// that is compared.
func chainConfig(games int) simchain.Config {
	return simchain.Config{
		Seed: 7, Games: games, Rate: 60, SlotTime: 20 * time.Millisecond, FinalitySlots: 10,
		Cheats: simchain.Cheats(), TruncateEvery: 4,
	}
}

// serve makes a chain and serves it until ctx ends. Nothing happens on it yet.
func serve(ctx context.Context, cfg simchain.Config) (*node, error) {
	chain, err := simchain.New(cfg)
	if err != nil {
		return nil, err
	}
	server, err := chain.Serve(ctx, "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &node{server, chain}, nil
}

// play makes blocks until ctx ends.
func (n *node) play(ctx context.Context) { go func() { _ = n.chain.Run(ctx) }() }

// history plays games at once until so many have ended.
func (n *node) history(ctx context.Context, games int) error {
	for {
		if _, ended := n.chain.Progress(); ended >= games {
			return nil
		}
		if err := n.chain.Step(ctx); err != nil {
			return err
		}
	}
}

// finish plays every game at once, so that all is history to whoever comes.
func (n *node) finish(ctx context.Context) error {
	for {
		select {
		case <-n.chain.Done():
			return nil
		default:
		}
		if err := n.chain.Step(ctx); err != nil {
			return err
		}
	}
}

// disturb lets notifications go missing and cuts sockets now and then.
func (n *node) disturb(ctx context.Context) {
	n.chain.Faults.Withhold(0.3)
	n.chain.Faults.Duplicate(0.2)
	go func() {
		tick := time.NewTicker(700 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				n.chain.DropSockets()
			case <-ctx.Done():
				return
			}
		}
	}()
}
