package emitted

import (
	"fmt"
	"testing"

	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
)

var (
	payer, player, vault = [32]byte{1}, [32]byte{2}, [32]byte{3}
	accounts             = [][32]byte{payer, player, vault}
)

// settlement is an event that does not publish its payout.
func settlement(user [32]byte) decode.Event {
	return decode.Event{Kind: decode.KindSettled, User: user, Missing: decode.FieldPayout, Settled: new(decode.Settled)}
}

func held(owner [32]byte, mint, amount string) string {
	return fmt.Sprintf(`{"accountIndex":9,"owner":%q,"mint":%q,"uiTokenAmount":{"amount":%q,"decimals":6}}`, rpc.KeyString(owner), mint, amount)
}

// What a player's account gained is the payout, and where that is not sure
// nothing is.
func TestPayoutFromBalances(t *testing.T) {
	t.Parallel()
	const most = "18446744073709551615"
	void := decode.Event{Kind: decode.KindVoided, User: player, Voided: new(decode.Voided)}
	two := []decode.Event{settlement(player), settlement(player)}
	nobody := settlement(player)
	nobody.Missing |= decode.FieldUser
	lamports, tokens := decode.BalanceLamports, decode.BalanceToken
	for _, c := range []struct {
		name   string
		from   decode.Balance
		events []decode.Event
		meta   string
		want   string // empty: not known
	}{
		{"gained", lamports, nil, `"fee":5000,"preBalances":[9000,100,7],"postBalances":[4000,350,7]`, "250"},
		{"nothing gained", lamports, nil, `"fee":5000,"preBalances":[9000,100,7],"postBalances":[4000,100,7]`, "0"},
		{"lost", lamports, nil, `"fee":5000,"preBalances":[9000,100,7],"postBalances":[4000,99,7]`, ""},
		{"the most", lamports, nil, `"fee":5000,"preBalances":[9000,0,7],"postBalances":[4000,` + most + `,7]`, most},
		{"the player pays the fee", lamports, []decode.Event{settlement(payer)}, `"fee":5000,"preBalances":[9000,0,7],"postBalances":[4250,0,7]`, "250"},
		{"the player pays the fee and gains less", lamports, []decode.Event{settlement(payer)}, `"fee":5000,"preBalances":[9000,0,7],"postBalances":[8999,0,7]`, "4999"},
		{"no fee told", lamports, []decode.Event{settlement(payer)}, `"preBalances":[9000,0,7],"postBalances":[9250,0,7]`, ""},
		{"a fee beyond all numbers", lamports, []decode.Event{settlement(payer)}, `"fee":` + most + `,"preBalances":[9000,0,7],"postBalances":[9250,0,7]`, ""},
		{"an account that is not there", lamports, []decode.Event{settlement([32]byte{9})}, `"fee":5000,"preBalances":[1,2,3],"postBalances":[1,2,3]`, ""},
		{"short lists", lamports, nil, `"fee":5000,"preBalances":[1],"postBalances":[1,2,3]`, ""},
		{"no lists", lamports, nil, `"fee":5000`, ""},
		{"two ends of one player", lamports, two, `"fee":5000,"preBalances":[9000,100,7],"postBalances":[4000,350,7]`, ""},
		{"a settlement and a void", lamports, []decode.Event{settlement(player), void}, `"fee":5000,"preBalances":[9000,100,7],"postBalances":[4000,350,7]`, ""},
		{"ends of two players", lamports, []decode.Event{settlement(player), settlement(vault)}, `"fee":5000,"preBalances":[9000,100,7],"postBalances":[4000,350,7]`, "250"},
		{"an unknown player", lamports, []decode.Event{nobody}, `"fee":5000,"preBalances":[9000,100,7],"postBalances":[4000,350,7]`, ""},
		{
			"tokens in two accounts", tokens, nil,
			`"preTokenBalances":[` + held(player, "M", "10") + `,` + held(vault, "M", "900") + `],"postTokenBalances":[` + held(player, "M", "30") + `,` + held(player, "M", "5") + `,` + held(vault, "M", "1") + `]`, "25",
		},
		{"tokens of two mints", tokens, nil, `"preTokenBalances":[` + held(player, "M", "10") + `],"postTokenBalances":[` + held(player, "M", "30") + `,` + held(player, "N", "5") + `]`, ""},
		{"tokens of nobody", tokens, nil, `"preTokenBalances":[` + held(vault, "M", "10") + `],"postTokenBalances":[]`, ""},
		{"fewer tokens", tokens, nil, `"preTokenBalances":[` + held(player, "M", "10") + `],"postTokenBalances":[` + held(player, "M", "9") + `]`, ""},
		{"tokens beyond all numbers", tokens, nil, `"preTokenBalances":[],"postTokenBalances":[` + held(player, "M", most) + `,` + held(player, "M", "1") + `]`, ""},
		{"tokens that are no number", tokens, nil, `"preTokenBalances":[],"postTokenBalances":[` + held(player, "M", "1e3") + `]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			events := c.events
			if events == nil {
				events = []decode.Event{settlement(player)}
			}
			take(c.from, events, &rpc.Tx{Accounts: accounts, Answer: `{"slot":1,"meta":{` + c.meta + `}}`})
			got := ""
			if e := &events[0]; e.Paid != nil {
				got = fmt.Sprint(*e.Paid)
				if e.Missing.Has(decode.FieldPayout) || e.Settled.Payout != *e.Paid {
					t.Error("the payout is known and not taken")
				}
			}
			if got != c.want {
				t.Errorf("the payout is %q, want %q", got, c.want)
			}
		})
	}
}

// An event that publishes its payout keeps it.
func TestAPublishedPayoutStands(t *testing.T) {
	t.Parallel()
	e := settlement(player)
	e.Missing, e.Settled.Payout = 0, 77
	events := []decode.Event{e}
	take(decode.BalanceLamports, events, &rpc.Tx{Accounts: accounts, Answer: `{"meta":{"fee":0,"preBalances":[0,0,0],"postBalances":[0,5,0]}}`})
	if events[0].Settled.Payout != 77 || events[0].Paid != nil {
		t.Errorf("it is %d now", events[0].Settled.Payout)
	}
}
