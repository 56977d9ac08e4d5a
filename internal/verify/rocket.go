package verify

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// A Rocket is a round of that game and how it came about.
type Rocket struct {
	Multiplier float64 // the outcome: hundredths over 100
	Instant    bool    // the hash is a multiple of 40, and the multiplier 1; the rest is not set

	H         int64   // the first 13 hex digits of the hash
	Ratio     float64 // (100·2^52 − H) / (2^52 − H) in the texts' own arithmetic
	Hundredth float64 // its floor
	Exact     int64   // the floor of the exact ratio, which Hundredth is above or below now and then
}

// rocketInstant is the number of rounds of which one ends at once, on average;
// rocketDigits the number of hex digits that the others depend on.
const (
	rocketInstant = 40
	rocketDigits  = 13
)

// NewRocket works out a round. The hash is a hexadecimal number, as in [Dice];
// one that is no multiple of 40 must have 13 characters or more.
func NewRocket(hash string) (Rocket, error) {
	rest, err := hexMod("hash", hash, rocketInstant)
	if err != nil {
		return Rocket{}, err
	}
	if rest == 0 {
		return Rocket{Multiplier: 1, Instant: true}, nil
	}
	if len(hash) < rocketDigits {
		return Rocket{}, fmt.Errorf("hash %s: %d characters: want %d or more", quoted(hash), len(hash), rocketDigits)
	}
	h, err := strconv.ParseInt(hash[:rocketDigits], 16, 64)
	if err != nil {
		return Rocket{}, notHex("first digits of the hash", hash[:rocketDigits])
	}
	// H is below 2^52, so that neither part is 0 or passes 64 bits.
	const e = 1 << 52
	r := Rocket{H: h}
	numerator, denominator := 100*e-r.H, e-r.H
	// Not float64 all along: the quotient is rounded to 64 bits, then to 53.
	quotient := new(big.Float).Quo(floatOf(numerator), floatOf(denominator))
	r.Ratio, _ = quotient.Float64()
	r.Hundredth = math.Floor(r.Ratio)
	r.Multiplier = r.Hundredth / 100
	r.Exact = numerator / denominator
	return r, nil
}

// floatOf is a number in a big.Float of 64 bits, which the quotient takes over.
func floatOf(n int64) *big.Float { return new(big.Float).SetInt64(n) }
