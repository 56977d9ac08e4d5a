package simchain

import (
	"encoding/hex"
	"encoding/json"
	"math/big"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"testing"
)

func readVectors[T any](t *testing.T, name string) []T {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []T }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 {
		t.Fatalf("%s holds no cases", name)
	}
	return file.Cases
}

func hexKey(t *testing.T, text string) Key {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != 32 {
		t.Fatalf("%q is no 32 bytes of hex", text)
	}
	return Key(b)
}

func TestBoardVectors(t *testing.T) {
	type vector struct {
		Kind       string
		Seed       string `json:"server_seed"`
		Commit     string
		Slothash   string
		User       string
		UserBase58 string `json:"user_base58"`
		Nonce      string
		Mines      int    `json:"mines_count"`
		Mask       uint32 `json:"mine_mask"`
		Order      []int  `json:"tile_order"`
		Blocks     int    `json:"sha256_blocks"`
		Rejected   []struct{ Value uint32 }
	}
	rejected := 0
	for i, v := range readVectors[vector](t, "onchain_mines.json") {
		nonce, err := strconv.ParseUint(v.Nonce, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seed, user := hexKey(t, v.Seed), hexKey(t, v.User)
		if hashOf(seed) != hexKey(t, v.Commit) || user.String() != v.UserBase58 {
			t.Fatalf("case %d: commit or base58 differs", i)
		}
		var thrown []uint32
		for _, r := range v.Rejected {
			thrown = append(thrown, r.Value)
		}
		b := deriveBoard(seed, hexKey(t, v.Slothash), user, nonce, v.Mines)
		if b.mask != v.Mask || !slices.Equal(b.order, v.Order) || b.blocks != v.Blocks || !slices.Equal(b.thrown, thrown) {
			t.Fatalf("case %d (%s): got mask %d, order %v, %d blocks, rejected %v; want %d, %v, %d, %v",
				i, v.Kind, b.mask, b.order, b.blocks, b.thrown, v.Mask, v.Order, v.Blocks, thrown)
		}
		rejected += len(v.Rejected)
	}
	if rejected == 0 {
		t.Fatal("no vector rejects a word: the rule for rejection was not tried")
	}
}

func TestMultiplierVectors(t *testing.T) {
	type vector struct {
		Edge     uint16 `json:"edge_bps"`
		Mines, K int
		Num, Den string
		Floor    string `json:"floor_1e4"`
	}
	for _, v := range readVectors[vector](t, "multipliers.json") {
		m := multiplier(v.Edge, v.Mines, v.K)
		if m.Num().String() != v.Num || m.Denom().String() != v.Den || strconv.FormatUint(scaled(m), 10) != v.Floor {
			t.Fatalf("edge %d, %d mines, k = %d: %v, want %s/%s", v.Edge, v.Mines, v.K, m, v.Num, v.Den)
		}
	}
}

func TestSettlementVectors(t *testing.T) {
	type vector struct {
		Kind        string
		Seed        string `json:"server_seed"`
		Commit      string
		Slothash    string
		User        string
		Nonce       string
		Mines       int    `json:"mines_count"`
		Mask        uint32 `json:"mines_mask"`
		Revealed    uint32 `json:"revealed_mask"`
		Bust        *int   `json:"bust_tile"`
		Stake       uint64
		Edge        uint16  `json:"edge_bps"`
		Cap         *uint64 `json:"cap_payout"`
		Multiplier  *string
		Payout      *uint64  `json:"payout_floor"`
		RejectedFor []string `json:"rejected_for"`
	}
	for i, v := range readVectors[vector](t, "settlements.json") {
		nonce, err := strconv.ParseUint(v.Nonce, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seed := hexKey(t, v.Seed)
		if got := hashOf(seed) == hexKey(t, v.Commit); got == slices.Contains(v.RejectedFor, "commit_mismatch") {
			t.Fatalf("case %d (%s): commit holds: %v", i, v.Kind, got)
		}
		b := deriveBoard(seed, hexKey(t, v.Slothash), hexKey(t, v.User), nonce, v.Mines)
		if b.mask != v.Mask {
			t.Fatalf("case %d (%s): mask %d, want %d", i, v.Kind, b.mask, v.Mask)
		}
		if v.Multiplier == nil || len(v.RejectedFor) > 0 {
			continue
		}
		limit := ^uint64(0)
		if v.Cap != nil {
			limit = *v.Cap
		}
		m := multiplier(v.Edge, v.Mines, bits.OnesCount32(v.Revealed))
		want, ok := new(big.Rat).SetString(*v.Multiplier)
		if !ok || m.Cmp(want) != 0 || payout(v.Stake, m, limit) != *v.Payout {
			t.Fatalf("case %d (%s): %v pays %d, want %s and %d", i, v.Kind, m, payout(v.Stake, m, limit), *v.Multiplier, *v.Payout)
		}
	}
}
