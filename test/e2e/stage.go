//go:build e2e

package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
)

// A Stage is a node with the programs on it, and those who play there.
type Stage struct {
	Node     *Validator
	Oracle   Oracle
	Operator solana.PublicKey
	M, U     *Mines
	Field    *Minefield
	*Emitters
	tables bool // the node takes transactions with lookup tables
}

// NewStage starts a node of release 0.1.7 for a test. Wallets and program addresses are new each time;
// they are in memory only.
func NewStage(t *testing.T) *Stage {
	t.Helper()
	c := newCast(t)
	node, chain := c.older(t)
	s := c.stage(node, chain, chain)
	s.tables = true
	return s
}

// NewNewerStage starts a node of release 0.14.10 for a test, and one of 0.1.7 as its base chain. Play
// is on the newer one; the base makes accounts for it and answers the oracle, also while the newer
// node is down.
func NewNewerStage(t *testing.T) *Stage {
	t.Helper()
	c := newCast(t)
	base, made := c.older(t)
	// A payer of the newer node's own: each change of an account on the base chain is cloned.
	payer, err := NewChain(t.Context(), base.RPC, 100)
	if err != nil {
		t.Fatal(err)
	}
	node, err := StartNewer(t.Context(), c.rig, t.TempDir(), base)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(node.Stop)
	return c.stage(node, &Chain{rpc: rpc.New(node.RPC), payer: payer.payer, base: &Base{made}}, made)
}

// cast is who plays, and where the programs are.
type cast struct {
	rig                string // folder of rig/setup.sh
	operator, stranger solana.PrivateKey
	m, u, a, b         solana.PublicKey
}

func newCast(t *testing.T) *cast {
	t.Helper()
	rig, err := filepath.Abs(filepath.Join("rig", ".work"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(rig, "stamp")); err != nil {
		t.Fatal("the validators have not been fetched: run test/e2e/rig/setup.sh, or make e2e")
	}
	keys := make([]solana.PrivateKey, 6)
	var errs [6]error
	for i := range keys {
		keys[i], errs[i] = solana.NewRandomPrivateKey()
	}
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return &cast{
		rig: rig, operator: keys[0], stranger: keys[1],
		m: keys[2].PublicKey(), u: keys[3].PublicKey(), a: keys[4].PublicKey(), b: keys[5].PublicKey(),
	}
}

// older starts a node of release 0.1.7 with all programs.
func (c *cast) older(t *testing.T) (*Validator, *Chain) {
	t.Helper()
	file := func(name string) string { return filepath.Join(c.rig, "..", "prog", name) }
	node, err := StartValidator(t.Context(), c.rig, t.TempDir(), []Program{
		{c.m, file("mines.so")},
		{c.u, file("mines_unchecked.so")},
		{c.a, file("emitter.so")},
		{c.b, file("emitter.so")},
		{solana.MustPublicKeyFromBase58(minefieldProgram), file("emitter.so")},
		{solana.MustPublicKeyFromBase58(delegationProgram), file("delegate_stub.so")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(node.Stop)
	chain, err := NewChain(t.Context(), node.RPC, 100)
	if err != nil {
		t.Fatal(err)
	}
	return node, chain
}

// stage has the cast play on chain, which is node's, and ask asked for boards and pay.
func (c *cast) stage(node *Validator, chain, asked *Chain) *Stage {
	oracle := Oracle{asked, c.m, chainScale}
	deskOf := func(o Oracle, l *Ledger) desk { return desk{chain, o, l, c.operator, c.stranger} }
	return &Stage{
		Node:     node,
		Oracle:   oracle,
		Operator: c.operator.PublicKey(),
		M:        &Mines{desk: deskOf(oracle, NewLedger()), program: c.m},
		U:        &Mines{desk: deskOf(oracle, NewLedger()), program: c.u, unchecked: true},
		Field:    newMinefield(deskOf(Oracle{asked, c.m, minefieldScale}, NewLedger()), c.b),
		Emitters: &Emitters{
			chain: chain, oracle: oracle, operator: c.operator.PublicKey(),
			A: Emitter{c.a, NewLedger()}, B: Emitter{c.b, NewLedger()},
		},
	}
}

// Ledgers are those of the four programs, by name.
func (s *Stage) Ledgers() map[string]*Ledger {
	return map[string]*Ledger{"M": s.M.ledger, "U": s.U.ledger, "A": s.A.Ledger, "B": s.B.Ledger}
}

// Programs are their addresses.
func (s *Stage) Programs() map[string]solana.PublicKey {
	return map[string]solana.PublicKey{"M": s.M.program, "U": s.U.program, "A": s.A.Program, "B": s.B.Program}
}
