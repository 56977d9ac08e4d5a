//go:build e2e

package e2e

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// Operations of rig/prog/emitter.c. Each is the data of an instruction.

// opPrint prints one field on a data line.
func opPrint(payload []byte) []byte { return append([]byte{0}, payload...) }

// opPrintFields prints several fields on one data line.
func opPrintFields(fields ...[]byte) []byte {
	return append([]byte{1, byte(len(fields))}, sized(fields)...)
}

// opFill logs n lines of filler text and then prints a field.
func opFill(n uint16, payload []byte) []byte { return append(little(uint8(2), n), payload...) }

// opCall calls the program that is the instruction's first account, with data.
func opCall(data []byte) []byte { return append([]byte{3}, data...) }

// opPrintAndFail prints a field and fails with custom error 6000.
func opPrintAndFail(payload []byte) []byte { return append([]byte{4}, payload...) }

// opText logs text: `Program log: text`, whatever is in it.
func opText(text string) []byte { return append([]byte{5}, text...) }

// opReturn sets return data.
func opReturn(data []byte) []byte { return append([]byte{7}, data...) }

// opAll runs several operations in order.
func opAll(ops ...[]byte) []byte { return append([]byte{8}, sized(ops)...) }

// opFail fails with custom error 1.
func opFail() []byte { return []byte{0xff} }

func sized(parts [][]byte) []byte {
	var out []byte
	for _, p := range parts {
		out = binary.LittleEndian.AppendUint16(out, uint16(len(p)))
		out = append(out, p...)
	}
	return out
}

// Emitters are the programs A and B, which print any bytes, and their two ledgers. What counts as an
// event of which program is for the caller to say: that is what the daemons are to find out.
type Emitters struct {
	chain    *Chain
	oracle   Oracle
	operator solana.PublicKey
	A, B     Emitter
}

// An Emitter is one of the two.
type Emitter struct {
	Program solana.PublicKey
	*Ledger
}

// Run is an instruction of the emitter. A program that it is to call comes first among the accounts,
// what it only mentions may come after.
func (e Emitter) Run(op []byte, mentioned ...solana.PublicKey) solana.Instruction {
	var accounts solana.AccountMetaSlice
	for _, p := range mentioned {
		accounts.Append(solana.Meta(p))
	}
	return solana.NewInstruction(e.Program, accounts, op)
}

// Send sends instructions in one transaction, which has to succeed or to fail as told.
func (e *Emitters) Send(ctx context.Context, fails bool, instructions ...solana.Instruction) (*Landed, error) {
	return e.SendFrom(ctx, nil, fails, instructions...)
}

// SendFrom is Send with accounts from a table, if it is not nil.
func (e *Emitters) SendFrom(ctx context.Context, table *Table, fails bool, instructions ...solana.Instruction) (*Landed, error) {
	landed, err := e.chain.Send(ctx, Tx{Instructions: instructions, Table: table})
	if err != nil {
		return nil, err
	}
	if (landed.Code != 0) != fails {
		return nil, fmt.Errorf("emit: %s %q, want failed = %t\n%q", landed.Signature, landed.Err, fails, landed.Logs)
	}
	for _, in := range []Emitter{e.A, e.B} {
		for _, i := range instructions {
			if mentions(i, in.Program) {
				in.Touch(landed)
			}
		}
	}
	return landed, nil
}

func mentions(i solana.Instruction, p solana.PublicKey) bool {
	for _, a := range i.Accounts() {
		if a.PublicKey == p {
			return true
		}
	}
	return i.ProgramID() == p
}

// Deal makes a game up, on the board that the chain derives for it. Nothing is sent yet.
func (e *Emitters) Deal(ctx context.Context) (*Hand, error) {
	now, err := e.chain.Now(ctx)
	if err != nil {
		return nil, err
	}
	t := plainTerms()
	return newHand(ctx, e.oracle, Started{
		GameKey: GameKey{Game: randomHash(), User: randomHash(), Nonce: uint64(t.Seed[0])},
		Mines:   t.Mines, Stake: t.Stake, Commit: t.Commit(), SlotHash: randomHash(), EdgeBPS: t.EdgeBPS,
		MaxPayout: t.MaxPayout, RefundTimeout: t.RefundTimeout, StartedAt: now,
	}, t.Seed)
}
