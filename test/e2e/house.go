//go:build e2e

package e2e

import (
	"context"

	"github.com/gagliardetto/solana-go"
)

// A House is a program on which games are played, with its operator. What it emits is written into the
// ledger of its desk.
type House interface {
	// Start starts a game at a new address, Restart at one that is there.
	Start(ctx context.Context, user solana.PublicKey, t Terms) (*Hand, error)
	Restart(ctx context.Context, game, user solana.PublicKey, t Terms) (*Hand, error)

	Settle(context.Context, Settled) (*Landed, error)
	Void(ctx context.Context, v Voided, by solana.PrivateKey) (*Landed, error)

	at() *desk
}

// A desk is what those who run a program have at hand.
type desk struct {
	chain    *Chain
	oracle   Oracle
	ledger   *Ledger
	operator solana.PrivateKey
	stranger solana.PrivateKey // has no rights
}

func (d *desk) at() *desk { return d }
