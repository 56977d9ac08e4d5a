package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Hash identifies the convention that verdicts were made under: SHA-256, in
// hex, of what can change one. The program's address is no part of it, nor the
// void-rate ceiling, which only moves an alert, nor how the file is written. The
// form is fixed: databases remember it.
func (p *Profile) Hash() string {
	var b strings.Builder
	fmt.Fprintf(&b, "minesaudit profile 1\nlayout %s\nscale %d\nrounding %s\ncap %s\npayout_from %s\nlost_multiplier %s\n",
		p.Layout, p.Payout.Scale, p.Payout.Rounding, p.Payout.Cap, p.Payout.PayoutFrom, p.Payout.LostMultiplier)
	for _, key := range p.Operators {
		fmt.Fprintf(&b, "operator %x\n", key)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}
