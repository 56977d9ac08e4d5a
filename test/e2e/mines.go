//go:build e2e

package e2e

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// Sizes of the accounts of rig/prog/mines.c.
const (
	gameSize = 200
	userSize = 112
)

// Mines is one of the two builds of rig/prog/mines.c at work, with its operator.
type Mines struct {
	desk
	program   solana.PublicKey
	unchecked bool   // the dishonest build, whose settle and void take what they are to emit
	table     *Table // that accounts come from, if not nil
}

// Send sends to the program and writes down what landed. Events are noted from the log alone.
func (m *Mines) Send(ctx context.Context, t Tx) (*Landed, error) {
	t.Table = m.table
	landed, err := m.chain.Send(ctx, t)
	if err != nil {
		return nil, err
	}
	m.ledger.Touch(landed)
	if landed.Code != 0 {
		return landed, nil
	}
	events, err := landed.Events()
	if err != nil {
		return nil, err
	}
	m.ledger.Note(landed, events...)
	return landed, nil
}

// must is Send for what the program has to accept.
func (m *Mines) must(ctx context.Context, what string, t Tx) (*Landed, error) {
	landed, err := m.Send(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if landed.Code != 0 {
		return nil, fmt.Errorf("%s: refused: %s\n%q", what, landed.Err, landed.Logs)
	}
	return landed, nil
}

// NewUser makes a user account. The transaction also runs a pure operation, whose foreign event is
// noise for an auditor.
func (m *Mines) NewUser(ctx context.Context) (solana.PublicKey, error) {
	user, err := m.chain.NewAccount(ctx, userSize, m.program)
	if err != nil {
		return solana.PublicKey{}, err
	}
	_, err = m.must(ctx, "make a user account", user.In(Tx{Instructions: []solana.Instruction{m.noise()}}))
	return user.Key, err
}

// noise is a pure operation: its event is none of ours.
func (m *Mines) noise() solana.Instruction {
	return m.instruction(little(uint8(0x10), [104]byte{}, uint8(1)))
}

// Start starts a game in a new account.
func (m *Mines) Start(ctx context.Context, user solana.PublicKey, t Terms) (*Hand, error) {
	game, err := m.chain.NewAccount(ctx, gameSize, m.program)
	if err != nil {
		return nil, err
	}
	return m.startIn(ctx, game, user, t)
}

// Restart starts a game in an account that is there: on the dishonest build also in one that has a
// game, under the same nonce.
func (m *Mines) Restart(ctx context.Context, game, user solana.PublicKey, t Terms) (*Hand, error) {
	return m.startIn(ctx, Account{Key: game}, user, t)
}

func (m *Mines) startIn(ctx context.Context, account Account, user solana.PublicKey, t Terms) (*Hand, error) {
	game := account.Key
	landed, err := m.must(ctx, "start", account.In(Tx{
		Instructions: []solana.Instruction{m.start(game, user, t)}, Signers: []solana.PrivateKey{m.operator},
	}))
	if err != nil {
		return nil, err
	}
	event, err := only[Started](landed)
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	want := event // the chain's own: nonce, slot hash, clock
	want.Game, want.User, want.Mines, want.Stake, want.Commit = game, user, t.Mines, t.Stake, t.Commit()
	want.EdgeBPS, want.MaxPayout, want.RefundTimeout = t.EdgeBPS, t.MaxPayout, t.RefundTimeout
	if event != want {
		return nil, fmt.Errorf("started %+v, want %+v", event, want)
	}
	return newHand(ctx, m.oracle, event, t.Seed)
}

// Settle has the program emit s: the honest build works out mask, multiplier and payout itself, and
// must come to the same.
func (m *Mines) Settle(ctx context.Context, s Settled) (*Landed, error) {
	landed, err := m.must(ctx, "settle", Tx{Instructions: []solana.Instruction{m.settle(s)}, Signers: []solana.PrivateKey{m.operator}})
	if err != nil {
		return nil, err
	}
	got, err := only[Settled](landed)
	if err == nil && got != s {
		err = fmt.Errorf("program emitted %+v, want %+v", got, s)
	}
	return landed, err
}

// Void has the program emit v, cancelled by by; the honest build refunds the stake whatever v says.
func (m *Mines) Void(ctx context.Context, v Voided, by solana.PrivateKey) (*Landed, error) {
	v.Authority = by.PublicKey()
	landed, err := m.must(ctx, "void", Tx{Instructions: []solana.Instruction{m.void(v)}, Signers: []solana.PrivateKey{by}})
	if err != nil {
		return nil, err
	}
	got, err := only[Voided](landed)
	if err == nil && got != v {
		err = fmt.Errorf("program emitted %+v, want %+v", got, v)
	}
	return landed, err
}

// Instructions. Accounts are in the order that the program wants.

func (m *Mines) instruction(data []byte, accounts ...*solana.AccountMeta) solana.Instruction {
	return solana.NewInstruction(m.program, accounts, data)
}

func (m *Mines) start(game, user solana.PublicKey, t Terms) *solana.GenericInstruction {
	data := little(uint8(1), t.Mines, t.Stake, t.Commit(), t.EdgeBPS, t.MaxPayout, t.RefundTimeout)
	return solana.NewInstruction(m.program, solana.AccountMetaSlice{
		solana.Meta(game).WRITE(), solana.Meta(user).WRITE(), solana.Meta(m.operator.PublicKey()).SIGNER(),
		solana.Meta(solana.SysVarSlotHashesPubkey), solana.Meta(solana.SysVarClockPubkey),
	}, data)
}

func (m *Mines) settle(s Settled) *solana.GenericInstruction {
	data := little(uint8(2), s.Seed, s.Revealed, int8(s.BustTile))
	if m.unchecked {
		data = append(data, little(s.Mask, s.Multiplier, s.Payout, s.SlotHash)...)
	}
	return solana.NewInstruction(m.program, solana.AccountMetaSlice{
		solana.Meta(s.Game).WRITE(), solana.Meta(s.User).WRITE(), solana.Meta(m.operator.PublicKey()).SIGNER(),
	}, data)
}

func (m *Mines) void(v Voided) *solana.GenericInstruction {
	data := little(uint8(3))
	if m.unchecked {
		data = append(data, little(v.Refund)...)
	}
	return solana.NewInstruction(m.program, solana.AccountMetaSlice{
		solana.Meta(v.Game).WRITE(), solana.Meta(v.Authority).SIGNER(), solana.Meta(solana.SysVarClockPubkey),
	}, data)
}

// only gives the transaction's one event, which must be an E.
func only[E any](l *Landed) (E, error) {
	var zero E
	events, err := l.Events()
	if err != nil {
		return zero, err
	}
	if len(events) == 1 {
		if e, ok := events[0].(E); ok {
			return e, nil
		}
	}
	return zero, fmt.Errorf("transaction %s holds %+v, want one %T", l.Signature, events, zero)
}
