package decode

import (
	"fmt"
	"slices"
)

// Balance says what a payout is read from where no event publishes it: how an
// account of the player changes in the settling transaction.
type Balance uint8

// The balances.
const (
	BalanceNone     Balance = iota // a payout that is not published is not known
	BalanceLamports                // of the player's account, the fee given back where it paid that
	BalanceToken                   // of all token accounts that the player owns, which must be of one mint
)

func balanceNames() []string { return []string{"none", "lamports", "token"} }

// ParseBalance reads none, lamports or token.
func ParseBalance(s string) (Balance, error) {
	if i := slices.Index(balanceNames(), s); i >= 0 {
		return Balance(i), nil
	}
	return 0, fmt.Errorf("balance %q: want one of %q", s, balanceNames())
}

func (b Balance) String() string {
	if names := balanceNames(); int(b) < len(names) {
		return names[b]
	}
	return fmt.Sprintf("balance(%d)", uint8(b))
}
