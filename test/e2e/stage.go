//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gagliardetto/solana-go"
)

// A Stage is a node with the four programs on it, and those who play there.
type Stage struct {
	Node     *Validator
	Oracle   Oracle
	Operator solana.PublicKey
	M, U     *Mines
	*Emitters
}

// NewStage starts a node for a test. Wallets and program addresses are new each time; they are in
// memory only.
func NewStage(t *testing.T) *Stage {
	t.Helper()
	rig, err := filepath.Abs("rig")
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(rig, ".work")
	if _, err := os.Stat(filepath.Join(work, "stamp")); err != nil {
		t.Fatal("the validator has not been fetched: run test/e2e/rig/setup.sh, or make e2e")
	}
	keys := make([]solana.PrivateKey, 6)
	for i := range keys {
		if keys[i], err = solana.NewRandomPrivateKey(); err != nil {
			t.Fatal(err)
		}
	}
	operator, stranger := keys[0], keys[1]
	m, u, a, b := keys[2].PublicKey(), keys[3].PublicKey(), keys[4].PublicKey(), keys[5].PublicKey()
	file := func(name string) string { return filepath.Join(rig, "prog", name) }
	node, err := StartValidator(t.Context(), work, t.TempDir(), []Program{
		{m, file("mines.so")}, {u, file("mines_unchecked.so")}, {a, file("emitter.so")}, {b, file("emitter.so")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(node.Stop)
	chain, err := NewChain(t.Context(), node.RPC, 100)
	if err != nil {
		t.Fatal(err)
	}
	oracle := Oracle{chain, m}
	return &Stage{
		Node:     node,
		Oracle:   oracle,
		Operator: operator.PublicKey(),
		M:        &Mines{chain: chain, oracle: oracle, ledger: NewLedger(), program: m, operator: operator, stranger: stranger},
		U:        &Mines{chain: chain, oracle: oracle, ledger: NewLedger(), program: u, operator: operator, stranger: stranger, unchecked: true},
		Emitters: &Emitters{
			chain: chain, oracle: oracle, operator: operator.PublicKey(),
			A: Emitter{a, NewLedger()}, B: Emitter{b, NewLedger()},
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
