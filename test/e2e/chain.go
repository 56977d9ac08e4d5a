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
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
)

// Other is the Code of a transaction that failed, but not with a program's custom error.
const Other = -1

// A Chain sends transactions to a node and reads back what came of them.
// It may be used by several goroutines at once.
type Chain struct {
	rpc   *rpc.Client
	payer solana.PrivateKey // pays every fee and every account, unless a Tx says otherwise
	units atomic.Uint32     // makes each message unique, see budget
	again atomic.Int64      // how often a transaction had to be signed anew
	base  *Base             // where accounts are made for a node that cannot make them itself; nil: here
}

// A Tx is what is to be sent.
type Tx struct {
	Instructions []solana.Instruction
	Signers      []solana.PrivateKey // besides the payer
	Payer        solana.PrivateKey   // nil: the chain's
	Table        *Table              // nil: a legacy message; else version 0, with accounts from the table
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
// until it has landed. An error means that it did not land. What the node refuses, or has not taken
// when it was stopped, is signed anew. So is what failed because the newer node was still cloning the
// program: that landed, but not as was meant.
func (c *Chain) Send(ctx context.Context, t Tx) (landed *Landed, err error) {
	var last error
	err = poll(ctx, 2*time.Minute, func(ctx context.Context) (bool, error) {
		tx, err := c.sign(ctx, t)
		if err != nil {
			return false, fmt.Errorf("sign a transaction: %w", err)
		}
		landed, err = c.land(ctx, tx)
		switch {
		case errors.Is(err, errUnlanded):
			last = err
		case err != nil:
			return false, err
		case strings.Contains(landed.Err, "UnsupportedProgramId"):
			last = errors.New(landed.Err)
		default:
			return true, nil
		}
		c.again.Add(1)
		return false, nil
	})
	if err != nil {
		return nil, fmt.Errorf("send: %w", errors.Join(err, last))
	}
	return landed, nil
}

// errUnlanded is a transaction that is not in the ledger and never will be.
var errUnlanded = errors.New("the transaction has not landed")

// land sends a signed transaction until it is in the ledger, or errUnlanded because the node has refused
// it or its blockhash has expired.
func (c *Chain) land(ctx context.Context, tx *solana.Transaction) (landed *Landed, err error) {
	raw, err := tx.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("encode a transaction: %w", err)
	}
	encoded := base64.StdEncoding.EncodeToString(raw)
	sent := false
	err = poll(ctx, time.Minute, func(ctx context.Context) (bool, error) {
		if !sent {
			// Sent again when nobody knows whether it arrived: a message lands once.
			_, err := c.rpc.SendEncodedTransactionWithOpts(ctx, encoded, rpc.TransactionOpts{SkipPreflight: true})
			var refused *jsonrpc.RPCError
			sent = err == nil || errors.As(err, &refused)
			if refused != nil && !strings.Contains(refused.Message, "already been processed") {
				return false, fmt.Errorf("%w: %s", errUnlanded, refused.Message)
			}
		}
		// Asked for before the transaction itself, which may land between the two questions.
		valid, unknown := c.rpc.IsBlockhashValid(ctx, tx.Message.RecentBlockhash, rpc.CommitmentConfirmed)
		known := false
		landed, known, err = c.get(ctx, tx.Signatures[0])
		if err == nil && landed == nil && known && unknown == nil && !valid.Value {
			err = fmt.Errorf("%w: its blockhash has expired", errUnlanded)
		}
		return landed != nil, err
	})
	if err != nil {
		return nil, fmt.Errorf("transaction %s: %w", tx.Signatures[0], err)
	}
	return landed, nil
}

// get reads a transaction; nil without an error if the node does not have it (yet) or did not answer:
// known tells which.
func (c *Chain) get(ctx context.Context, sig solana.Signature) (landed *Landed, known bool, err error) {
	version := uint64(0)
	got, err := c.rpc.GetTransaction(ctx, sig, &rpc.GetTransactionOpts{
		Encoding: solana.EncodingBase64, Commitment: rpc.CommitmentConfirmed, MaxSupportedTransactionVersion: &version,
	})
	if err != nil {
		return nil, errors.Is(err, rpc.ErrNotFound), nil
	}
	if got.Meta == nil {
		return nil, true, nil
	}
	l := &Landed{Signature: sig, Slot: got.Slot, Logs: got.Meta.LogMessages}
	l.Code, l.Err, err = failure(got.Meta.Err)
	return l, true, err
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
	err := poll(ctx, time.Minute, func(ctx context.Context) (bool, error) {
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
	options := []solana.TransactionOption{solana.TransactionPayer(payer.PublicKey())}
	if t.Table != nil {
		options = append(options, t.Table.option())
	}
	tx, err := solana.NewTransaction(append([]solana.Instruction{c.budget(t.Units)}, t.Instructions...), hash, options...)
	if err != nil {
		return nil, err
	}
	if t.Table != nil && tx.Message.NumLookups() == 0 {
		return nil, errors.New("none of the accounts comes from the table")
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
func (c *Chain) Now(ctx context.Context) (now int64, err error) {
	err = poll(ctx, time.Minute, func(ctx context.Context) (bool, error) {
		got, err := c.rpc.GetAccountInfo(ctx, solana.SysVarClockPubkey)
		if err != nil {
			return false, nil // the node did not answer: ask again
		}
		now, err = clockTime(got.GetBinary())
		return true, err
	})
	if err != nil {
		return 0, fmt.Errorf("read the clock: %w", err)
	}
	return now, nil
}
