package decode

import (
	"encoding/hex"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go/base58"
	"pgregory.net/rapid"

	"minesaudit/internal/idl"
)

type object = map[string]any

// A round is one game in the words of the other program.
type round struct {
	key     GameKey
	started Started
	settled Settled
	voided  Voided
}

func drawRound(t *rapid.T) round {
	hash := func(name string) (h [32]byte) {
		copy(h[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, name))
		return h
	}
	u64 := rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, 1<<53 + 1, 1 << 63, math.MaxUint64}))
	r := round{
		key: GameKey{Game: hash("game"), User: hash("user"), Nonce: u64.Draw(t, "nonce")},
		started: Started{
			MinesCount: rapid.Uint8().Draw(t, "mines"), Stake: u64.Draw(t, "stake"), CommitHash: hash("commit"), Slothash: hash("slothash"),
			HouseEdge: uint32(rapid.Uint16().Draw(t, "edge")), MaxPayout: u64.Draw(t, "cap"),
			RefundTimeout: int64(rapid.Uint32().Draw(t, "timeout")), StartedAt: rapid.Int64().Draw(t, "at"),
		},
		settled: Settled{
			ServerSeed: hash("seed"), Slothash: hash("slothash"),
			MinesMask: rapid.Uint32Max(1<<25-1).Draw(t, "mask"), RevealedMask: rapid.Uint32Max(1<<25-1).Draw(t, "revealed"),
			HasBust: rapid.Bool().Draw(t, "lost"),
		},
		voided: Voided{Refund: u64.Draw(t, "refund"), Authority: hash("authority")},
	}
	if r.settled.HasBust {
		r.settled.BustTile = rapid.Uint8Max(127).Draw(t, "bust")
	} else {
		r.settled.Multiplier, r.settled.Payout = u64.Draw(t, "multiplier"), u64.Draw(t, "payout")
	}
	return r
}

func (r *round) player() object {
	return object{"account": base58.Encode(r.key.User[:]), "counter": r.key.Nonce}
}

func (r *round) opened() (string, object) {
	s := &r.started
	return "RoundOpened", object{
		"round": base58.Encode(r.key.Game[:]), "player": r.player(), "opened_at": s.StartedAt,
		"terms": object{
			"mines": s.MinesCount, "wager": s.Stake, "seed_hash": hex.EncodeToString(s.CommitHash[:]),
			"slot_hash": object{"0": hex.EncodeToString(s.Slothash[:])}, "edge_ppb": s.HouseEdge,
			"win_limit": s.MaxPayout, "cancel_after": s.RefundTimeout,
		},
	}
}

func (r *round) ended() (string, object) {
	s := &r.settled
	board, safe := make([]any, 25), []byte{}
	for tile := range board {
		board[tile] = s.MinesMask>>tile&1 == 1
		if s.RevealedMask>>tile&1 == 1 {
			safe = append([]byte{byte(tile)}, safe...)
		}
	}
	value := object{
		"round": base58.Encode(r.key.Game[:]), "player": r.player(),
		"reveal": object{
			"seed": hex.EncodeToString(s.ServerSeed[:]), "slot_hash": object{"0": hex.EncodeToString(s.Slothash[:])},
			"mines": board, "safe": hex.EncodeToString(safe),
		},
	}
	if s.HasBust {
		value["tile"] = s.BustTile
		return "RoundBusted", value
	}
	value["multiplier"], value["win"] = s.Multiplier, s.Payout
	return "RoundCashedOut", value
}

func (r *round) closed() (string, object) {
	return "RoundClosed", object{
		"round": base58.Encode(r.key.Game[:]), "player": r.player(),
		"reason": object{"Cancelled": object{"by": base58.Encode(r.voided.Authority[:]), "returned": r.voided.Refund}},
	}
}

// The same game is the same, whichever program tells it.
func TestMappedIsAsBuiltin(t *testing.T) {
	file, layout := tilesIDL(t), tilesLayout(t)
	rapid.Check(t, func(rt *rapid.T) {
		r := drawRound(rt)
		for _, test := range []struct {
			builtin []byte
			event   func() (string, object)
		}{
			{encodeStarted(r.key, r.started), r.opened},
			{encodeSettled(r.key, r.settled), r.ended},
			{encodeVoided(r.key, r.voided), r.closed},
		} {
			name, value := test.event()
			data := encodeBy(t, file, name, value)
			got, want := layout.Parse(7, data), Parse(test.builtin)
			if want.Settled != nil {
				want.Settled.Says = OutcomeWon
				if want.Settled.HasBust {
					want.Settled.Says = OutcomeLost
				}
			}
			want.Data = data
			if !reflect.DeepEqual(got, want) {
				rt.Fatalf("%s\ngot  %+v\nwant %+v", name, got, want)
			}
			if !layout.Named(7, data) {
				rt.Fatalf("%s is not named", name)
			}
		}
	})
}

func TestMappedEdgeScale(t *testing.T) {
	if got := tilesLayout(t).EdgeScale(); got != 1_000_000_000 {
		t.Errorf("edges are parts of %d", got)
	}
	if got := BuiltinLayout().EdgeScale(); got != 10_000 {
		t.Errorf("built-in edges are parts of %d", got)
	}
}

// What is nothing to games is unknown, what is but does not fit is malformed.
func TestMappedMisfits(t *testing.T) {
	file, layout := tilesIDL(t), tilesLayout(t)
	r := round{key: sampleKey()}
	name, value := r.opened()
	opened := encodeBy(t, file, name, value)
	swept := encodeBy(t, file, "RoundClosed", object{
		"round": base58.Encode(r.key.Game[:]), "player": r.player(), "reason": object{"Swept": object{}},
	})
	picked := encodeBy(t, file, "TilePicked", object{"round": base58.Encode(r.key.Game[:]), "tile": 3})
	name, value = r.ended()
	value["reveal"].(object)["seed"] = "abcd"
	short := encodeBy(t, file, name, value)
	for name, test := range map[string]struct {
		data    []byte
		kind    Kind
		problem string
		named   bool
	}{
		"empty":         {nil, KindMalformed, "no bytes", false},
		"too short":     {opened[:7], KindUnknown, "discriminator", false},
		"another event": {picked, KindUnknown, `"TilePicked" is nothing to games`, false},
		"no such event": {[]byte("12345678 and more"), KindUnknown, "discriminator 3132333435363738", false},
		"other variant": {swept, KindUnknown, `"RoundClosed" is nothing to games`, true},
		"cut off":       {opened[:len(opened)-1], KindMalformed, "too short", true},
		"left over":     {append(opened[:len(opened):len(opened)], 0), KindMalformed, "bytes left over", true},
		"a short seed":  {short, KindMalformed, `server_seed: path "reveal.seed": want 32 bytes`, true},
	} {
		got := layout.Parse(0, test.data)
		if got.Kind != test.kind || !strings.Contains(got.Problem, test.problem) {
			t.Errorf("%s: %v, %q", name, got.Kind, got.Problem)
		}
		if got.Key != (GameKey{}) || got.Started != nil || got.Settled != nil || got.Voided != nil || got.Missing != 0 {
			t.Errorf("%s: %+v", name, got)
		}
		if layout.Named(0, test.data) != test.named {
			t.Errorf("%s: named is %v", name, !test.named)
		}
	}
}

// Room is used again, and holds nothing of the event before.
func TestParseInto(t *testing.T) {
	file, layout := tilesIDL(t), tilesLayout(t)
	var room Room
	rapid.Check(t, func(rt *rapid.T) {
		r := drawRound(rt)
		for _, event := range []func() (string, object){r.opened, r.ended, r.closed} {
			name, value := event()
			data := encodeBy(t, file, name, value)
			if got, want := layout.ParseInto(&room, 0, data), layout.Parse(0, data); !reflect.DeepEqual(got, want) {
				rt.Fatalf("%s: %+v, want %+v", name, got, want)
			}
		}
		for _, data := range [][]byte{encodeStarted(r.key, r.started), encodeSettled(r.key, r.settled), encodeVoided(r.key, r.voided)} {
			if got, want := BuiltinLayout().ParseInto(&room, 0, data), Parse(data); !reflect.DeepEqual(got, want) {
				rt.Fatalf("%+v, want %+v", got, want)
			}
		}
	})
}

// Of several IDLs the one with the greatest slot that is not above holds.
func TestVersions(t *testing.T) {
	parse := func(text string) *idl.IDL {
		parsed, err := idl.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	older := parse(`{"instructions":[],"events":[{"name":"Ended","fields":[{"name":"id","type":"u32"},{"name":"pay","type":"u64"}]}]}`)
	newer := parse(`{"instructions":[],"events":[{"name":"Ended","fields":[{"name":"id","type":"u32"},{"name":"payout","type":"u64"}]}]}`)
	mapped := func(path string) EventMapping {
		return EventMapping{Kind: KindSettled, Event: "Ended", Fields: []FieldMapping{{Role: RoleNonce, Path: "id"}, {Role: RolePayout, Path: path}}}
	}
	m := Mapping{
		Versions: []Version{{IDL: newer, FromSlot: 100}, {IDL: older}},
		Key:      []Role{RoleNonce}, Events: []EventMapping{mapped("pay"), mapped("payout")},
	}
	l, err := NewLayout(m)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Bounds(); len(got) != 2 || got[0].FromSlot != 0 || got[0].Mapping != 0 || got[1].FromSlot != 100 || got[1].Mapping != 1 {
		t.Errorf("bounds %+v", got)
	}
	data := encodeBy(t, older, "Ended", object{"id": 5, "pay": 6})
	for _, slot := range []uint64{0, 99, 100, math.MaxUint64} {
		got := l.Parse(slot, data)
		if got.Kind != KindSettled || got.Key != (GameKey{Nonce: 5}) || got.Settled.Payout != 6 {
			t.Errorf("slot %d: %+v", slot, got)
		}
	}
	m.Events = m.Events[:1]
	if _, err := NewLayout(m); err == nil || !strings.Contains(err.Error(), `"payout"`) {
		t.Errorf("the newer IDL has no field pay: %v", err)
	}
}
