//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
)

// An Oracle asks M's pure operations for boards and pay. It simulates transactions: the answer comes
// from the program in the virtual machine, and nothing lands in the ledger.
type Oracle struct {
	chain   *Chain
	program solana.PublicKey
	scale   uint64 // what multipliers are times; see Pay
}

// chainScale is that of the multipliers which M answers.
const chainScale = 10_000

// A Board is what the chain derived: the answer of operation 10.
type Board struct {
	Mask     uint32
	Words    int     // words read, rejected ones too
	Blocks   int     // SHA-256 blocks that they came from
	Rejected int     // words thrown away
	Tiles    []uint8 // mines in the order in which they were drawn
}

// A Bet is what pay depends on; k is the number of safe tiles revealed.
type Bet struct {
	EdgeBPS   uint16
	Mines, K  uint8
	Stake     uint64
	MaxPayout uint64
}

// Pay is the answer of operation 11: the multiplier times chainScale, floored, and the payout.
type Pay struct{ Multiplier, Payout uint64 }

// maxBets is how many bets fit one transaction.
const maxBets = 50

// Derive asks for the board of 1 to 24 mines.
func (o Oracle) Derive(ctx context.Context, seed, slotHash [32]byte, user solana.PublicKey, nonce uint64, mines uint8) (*Board, error) {
	fields, err := o.ask(ctx, little(uint8(0x10), seed, slotHash, user, nonce, mines))
	if err != nil {
		return nil, fmt.Errorf("derive on-chain: %w", err)
	}
	b, ok := bytes.CutPrefix(fields[0], discriminator("MinesDerived"))
	if len(fields) != 1 || !ok || len(b) != 9+int(mines) {
		return nil, fmt.Errorf("derive on-chain: answer %x", fields)
	}
	return &Board{
		Mask:     binary.LittleEndian.Uint32(b),
		Words:    int(binary.LittleEndian.Uint16(b[4:])),
		Blocks:   int(b[6]),
		Rejected: int(b[7]),
		Tiles:    b[9:],
	}, nil
}

// Pay asks for one bet's pay, the multiplier in the oracle's scale: times that and floored it is what a
// stake of as much pays where there is no cap.
func (o Oracle) Pay(ctx context.Context, bet Bet) (Pay, error) {
	whole := bet
	whole.Stake, whole.MaxPayout = o.scale, math.MaxUint64
	all, err := o.PayAll(ctx, []Bet{bet, whole})
	if err != nil {
		return Pay{}, err
	}
	pay := all[0]
	if o.scale != chainScale {
		pay.Multiplier = all[1].Payout
	}
	return pay, nil
}

// PayAll asks for the pay of any number of bets, in their order.
func (o Oracle) PayAll(ctx context.Context, bets []Bet) ([]Pay, error) {
	var pays []Pay
	for len(bets) > 0 {
		n := min(len(bets), maxBets)
		fields, err := o.ask(ctx, little(uint8(0x11), bets[:n]))
		if err != nil {
			return nil, fmt.Errorf("pay on-chain: %w", err)
		}
		if len(fields) != n {
			return nil, fmt.Errorf("pay on-chain: %d answers for %d bets", len(fields), n)
		}
		for _, f := range fields {
			var p Pay
			if _, err := binary.Decode(f, binary.LittleEndian, &p); err != nil {
				return nil, fmt.Errorf("pay on-chain: field %x: %w", f, err)
			}
			pays = append(pays, p)
		}
		bets = bets[n:]
	}
	return pays, nil
}

// ask runs M on data and gives the fields of the one data line that it prints.
func (o Oracle) ask(ctx context.Context, data []byte) ([][]byte, error) {
	tx, err := o.chain.sign(ctx, Tx{
		Instructions: []solana.Instruction{solana.NewInstruction(o.program, nil, data)},
	})
	if err != nil {
		return nil, err
	}
	var landed Landed
	err = poll(ctx, 10*time.Second, func(ctx context.Context) (bool, error) {
		got, err := o.chain.rpc.SimulateTransactionWithOpts(ctx, tx, &rpc.SimulateTransactionOpts{ReplaceRecentBlockhash: true})
		if err != nil {
			return false, nil // the node did not answer: ask again
		}
		if got.Value.Err != nil {
			return false, fmt.Errorf("the program refused: %v", got.Value.Err)
		}
		landed.Logs = got.Value.Logs
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	lines, err := landed.Fields()
	if err == nil && len(lines) != 1 {
		err = fmt.Errorf("%d data lines", len(lines))
	}
	if err != nil {
		return nil, err
	}
	return lines[0], nil
}
