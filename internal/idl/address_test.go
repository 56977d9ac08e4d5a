package idl_test

import (
	"crypto/sha256"
	"testing"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"minesaudit/internal/idl"
)

// solana-go derives addresses with a curve library of its own: the oracle.
func TestAddressesAreThoseOfSolanaGo(t *testing.T) {
	metadata := solana.MustPublicKeyFromBase58("ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S")
	if [32]byte(metadata) != idl.MetadataProgram() {
		t.Fatalf("the metadata program is %x", [32]byte(metadata))
	}
	rapid.Check(t, func(t *rapid.T) {
		program := solana.PublicKey(sha256.Sum256(rapid.SliceOf(rapid.Byte()).Draw(t, "program")))
		base, _, err := solana.FindProgramAddress(nil, program)
		if err != nil {
			t.Fatal(err)
		}
		want, err := solana.CreateWithSeed(base, "anchor:idl", program)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := idl.LegacyAddress(program); err != nil || got != [32]byte(want) {
			t.Errorf("legacy account: got %x, %v; want %x", got, err, want)
		}

		authority := [32]byte(sha256.Sum256(program[:]))
		seed := make([]byte, 16)
		copy(seed, "idl")
		want, _, err = solana.FindProgramAddress([][]byte{program[:], seed}, metadata)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := idl.MetadataAddress(program, nil, "idl"); err != nil || got != [32]byte(want) {
			t.Errorf("canonical metadata: got %x, %v; want %x", got, err, want)
		}
		want, _, err = solana.FindProgramAddress([][]byte{program[:], authority[:], seed}, metadata)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := idl.MetadataAddress(program, &authority, "idl"); err != nil || got != [32]byte(want) {
			t.Errorf("metadata of another authority: got %x, %v; want %x", got, err, want)
		}
	})
}

func TestSeedsFitTheirPlace(t *testing.T) {
	for _, seed := range []string{"", "seventeen letters"} {
		if _, err := idl.MetadataAddress([32]byte{1}, nil, seed); err == nil {
			t.Errorf("seed %q was taken", seed)
		}
	}
}
