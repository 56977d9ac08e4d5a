//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/rpc"
)

// An Account is a zeroed account of a program at a new address.
type Account struct {
	Key solana.PublicKey
	// What makes it goes into the first transaction that uses it, in front; nothing, where it has been
	// made already.
	create  []solana.Instruction
	signers []solana.PrivateKey
}

// In is t with what makes the account in front.
func (a Account) In(t Tx) Tx {
	t.Instructions = append(a.create, t.Instructions...)
	t.Signers = append(a.signers, t.Signers...)
	return t
}

// NewAccount makes an account of owner.
func (c *Chain) NewAccount(ctx context.Context, space uint64, owner solana.PublicKey) (Account, error) {
	key, err := solana.NewRandomPrivateKey()
	if err != nil {
		return Account{}, err
	}
	if c.base != nil {
		return Account{Key: key.PublicKey()}, c.base.Delegate(ctx, key, space, owner)
	}
	create, err := c.createAccount(ctx, key, space, owner)
	return Account{key.PublicKey(), []solana.Instruction{create}, []solana.PrivateKey{key}}, err
}

func (c *Chain) createAccount(ctx context.Context, key solana.PrivateKey, space uint64, owner solana.PublicKey) (solana.Instruction, error) {
	rent, err := c.rent(ctx, space)
	if err != nil {
		return nil, err
	}
	return system.NewCreateAccountInstruction(rent, space, owner, c.payer.PublicKey(), key.PublicKey()).Build(), nil
}

func (c *Chain) rent(ctx context.Context, space uint64) (rent uint64, err error) {
	err = poll(ctx, 10*time.Second, func(ctx context.Context) (bool, error) {
		rent, err = c.rpc.GetMinimumBalanceForRentExemption(ctx, space, rpc.CommitmentConfirmed)
		return err == nil, nil
	})
	if err != nil {
		return 0, fmt.Errorf("rent of %d bytes: %w", space, err)
	}
	return rent, nil
}

// A Base is the chain on which accounts are made for the newer node. That node refuses createAccount,
// and writes only what has been delegated to it there.
type Base struct{ *Chain }

// The newer node looks for delegation records of this program alone, and for its own name in them.
const (
	delegationProgram = "DELeGGvXpWV2fqJUhqcF5ZSYMS4JTLjteaAMARRSaeSh"
	newerNode         = "mAGicPQYBMvcYveUZA5F5UNNwyHvfYh5xkLS2Fr1mev"
)

// recordSize is that of a delegation record.
const recordSize = 96

// Delegate makes an account and its delegation record: the newer node then takes it for owner's own.
func (b *Base) Delegate(ctx context.Context, key solana.PrivateKey, space uint64, owner solana.PublicKey) error {
	delegation := solana.MustPublicKeyFromBase58(delegationProgram)
	create, err := b.createAccount(ctx, key, space, delegation)
	if err != nil {
		return err
	}
	rent, err := b.rent(ctx, recordSize)
	if err != nil {
		return err
	}
	record, bump, err := solana.FindProgramAddress([][]byte{[]byte("delegation"), key.PublicKey().Bytes()}, delegation)
	if err != nil {
		return fmt.Errorf("address of a delegation record: %w", err)
	}
	write := solana.NewInstruction(delegation, solana.AccountMetaSlice{
		solana.Meta(b.payer.PublicKey()).SIGNER().WRITE(), solana.Meta(record).WRITE(), solana.Meta(solana.SystemProgramID),
	}, little(bump, rent, key.PublicKey(), owner, solana.MustPublicKeyFromBase58(newerNode)))
	landed, err := b.Send(ctx, Tx{Instructions: []solana.Instruction{create, write}, Signers: []solana.PrivateKey{key}})
	if err == nil && landed.Code != 0 {
		err = errors.New(landed.Err)
	}
	if err != nil {
		return fmt.Errorf("delegate an account on the base chain: %w", err)
	}
	return nil
}
