//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
)

// A Table is an address lookup table: a transaction of version 0 names an account by the table and a
// number in it. The newer node refuses such transactions.
type Table struct {
	Key       solana.PublicKey
	Addresses solana.PublicKeySlice
}

// NewTable makes a table of addresses.
func (c *Chain) NewTable(ctx context.Context, addresses ...solana.PublicKey) (*Table, error) {
	// The address of a table comes from a recent slot. This node's table program has the slot hashes
	// of the node's start, in which only slot 0 is recent; so one payer has one table.
	const slot = 0
	payer, err := solana.NewRandomPrivateKey()
	if err != nil {
		return nil, err
	}
	if err := c.Fund(ctx, payer.PublicKey(), 1); err != nil {
		return nil, err
	}
	key, bump, err := solana.FindProgramAddress([][]byte{payer.PublicKey().Bytes(), little(uint64(slot))}, solana.AddressLookupTableProgramID)
	if err != nil {
		return nil, fmt.Errorf("address of a lookup table: %w", err)
	}
	accounts := solana.AccountMetaSlice{
		solana.Meta(key).WRITE(), solana.Meta(payer.PublicKey()).SIGNER(), solana.Meta(payer.PublicKey()).SIGNER().WRITE(),
		solana.Meta(solana.SystemProgramID),
	}
	landed, err := c.Send(ctx, Tx{Payer: payer, Instructions: []solana.Instruction{
		solana.NewInstruction(solana.AddressLookupTableProgramID, accounts, little(uint32(0), uint64(slot), bump)),
		solana.NewInstruction(solana.AddressLookupTableProgramID, accounts, little(uint32(2), uint64(len(addresses)), addresses)),
	}})
	if err == nil && landed.Code != 0 {
		err = fmt.Errorf("%s %q", landed.Err, landed.Logs)
	}
	if err != nil {
		return nil, fmt.Errorf("make a lookup table: %w", err)
	}
	// What a slot adds to a table can be looked up from the next slot on.
	return &Table{key, addresses}, c.Past(ctx, landed.Slot)
}

func (t *Table) option() solana.TransactionOption {
	return solana.TransactionAddressTables(map[solana.PublicKey]solana.PublicKeySlice{t.Key: t.Addresses})
}

// Refusal sends a transaction that the node has to refuse, and gives its answer.
func (c *Chain) Refusal(ctx context.Context, t Tx) (string, error) {
	tx, err := c.sign(ctx, t)
	if err != nil {
		return "", err
	}
	sig, err := c.rpc.SendTransactionWithOpts(ctx, tx, rpc.TransactionOpts{SkipPreflight: true})
	var refused *jsonrpc.RPCError
	if !errors.As(err, &refused) {
		return "", fmt.Errorf("transaction %s was not refused: %w", sig, err)
	}
	return refused.Message, nil
}
