package decode

import (
	"encoding/hex"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go/base58"
)

// constant reads the value that a mapping gives a role where the program
// publishes none.
func constant(f *FieldMapping) (s scalar, err error) {
	if err := unitFits(f); err != nil {
		return s, err
	}
	text := f.Constant
	switch f.Role {
	case RoleGame:
		return s, errors.New("a constant tells no two games apart")
	case RoleUser, RoleAuthority:
		if len(text) > maxIDLen || base58.Decode32(text, &s.bytes) != nil {
			return s, errors.New("want a key in base58")
		}
	case RoleCommitHash, RoleSlothash, RoleServerSeed:
		if raw, err := hex.DecodeString(text); err != nil || copy(s.bytes[:], raw) != len(raw) || len(raw) != len(s.bytes) {
			return s, errors.New("want 64 digits of hex")
		}
	case RoleStake, RoleMaxPayout, RoleMultiplier, RolePayout, RoleRefund:
		return constantAmount(text, f.Decimals)
	case RoleMinesCount:
		s.number, err = constantNumber(text, math.MaxUint8)
	case RoleHouseEdge, RoleMinesMask, RoleRevealedMask:
		s.number, err = constantNumber(text, math.MaxUint32)
	case RoleRefundTimeout, RoleStartedAt:
		s.number, err = constantNumber(text, math.MaxInt64)
	case RoleBustTile:
		if text == "none" {
			return scalar{number: noTile}, nil
		}
		s.number, err = constantNumber(text, math.MaxUint8)
	case RoleLost:
		return s, errors.New("say it of the event: lost: true or lost: false")
	default:
		s.number, err = constantNumber(text, math.MaxUint64)
	}
	return s, err
}

func constantNumber(text string, most uint64) (uint64, error) {
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil || n > most {
		return 0, errors.New("want a number from 0 to " + strconv.FormatUint(most, 10))
	}
	return n, nil
}

// constantAmount reads a decimal fraction that is whole × 10^decimals.
func constantAmount(text string, decimals int) (s scalar, err error) {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > decimals {
		return s, errors.New("has more than " + strconv.Itoa(decimals) + " decimals")
	}
	digits := whole + fraction + strings.Repeat("0", decimals-len(fraction))
	number, ok := new(big.Int).SetString(digits, 10)
	if len(digits) > 2*maxDecimals || strings.ContainsAny(digits, "_+-") || !ok || !number.IsUint64() {
		return s, errors.New("want an amount from 0 to 2^64-1")
	}
	return scalar{number: number.Uint64()}, nil
}
