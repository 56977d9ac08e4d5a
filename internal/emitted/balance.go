package emitted

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"

	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
)

// balances are the parts of a getTransaction answer's meta that tell them.
type balances struct {
	Meta *struct {
		Fee       *uint64  `json:"fee"`
		Pre       []uint64 `json:"preBalances"`
		Post      []uint64 `json:"postBalances"`
		PreToken  []token  `json:"preTokenBalances"`
		PostToken []token  `json:"postTokenBalances"`
	} `json:"meta"`
}

type token struct {
	Mint   string `json:"mint"`
	Owner  string `json:"owner"`
	Amount struct {
		Amount string `json:"amount"` // base units, decimal
	} `json:"uiTokenAmount"`
}

// take gives settlements of a log their payouts. Nothing is taken where it cannot
// be told for sure: two settlements of one player in the transaction, balances
// that are not there, of several mints, or that fell.
func take(from decode.Balance, events []decode.Event, tx *rpc.Tx) {
	var told balances
	if json.Unmarshal([]byte(tx.Answer), &told) != nil || told.Meta == nil {
		return
	}
	for i := range events {
		e := &events[i]
		if !lacksPayout(e) || e.Missing.Has(decode.FieldUser) {
			continue
		}
		if gain, ok := told.gain(from, tx, e.User); ok && ends(events, e.User) == 1 {
			e.TakePaid(&gain)
		}
	}
}

func (t *balances) gain(from decode.Balance, tx *rpc.Tx, player [32]byte) (uint64, bool) {
	if from == decode.BalanceToken {
		return t.tokens(rpc.KeyString(player))
	}
	at := slices.Index(tx.Accounts, player)
	pre, post := t.Meta.Pre, t.Meta.Post
	if at < 0 || at >= len(pre) || at >= len(post) {
		return 0, false
	}
	after := post[at]
	if at == 0 { // it paid the fee
		if t.Meta.Fee == nil || after+*t.Meta.Fee < after {
			return 0, false
		}
		after += *t.Meta.Fee
	}
	return after - pre[at], after >= pre[at]
}

// tokens sums what an owner's accounts gained.
func (t *balances) tokens(owner string) (uint64, bool) {
	var sum big.Int
	mint := ""
	for _, side := range []struct {
		list []token
		sign int64
	}{{t.Meta.PreToken, -1}, {t.Meta.PostToken, 1}} {
		for i := range side.list {
			held := &side.list[i]
			if held.Owner != owner {
				continue
			}
			amount, err := strconv.ParseUint(held.Amount.Amount, 10, 64)
			if err != nil || (mint != "" && held.Mint != mint) {
				return 0, false
			}
			mint = held.Mint
			change := new(big.Int).SetUint64(amount)
			sum.Add(&sum, change.Mul(change, big.NewInt(side.sign)))
		}
	}
	return sum.Uint64(), mint != "" && sum.IsUint64()
}

func lacksPayout(e *decode.Event) bool {
	return e.Kind == decode.KindSettled && e.Missing.Has(decode.FieldPayout)
}

// ends counts the ends of a player's games, each of which may have paid.
func ends(events []decode.Event, player [32]byte) (n int) {
	for i := range events {
		if e := &events[i]; e.User == player && (e.Kind == decode.KindSettled || e.Kind == decode.KindVoided) {
			n++
		}
	}
	return n
}
