//go:build e2e

package e2e

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"minesaudit/internal/verify"
)

// A boardVector is one of internal/verify's, made by none of the programs compared here.
type boardVector struct {
	Seed     hash              `json:"server_seed"`
	SlotHash hash              `json:"slothash"`
	User     hash              `json:"user"`
	Nonce    string            `json:"nonce"`
	Mines    uint8             `json:"mines_count"`
	Mask     uint32            `json:"mine_mask"`
	Blocks   int               `json:"sha256_blocks"`
	Words    int               `json:"words_used"`
	Rejected []json.RawMessage `json:"rejected"`
}

type hash [32]byte

func (h *hash) UnmarshalText(text []byte) error {
	_, err := hex.Decode(h[:], text)
	return err
}

// TestBoardsEqualTheChains holds vector, chain and core against each other, on boards that include
// all those with rejected words.
func TestBoardsEqualTheChains(t *testing.T) {
	data, err := os.ReadFile("../../internal/verify/testdata/onchain_mines.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct{ Cases []boardVector }
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Cases) < 300 {
		t.Fatalf("%d boards, want 300", len(vectors.Cases))
	}
	s := NewStage(t)
	for i, v := range vectors.Cases {
		nonce, err := strconv.ParseUint(v.Nonce, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		chain, err := s.Oracle.Derive(t.Context(), v.Seed, v.SlotHash, [32]byte(v.User), nonce, v.Mines)
		if err != nil {
			t.Fatalf("board %d: %v", i, err)
		}
		core, err := verify.Derive(v.Seed, v.SlotHash, v.User, nonce, int(v.Mines))
		if err != nil {
			t.Fatalf("board %d: %v", i, err)
		}
		if chain.Mask != v.Mask || core.Mask != v.Mask {
			t.Errorf("board %d: mask %#x on-chain, %#x in the core, want %#x", i, chain.Mask, core.Mask, v.Mask)
		}
		if tiles := core.Order[:core.N]; !slices.Equal(chain.Tiles, tiles) {
			t.Errorf("board %d: tiles %v on-chain, %v in the core", i, chain.Tiles, tiles)
		}
		onChain := [3]int{chain.Blocks, chain.Words, chain.Rejected}
		inCore := [3]int{core.Blocks, core.Words, len(core.Rejected)}
		if want := [3]int{v.Blocks, v.Words, len(v.Rejected)}; onChain != want || inCore != want {
			t.Errorf("board %d: blocks, words, rejected are %v on-chain, %v in the core, want %v", i, onChain, inCore, want)
		}
	}
}

// TestPayEqualsTheChains holds multiplier and payout of the core against the chain's for every mine
// count and every number of tiles, with edges, stakes and caps at their ends and between.
func TestPayEqualsTheChains(t *testing.T) {
	s := NewStage(t)
	var bets []Bet
	for _, edge := range []uint16{0, 1, 250, 563, 1000, 9_999, 10_000} {
		for mines := uint8(1); mines <= 24; mines++ {
			for k := uint8(0); k <= 25-mines; k++ {
				bets = append(bets, Bet{
					EdgeBPS: edge, Mines: mines, K: k,
					Stake:     pick(0, 1, 999, rand.Uint64N(1e12), rand.Uint64(), math.MaxUint64),
					MaxPayout: pick(0, rand.Uint64N(1e12), math.MaxUint64, math.MaxUint64),
				})
			}
		}
	}
	pays, err := s.Oracle.PayAll(t.Context(), bets)
	if err != nil {
		t.Fatal(err)
	}
	rules := verify.DefaultRules()
	for i, bet := range bets {
		exact, err := rules.Multiplier(uint32(bet.EdgeBPS), int(bet.Mines), int(bet.K))
		if err != nil {
			t.Fatalf("%+v: %v", bet, err)
		}
		multiplier, ok := exact.Floor(10_000)
		if !ok {
			t.Fatalf("%+v: multiplier %s overflows", bet, exact)
		}
		payout, ok := exact.Floor(bet.Stake)
		if !ok || payout > bet.MaxPayout {
			payout = bet.MaxPayout
		}
		if core := (Pay{multiplier, payout}); pays[i] != core {
			t.Errorf("%+v: %+v on-chain, %+v in the core", bet, pays[i], core)
		}
	}
}
