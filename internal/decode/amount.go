package decode

import (
	"encoding/binary"
	"math"
	"math/big"

	"minesaudit/internal/idl"
)

// floatAmount reads tokens as a float.
func floatAmount(v *idl.Value, decimals int) (s scalar, problem string) {
	var f float64
	if v.Kind == idl.F32 {
		f = float64(math.Float32frombits(binary.LittleEndian.Uint32(v.Raw)))
	} else {
		f = math.Float64frombits(binary.LittleEndian.Uint64(v.Raw))
	}
	n, ok := exactAmount(f, 8*len(v.Raw), decimals)
	if !ok {
		return s, "no amount of so many decimals, or more than one, gives this float"
	}
	s.number = n
	return s, ""
}

// exactAmount is the one integer n for which n / 10^decimals, rounded to the
// nearest float of 32 or 64 bits, is f. That of an integer beyond 2^53 is often
// that of its neighbour too: then there is no telling.
func exactAmount(f float64, size, decimals int) (uint64, bool) {
	if f < 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, false
	}
	scale := new(big.Int).SetUint64(powerOfTen(decimals))
	exact := new(big.Rat).SetFloat64(f)
	exact.Mul(exact, new(big.Rat).SetInt(scale))
	exact.Add(exact, big.NewRat(1, 2))
	nearest := new(big.Int).Quo(exact.Num(), exact.Denom())
	gives := func(n *big.Int) bool {
		quotient := new(big.Rat).SetFrac(n, scale)
		if size == 32 {
			rounded, _ := quotient.Float32()
			return float64(rounded) == f
		}
		rounded, _ := quotient.Float64()
		return rounded == f
	}
	one := big.NewInt(1)
	if !nearest.IsUint64() || !gives(nearest) ||
		gives(new(big.Int).Add(nearest, one)) || nearest.Sign() > 0 && gives(new(big.Int).Sub(nearest, one)) {
		return 0, false
	}
	return nearest.Uint64(), true
}
