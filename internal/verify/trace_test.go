package verify

import (
	"bytes"
	"crypto/sha256"
	"math/rand/v2"
	"slices"
	"testing"
)

// A trace must lead to the board by arithmetic alone: each digest is that of
// its preimage, each word stands in the digests in turn, and the swaps end in
// the mines.
func TestExplainCanBeRepeated(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		var seed, slothash, user [32]byte
		for i := range seed {
			seed[i], slothash[i], user[i] = byte(random.Uint32()), byte(random.Uint32()), byte(random.Uint32())
		}
		nonce, mines := random.Uint64(), 1+random.IntN(MaxMines)
		trace, err := Explain(seed, slothash, user, nonce, mines)
		if err != nil {
			t.Fatal(err)
		}
		board, err := Derive(seed, slothash, user, nonce, mines)
		if err != nil {
			t.Fatal(err)
		}
		if trace.Board.Mask != board.Mask || trace.Board.Blocks != board.Blocks || trace.Board.Words != board.Words || trace.Board.Order != board.Order {
			t.Fatalf("trace of %+v, board is %+v", trace.Board, board)
		}
		repeat(t, &trace)
	}
}

func repeat(t *testing.T, trace *Trace) {
	t.Helper()
	var words []uint32
	for k, block := range trace.Blocks {
		if sha256.Sum256(block.Preimage[:]) != block.Digest {
			t.Fatalf("block %d: the digest is not that of the preimage", k)
		}
		if got := block.Parts()[5].Bytes; !bytes.Equal(got, []byte{byte(k), 0, 0, 0, 0, 0, 0, 0}) {
			t.Fatalf("block %d: counter %x", k, got)
		}
		for i := 0; i < len(block.Digest); i += 4 {
			d := block.Digest[i:]
			words = append(words, uint32(d[0])<<24|uint32(d[1])<<16|uint32(d[2])<<8|uint32(d[3]))
		}
	}
	tiles := make([]int, Tiles)
	for i := range tiles {
		tiles[i] = i
	}
	var mask uint32
	for i, draw := range trace.Draws {
		for _, word := range append(slices.Clone(draw.Rejected), draw.Word) {
			if word != words[0] {
				t.Fatalf("draw %d: word %08x, the stream has %08x", i, word, words[0])
			}
			words = words[1:]
		}
		if draw.At != i || draw.Bound != uint32(25-i) || draw.With != i+int(draw.Word%draw.Bound) || draw.Word >= draw.Zone {
			t.Fatalf("draw %d is %+v", i, draw)
		}
		tiles[draw.At], tiles[draw.With] = tiles[draw.With], tiles[draw.At]
		if int(draw.Mine) != tiles[i] {
			t.Fatalf("draw %d: mine %d, the swap gives %d", i, draw.Mine, tiles[i])
		}
		mask |= 1 << draw.Mine
	}
	if len(trace.Draws) != trace.Board.N || mask != trace.Board.Mask {
		t.Fatalf("%d draws give %07x, the board is %07x of %d", len(trace.Draws), mask, trace.Board.Mask, trace.Board.N)
	}
}

func TestTraceShowsRejectedWordsWhereTheyFell(t *testing.T) {
	var draws []Draw
	const zone25, zone24 = 4294967275, 4294967280
	shuffle(3, script(t, zone25, 4294967295, 0, 5, zone24, 0), func(d Draw) { draws = append(draws, d) })
	want := [][]uint32{{zone25, 4294967295}, nil, nil}
	for i, draw := range draws {
		if !slices.Equal(draw.Rejected, want[i]) {
			t.Errorf("draw %d rejected %v, want %v", i, draw.Rejected, want[i])
		}
	}
	if draws[0].Zone != zone25 || draws[1].Zone != zone24 || draws[2].Word != zone24 {
		t.Errorf("draws %+v", draws)
	}
}

func TestPreimageParts(t *testing.T) {
	trace, err := Explain([32]byte{1}, [32]byte{2}, [32]byte{3}, 0x0102030405060708, 20)
	if err != nil {
		t.Fatal(err)
	}
	if len(trace.Blocks) != 3 {
		t.Fatalf("%d blocks for 20 mines", len(trace.Blocks))
	}
	key := func(first byte) []byte { return append([]byte{first}, make([]byte, 31)...) }
	want := []Part{
		{"server_seed", key(1)},
		{"slothash", key(2)},
		{"user", key(3)},
		{"nonce", []byte{8, 7, 6, 5, 4, 3, 2, 1}},
		{"tag", []byte("mines")},
		{"counter", []byte{2, 0, 0, 0, 0, 0, 0, 0}},
	}
	for i, part := range trace.Blocks[2].Parts() {
		if part.Name != want[i].Name || !bytes.Equal(part.Bytes, want[i].Bytes) {
			t.Errorf("part %d is %s %x, want %s %x", i, part.Name, part.Bytes, want[i].Name, want[i].Bytes)
		}
	}
}

func TestExplainRefusesWhatDeriveRefuses(t *testing.T) {
	for _, mines := range []int{-1, 0, 25} {
		if _, err := Explain([32]byte{}, [32]byte{}, [32]byte{}, 0, mines); err == nil {
			t.Errorf("%d mines are explained", mines)
		}
	}
}
