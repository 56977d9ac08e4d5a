package decode

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/gagliardetto/solana-go/base58"
)

const eventAuthoritySeed = "__event_authority"

// EventAuthority derives the account that alone an event by CPI names: the
// program's address of the seed "__event_authority", for which no one but the
// program can sign.
func EventAuthority(program string) (string, error) {
	var id [32]byte
	if err := base58.Decode32(program, &id); err != nil {
		return "", fmt.Errorf("program %.50q: not the base58 form of 32 bytes", program)
	}
	for bump := 255; bump >= 0; bump-- {
		h := sha256.New()
		h.Write([]byte(eventAuthoritySeed))
		h.Write([]byte{byte(bump)})
		h.Write(id[:])
		h.Write([]byte("ProgramDerivedAddress"))
		if address := [32]byte(h.Sum(nil)); !isCurvePoint(address) {
			return base58.Encode32(&address), nil
		}
	}
	return "", errors.New("program " + program + ": every bump gives a point of the curve")
}

// isCurvePoint reports whether 32 bytes are the compressed form of a point of
// edwards25519, so that someone may hold a key for them: whether the y that they
// give has an x with x² = (y²-1)/(dy²+1). The quotient is a square exactly if the
// product is.
func isCurvePoint(key [32]byte) bool {
	p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	d := new(big.Int).ModInverse(big.NewInt(121666), p) // d = -121665/121666
	d.Mul(d, big.NewInt(-121665)).Mod(d, p)

	slices.Reverse(key[:]) // little-endian
	key[0] &= 0x7f         // the sign of x
	y := new(big.Int).SetBytes(key[:])
	square := y.Mul(y, y).Mod(y, p)
	u := new(big.Int).Sub(square, big.NewInt(1))
	v := d.Mul(d, square)
	v.Add(v, big.NewInt(1))
	u.Mul(u, v).Mod(u, p)
	return big.Jacobi(u, p) >= 0
}
