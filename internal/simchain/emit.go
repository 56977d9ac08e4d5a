package simchain

import (
	"crypto/sha256"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// emit is what the program does to publish a transaction's event, and what
// another program does to seem to: only who prints, or who calls, tells them apart.
func (c *cast) emit(t *tx) step {
	if !c.cpi {
		return step{data: [][]byte{t.event}}
	}
	return step{call: &call{
		program: c.program, data: append(eventTag(), t.event...), units: 300 + int(t.salt%50),
		accounts: []account{{key: c.authority}}, // its signature is the program's word, which no message shows
	}}
}

// eventTag is what the program knows calls with events by.
func eventTag() []byte {
	sum := sha256.Sum256([]byte("anchor:event"))
	tag := sum[:8]
	slices.Reverse(tag)
	return tag
}

// eventAuthority is the address that the program alone signs for, and signs its
// events as.
func eventAuthority(program Key) Key {
	address, _, err := solana.FindProgramAddress([][]byte{[]byte("__event_authority")}, solana.PublicKey(program))
	if err != nil {
		panic("no bump gives an address off the curve: " + err.Error()) // one in 2^256
	}
	return Key(address)
}
