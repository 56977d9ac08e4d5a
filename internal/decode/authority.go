package decode

import (
	"fmt"

	"github.com/gagliardetto/solana-go/base58"

	"minesaudit/internal/idl"
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
	address, err := idl.ProgramAddress(id, []byte(eventAuthoritySeed))
	if err != nil {
		return "", fmt.Errorf("program %s: %w", program, err)
	}
	return base58.Encode32(&address), nil
}
