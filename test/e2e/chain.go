//go:build e2e

package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gagliardetto/solana-go"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/rpc"
)

// Other is the Code of a transaction that failed, but not with a program's custom error.
const Other = -1

// A Chain sends transactions to a node and reads back what came of them.
// It may be used by several goroutines at once.
type Chain struct {
	rpc   *rpc.Client
	payer solana.PrivateKey // pays every fee and every account, unless a Tx says otherwise
	units atomic.Uint32     // makes each message unique, see budget
}

// A Tx is what is to be sent.
type Tx struct {
	Instructions []solana.Instruction
	Signers      []solana.PrivateKey // besides the payer
	Payer        solana.PrivateKey   // nil: the chain's
	Units        uint32              // compute limit; 0: about 300,000
}

// Landed is a transaction that is in the ledger, failed or not.
type Landed struct {
	Signature solana.Signature
	Slot      uint64
	Code      int    // 0 succeeded, 6000.. a custom error, Other any other failure
	Err       string // JSON of the failure, empty if none
	Logs      []string
}

// NewChain makes a chain whose payer has been given sol SOL by the node's faucet.
func NewChain(ctx context.Context, url string, sol uint64) (*Chain, error) {
	payer, err := solana.NewRandomPrivateKey()
	if err != nil {
		return nil, err
	}
	c := &Chain{rpc: rpc.New(url), payer: payer}
	return c, c.Fund(ctx, payer.PublicKey(), sol)
}

// Fund asks the faucet for sol SOL and waits until they are there.
func (c *Chain) Fund(ctx context.Context, to solana.PublicKey, sol uint64) error {
	err := poll(ctx, 30*time.Second, func(ctx context.Context) (bool, error) {
		if b, err := c.rpc.GetBalance(ctx, to, rpc.CommitmentConfirmed); err == nil && b.Value > 0 {
			return true, nil
		}
		_, _ = c.rpc.RequestAirdrop(ctx, to, sol*solana.LAMPORTS_PER_SOL, rpc.CommitmentConfirmed)
		return false, nil
	})
	if err != nil {
		return fmt.Errorf("airdrop to %s: %w", to, err)
	}
	return nil
}

// Send signs and sends without preflight, so that a transaction that fails lands as such, and waits
// until it has landed. An error means that it did not land.
func (c *Chain) Send(ctx context.Context, t Tx) (*Landed, error) {
	tx, err := c.sign(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("sign a transaction: %w", err)
	}
	raw, err := tx.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("encode a transaction: %w", err)
	}
	encoded := base64.StdEncoding.EncodeToString(raw)
	var landed *Landed
	var refused error
	sent := false
	// The same bytes are sent again until the node has taken them: that is harmless, because a
	// message lands once.
	err = poll(ctx, 30*time.Second, func(ctx context.Context) (bool, error) {
		if !sent {
			_, refused = c.rpc.SendEncodedTransactionWithOpts(ctx, encoded, rpc.TransactionOpts{SkipPreflight: true})
			sent = refused == nil || strings.Contains(refused.Error(), "already been processed")
		}
		var err error
		landed, err = c.Get(ctx, tx.Signatures[0])
		return landed != nil, err
	})
	if err != nil {
		return nil, fmt.Errorf("send %s: %w", tx.Signatures[0], errors.Join(err, refused))
	}
	return landed, nil
}

// Get reads a transaction; nil without an error if the node does not have it (yet) or did not answer.
func (c *Chain) Get(ctx context.Context, sig solana.Signature) (*Landed, error) {
	version := uint64(0)
	got, err := c.rpc.GetTransaction(ctx, sig, &rpc.GetTransactionOpts{
		Encoding: solana.EncodingBase64, Commitment: rpc.CommitmentConfirmed, MaxSupportedTransactionVersion: &version,
	})
	if err != nil || got.Meta == nil {
		return nil, nil
	}
	l := &Landed{Signature: sig, Slot: got.Slot, Logs: got.Meta.LogMessages}
	l.Code, l.Err, err = failure(got.Meta.Err)
	return l, err
}

// failure reads the node's err object: {"InstructionError":[index,{"Custom":code}]} or anything else.
func failure(v any) (int, string, error) {
	if v == nil {
		return 0, "", nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return 0, "", fmt.Errorf("transaction error %v: %w", v, err)
	}
	var e struct{ InstructionError []json.RawMessage }
	var custom struct{ Custom *int }
	if json.Unmarshal(raw, &e) == nil && len(e.InstructionError) == 2 &&
		json.Unmarshal(e.InstructionError[1], &custom) == nil && custom.Custom != nil {
		return *custom.Custom, string(raw), nil
	}
	return Other, string(raw), nil
}

func (c *Chain) sign(ctx context.Context, t Tx) (*solana.Transaction, error) {
	payer := t.Payer
	if payer == nil {
		payer = c.payer
	}
	var hash solana.Hash
	err := poll(ctx, 10*time.Second, func(ctx context.Context) (bool, error) {
		got, err := c.rpc.GetLatestBlockhash(ctx, rpc.CommitmentConfirmed)
		if err != nil {
			return false, nil
		}
		hash = got.Value.Blockhash
		return true, nil
	})
	if err != nil {
		return nil, fmt.Errorf("latest blockhash: %w", err)
	}
	tx, err := solana.NewTransaction(append([]solana.Instruction{c.budget(t.Units)}, t.Instructions...), hash,
		solana.TransactionPayer(payer.PublicKey()))
	if err != nil {
		return nil, err
	}
	keys := append([]solana.PrivateKey{payer}, t.Signers...)
	_, err = tx.Sign(func(k solana.PublicKey) *solana.PrivateKey {
		for i := range keys {
			if keys[i].PublicKey().Equals(k) {
				return &keys[i]
			}
		}
		return nil
	})
	return tx, err
}

// budget gives each transaction a compute limit of its own: two that are alike would otherwise have
// one signature when they fall on one blockhash, and the second would not land.
func (c *Chain) budget(units uint32) solana.Instruction {
	if units == 0 {
		units = 300_000 + c.units.Add(1)
	}
	return computebudget.NewSetComputeUnitLimitInstruction(units).Build()
}

// createAccount makes a zeroed account of owner at a new address; its key has to sign.
func (c *Chain) createAccount(ctx context.Context, space uint64, owner solana.PublicKey) (solana.PrivateKey, solana.Instruction, error) {
	key, err := solana.NewRandomPrivateKey()
	if err != nil {
		return nil, nil, err
	}
	var rent uint64
	err = poll(ctx, 10*time.Second, func(ctx context.Context) (bool, error) {
		var err error
		rent, err = c.rpc.GetMinimumBalanceForRentExemption(ctx, space, rpc.CommitmentConfirmed)
		return err == nil, nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("rent of %d bytes: %w", space, err)
	}
	return key, system.NewCreateAccountInstruction(rent, space, owner, c.payer.PublicKey(), key.PublicKey()).Build(), nil
}

// Past waits until the chain is in a later slot than slot.
func (c *Chain) Past(ctx context.Context, slot uint64) error {
	err := poll(ctx, 10*time.Second, func(ctx context.Context) (bool, error) {
		now, err := c.rpc.GetSlot(ctx, rpc.CommitmentConfirmed)
		return err == nil && now > slot, nil
	})
	if err != nil {
		return fmt.Errorf("wait for the slot after %d: %w", slot, err)
	}
	return nil
}

// Now is the chain's own clock, in Unix seconds.
func (c *Chain) Now(ctx context.Context) (int64, error) {
	got, err := c.rpc.GetAccountInfo(ctx, solana.SysVarClockPubkey)
	if err != nil {
		return 0, fmt.Errorf("read the clock: %w", err)
	}
	return clockTime(got.GetBinary())
}
