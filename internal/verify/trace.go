package verify

import "crypto/sha256"

// A Trace is a derivation with every hash and draw, for people to follow and
// programs to repeat.
type Trace struct {
	Board  Board
	Blocks []Block // block(0), block(1), …
	Draws  []Draw  // one a mine
}

// A Block is one hash of a derivation.
type Block struct {
	Preimage [preimageSize]byte
	Digest   [sha256.Size]byte
}

// A Part is a named field of a preimage.
type Part struct {
	Name  string
	Bytes []byte
}

// Parts cuts the preimage into its fields, in order.
func (b *Block) Parts() []Part {
	p := b.Preimage[:]
	return []Part{
		{"server_seed", p[:32]},
		{"slothash", p[32:64]},
		{"user", p[64:96]},
		{"nonce", p[96:104]},
		{"tag", p[104:blockOffset]},
		{"counter", p[blockOffset:]},
	}
}

// A Draw places one mine: tiles At and With change places, and the tile that is
// then at At is the mine.
type Draw struct {
	Bound, Zone uint32
	Rejected    []uint32 // words at or above Zone that came first
	Word        uint32   // the word taken; With is At + Word mod Bound
	At, With    int
	Mine        uint8
}

// Explain is [Derive] with its trace.
func Explain(seed, slothash, user [32]byte, nonce uint64, mines int) (Trace, error) {
	if _, err := Derive(seed, slothash, user, nonce, mines); err != nil {
		return Trace{}, err
	}
	var trace Trace
	var hasher blockHasher
	hasher.init(&seed, &slothash, &user, nonce, mines)
	nextBlock := func() [sha256.Size]byte {
		digest := hasher.next()
		trace.Blocks = append(trace.Blocks, Block{Preimage: [preimageSize]byte(hasher.preimage[:preimageSize]), Digest: digest})
		return digest
	}
	trace.Board = shuffle(mines, nextBlock, func(d Draw) { trace.Draws = append(trace.Draws, d) })
	return trace, nil
}
