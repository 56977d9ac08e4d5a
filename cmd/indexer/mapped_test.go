package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go/base58"

	"minesaudit/internal/decode"
	"minesaudit/internal/idl"
	"minesaudit/internal/idl/idltest"
	"minesaudit/internal/verify"
)

const (
	tilesProgram = "8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe"
	tilesProfile = "../../internal/decode/testdata/hidden_tiles.yaml"
)

type object = map[string]any

// A round is a game of the other program: three mines, an edge of two per cent,
// a stake of 1000 and one safe tile, which pays ⌊1000 × 0.98 × 25/22⌋ = 1113.
type round struct {
	file                       *idl.IDL
	game, user, seed, slothash [32]byte
	board                      uint32
}

func newRound(t *testing.T) *round {
	t.Helper()
	raw, err := os.ReadFile(tilesIDL)
	if err != nil {
		t.Fatal(err)
	}
	r := &round{game: [32]byte{1}, user: [32]byte{2}, seed: [32]byte{3}, slothash: [32]byte{4}}
	if r.file, err = idl.Parse(raw); err != nil {
		t.Fatal(err)
	}
	board, err := verify.Derive(r.seed, r.slothash, r.user, 9, 3)
	if err != nil {
		t.Fatal(err)
	}
	r.board = board.Mask
	return r
}

func (r *round) with(more object) object {
	value := object{"round": base58.Encode(r.game[:]), "player": object{"account": base58.Encode(r.user[:]), "counter": 9}}
	for name, v := range more {
		value[name] = v
	}
	return value
}

func (r *round) opened() object {
	commit := sha256.Sum256(r.seed[:])
	return r.with(object{"opened_at": 1_700_000_000, "terms": object{
		"mines": 3, "wager": 1000, "seed_hash": hex.EncodeToString(commit[:]), "slot_hash": object{"0": hex.EncodeToString(r.slothash[:])},
		"edge_ppb": 20_000_000, "win_limit": 1_000_000, "cancel_after": 3600,
	}})
}

func (r *round) reveal(safe ...byte) object {
	mines := make([]any, 25)
	for i := range mines {
		mines[i] = r.board>>i&1 == 1
	}
	return object{
		"seed": hex.EncodeToString(r.seed[:]), "slot_hash": object{"0": hex.EncodeToString(r.slothash[:])},
		"mines": mines, "safe": hex.EncodeToString(safe),
	}
}

// transaction is a getTransaction answer with one event by CPI, its log cut off.
func (r *round) transaction(t *testing.T, n byte, name string, value object) string {
	t.Helper()
	event, ok := r.file.Event(name)
	if !ok {
		t.Fatal(name)
	}
	payload, err := idltest.Encode(event, value)
	if err != nil {
		t.Fatal(err)
	}
	authority, err := decode.EventAuthority(tilesProgram)
	if err != nil {
		t.Fatal(err)
	}
	data := append([]byte{0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d}, event.Discriminator...)
	answer, err := json.Marshal(object{
		"slot": 100 + int(n), "blockTime": 1_700_000_000 + int(n),
		"transaction": object{
			"signatures": []string{base58.Encode(append(make([]byte, 63), n))},
			"message": object{
				"accountKeys":  []string{base58.Encode(r.user[:]), tilesProgram, authority, base58.Encode(r.game[:])},
				"instructions": []any{object{"programIdIndex": 1, "accounts": []int{0, 3}, "data": "", "stackHeight": 1}},
			},
		},
		"meta": object{
			"err": nil, "logMessages": []string{"Program " + tilesProgram + " invoke [1]", "Log truncated"},
			"innerInstructions": []any{object{"index": 0, "instructions": []any{
				object{"programIdIndex": 1, "accounts": []int{2}, "data": base58.Encode(append(data, payload...)), "stackHeight": 2},
			}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

// A game of another program, by its IDL and a profile, from transactions whose
// logs were cut off: its events are by CPI.
func TestVerifyFileMapped(t *testing.T) {
	withoutEnv(t)
	r := newRound(t)
	safe := byte(bits.TrailingZeros32(^r.board))
	mine := bits.TrailingZeros32(r.board)
	dir := t.TempDir()
	for i, test := range []struct {
		name  string
		event string
		end   object
		code  int
		out   string
	}{
		{"won", "RoundCashedOut", object{"reveal": r.reveal(safe), "multiplier": 11136, "win": 1113}, exitGood, "PASS: cashed out"},
		{"paid too little", "RoundCashedOut", object{"reveal": r.reveal(safe), "multiplier": 11136, "win": 1112}, exitMismatch, "FAIL: "},
		{"lost", "RoundBusted", object{"reveal": r.reveal(safe), "tile": mine}, exitGood, "PASS: "},
		{"lost on a safe tile", "RoundBusted", object{"reveal": r.reveal(), "tile": safe}, exitMismatch, "FAIL: "},
		{"cancelled", "RoundClosed", object{"reason": object{"Cancelled": object{"by": base58.Encode(r.user[:]), "returned": 1000}}}, exitGood, "PASS: "},
		{"not all returned", "RoundClosed", object{"reason": object{"Cancelled": object{"by": base58.Encode(r.user[:]), "returned": 999}}}, exitMismatch, "FAIL: "},
		{"swept, which is no end", "RoundClosed", object{"reason": object{"Swept": object{}}}, exitInconclusive, "PENDING: "},
	} {
		start, end := filepath.Join(dir, fmt.Sprint(i, "-start.json")), filepath.Join(dir, fmt.Sprint(i, "-end.json"))
		write(t, start, r.transaction(t, 1, "RoundOpened", r.opened()))
		write(t, end, r.transaction(t, 2, test.event, r.with(test.end)))
		code, stdout, stderr := indexer("verify", "file", "--profile", tilesProfile, start, end)
		if code != test.code || !strings.Contains(stdout, test.out) {
			t.Errorf("%s: exit %d: %s\n%s", test.name, code, stderr, stdout)
		}
	}
}
