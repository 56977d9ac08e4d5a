package verify

import (
	"encoding/hex"
	"math/bits"
	"strconv"
)

// hashText gives a hash, or a key, in hex.
func hashText(hash [32]byte) string { return hex.EncodeToString(hash[:]) }

// commitText is the commitment of a seed.
func commitText(seed [32]byte) string { return hashText(Commitment(seed)) }

// maskText gives a mask and its tiles, as 0x0000421 {0 5 10}.
func maskText(mask uint32) string {
	const digits = 7 // of 25 bits, with zeros before them
	hex := strconv.FormatUint(uint64(mask), 16)
	b := make([]byte, 0, 2+8+2+3*32)
	b = append(b, "0x0000000"[:2+max(0, digits-len(hex))]...)
	b = append(append(b, hex...), ' ')
	separator := byte('{')
	for rest := mask; rest != 0; rest &= rest - 1 {
		b = strconv.AppendUint(append(b, separator), uint64(bits.TrailingZeros32(rest)), 10)
		separator = ' '
	}
	if mask == 0 {
		b = append(b, separator)
	}
	return string(append(b, '}'))
}

const notPublished = "not published"

// masksText gives both masks of a settlement.
func (s *Settled) masksText() string {
	mines, revealed := notPublished, notPublished
	if s.publishes(FieldMinesMask) {
		mines = maskText(s.MinesMask)
	}
	if s.publishes(FieldRevealedMask) {
		revealed = maskText(s.RevealedMask)
	}
	return "mines " + mines + ", revealed " + revealed
}

// paidText gives both amounts of a settlement.
func (s *Settled) paidText() string {
	multiplier, payout := notPublished, notPublished
	if s.publishes(FieldMultiplier) {
		multiplier = decimal(s.Multiplier)
	}
	if s.publishes(FieldPayout) {
		payout = decimal(s.Payout)
	}
	return "multiplier " + multiplier + ", payout " + payout
}

// outcomeText is the outcome that a settlement tells.
func (s *Settled) outcomeText() string {
	switch fate, _ := s.tells(); {
	case !s.publishes(FieldBustTile):
		return s.Says.String() + ", as it says"
	case fate == fateLost:
		return "lost, by bust tile " + strconv.Itoa(int(s.BustTile))
	default:
		return "won, no bust tile"
	}
}
