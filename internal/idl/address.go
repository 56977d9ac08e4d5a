package idl

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"slices"
)

// MetadataProgram is the address of the Program Metadata program,
// ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S.
func MetadataProgram() [32]byte {
	return [32]byte{
		0x05, 0xdb, 0x17, 0x9e, 0xc3, 0x3e, 0x93, 0xf9, 0x4b, 0xc3, 0x21, 0x57, 0x07, 0xe4, 0xfb, 0x04,
		0x74, 0x3e, 0xc9, 0xaf, 0xa8, 0x4a, 0x1b, 0xa0, 0x6f, 0x68, 0x76, 0x8b, 0xf6, 0x65, 0x38, 0x89,
	}
}

// LegacyAddress is the account where Anchor before 1.0 kept a program's IDL:
// that of the seed "anchor:idl" and a base that is the program's own address
// without seeds.
func LegacyAddress(program [32]byte) ([32]byte, error) {
	base, err := ProgramAddress(program)
	if err != nil {
		return [32]byte{}, err
	}
	return sha256.Sum256(slices.Concat(base[:], []byte("anchor:idl"), program[:])), nil
}

// MetadataAddress is the account of the Program Metadata program that holds what
// a seed such as "idl" names, of at most 16 bytes. The canonical one is written
// by the program's upgrade authority; for it authority is nil. Anyone else's has
// theirs.
func MetadataAddress(program [32]byte, authority *[32]byte, seed string) ([32]byte, error) {
	var padded [16]byte
	if len(seed) == 0 || len(seed) > len(padded) {
		return [32]byte{}, fmt.Errorf("idl: seed %.40q: want 1 to %d bytes", seed, len(padded))
	}
	copy(padded[:], seed)
	seeds := [][]byte{program[:], padded[:]}
	if authority != nil {
		seeds = [][]byte{program[:], authority[:], padded[:]}
	}
	return ProgramAddress(MetadataProgram(), seeds...)
}

// ProgramAddress derives an address of a program for which nobody has a key: the
// first hash, counting the last seed down from 255, that is no point of the curve.
func ProgramAddress(program [32]byte, seeds ...[]byte) ([32]byte, error) {
	prefix := slices.Concat(seeds...)
	for bump := 255; bump >= 0; bump-- {
		address := sha256.Sum256(slices.Concat(prefix, []byte{byte(bump)}, program[:], []byte("ProgramDerivedAddress")))
		if !onCurve(address) {
			return address, nil
		}
	}
	return [32]byte{}, errors.New("idl: no address of the program is off the curve")
}

// onCurve reports whether bytes are a point of edwards25519 in compressed form:
// whether some x has x² = (y²−1)/(dy²+1). The quotient is a square if and only if
// the product of its terms is.
func onCurve(point [32]byte) bool {
	one := big.NewInt(1)
	p := new(big.Int).Lsh(one, 255)
	p.Sub(p, big.NewInt(19))
	d := new(big.Int).ModInverse(big.NewInt(121666), p)
	d.Mul(d, big.NewInt(-121665))

	point[31] &= 0x7f // the sign of x
	slices.Reverse(point[:])
	y2 := new(big.Int).SetBytes(point[:])
	y2.Mul(y2, y2).Mod(y2, p)
	upper := new(big.Int).Sub(y2, one)
	lower := d.Mul(d, y2)
	lower.Add(lower, one)
	product := upper.Mul(upper, lower)
	return big.Jacobi(product.Mod(product, p), p) >= 0
}
