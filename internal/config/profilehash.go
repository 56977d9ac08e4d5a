package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"minesaudit/internal/decode"
)

// Hash identifies the convention that verdicts were made under: SHA-256, in
// hex, of what can change one, what the IDLs say of the events included. The
// program's address is no part of it, nor the void-rate ceiling, which only moves
// an alert, nor how the files are written. The form is fixed: databases remember
// it. What came later is in it only where it is not as it was before.
func (p *Profile) Hash() string {
	var b strings.Builder
	fmt.Fprintf(&b, "minesaudit profile 1\nlayout %s\nscale %d\nrounding %s\ncap %s\npayout_from %s\nlost_multiplier %s\n",
		p.Layout.Canonical(), p.Payout.Scale, p.Payout.Rounding, p.Payout.Cap, p.Payout.PayoutFrom, p.Payout.LostMultiplier)
	if p.EventsIn != decode.InLogs {
		fmt.Fprintf(&b, "events_in %s\n", p.EventsIn)
	}
	if p.LogMessages {
		b.WriteString("log_messages\n")
	}
	if p.PayoutFromBalance != decode.BalanceNone {
		fmt.Fprintf(&b, "balance %s\n", p.PayoutFromBalance)
	}
	for _, key := range p.Operators {
		fmt.Fprintf(&b, "operator %x\n", key)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}
