//go:build e2e

package e2e

import (
	"context"

	"github.com/gagliardetto/solana-go"
)

// crowdLanes is how many of a crowd send at once.
const crowdLanes = 8

// Crowd sends n transactions that mention the program and tell of no game, several at once.
func (m *Mines) Crowd(ctx context.Context, n int) error {
	lanes := make([]func() error, crowdLanes)
	for i := range lanes {
		lanes[i] = func() error {
			for range n / crowdLanes {
				if _, err := m.must(ctx, "crowd", Tx{Instructions: []solana.Instruction{m.noise()}}); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return together(lanes...)
}
