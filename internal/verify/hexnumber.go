package verify

import (
	"fmt"
	"strings"
)

// hexMod is a hexadecimal number modulo m, 2 to 64, in [0, m). The number is
// written as math/big reads it in base 16: digits of either case, a sign before
// them or none.
func hexMod(what, s string, m uint64) (uint64, error) {
	digits, negative := strings.CutPrefix(s, "-")
	if !negative {
		digits = strings.TrimPrefix(s, "+")
	}
	rest := uint64(0)
	for i := range len(digits) {
		digit, ok := hexDigit(digits[i])
		if !ok {
			return 0, notHex(what, s)
		}
		rest = rest<<4 | uint64(digit)
		if rest >= 1<<58 {
			rest %= m
		}
	}
	if digits == "" {
		return 0, notHex(what, s)
	}
	rest %= m
	if negative && rest > 0 {
		rest = m - rest
	}
	return rest, nil
}

func hexDigit(c byte) (value byte, ok bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	default:
		return 0, false
	}
}

func notHex(what, s string) error {
	return fmt.Errorf("%s %s: want a hexadecimal number", what, quoted(s))
}
