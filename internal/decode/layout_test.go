package decode

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseStarted(t *testing.T) {
	for name, started := range map[string]Started{
		"zero": {},
		"highest": {
			MinesCount: math.MaxUint8, Stake: math.MaxUint64, CommitHash: fill(200), Slothash: fill(201), HouseEdge: math.MaxUint16,
			MaxPayout: math.MaxUint64, RefundTimeout: math.MaxInt64, StartedAt: math.MaxInt64,
		},
		"lowest times":     {RefundTimeout: math.MinInt64, StartedAt: math.MinInt64},
		"each of its own":  {MinesCount: 1, Stake: 2, CommitHash: fill(3), Slothash: fill(4), HouseEdge: 5, MaxPayout: 6, RefundTimeout: 7, StartedAt: 8},
		"beyond a float64": {Stake: 1<<53 + 1, MaxPayout: 1<<63 + 1},
	} {
		t.Run(name, func(t *testing.T) {
			raw := encodeStarted(sampleKey(), started)
			want := Event{Kind: KindStarted, Data: raw, Key: sampleKey(), User: sampleKey().User, Nonce: sampleKey().Nonce, Started: &started}
			if got := Parse(raw); !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestParseSettled(t *testing.T) {
	for name, settled := range map[string]Settled{
		"zero":            {},
		"bust on tile 0":  {HasBust: true},
		"each of its own": {ServerSeed: fill(1), Slothash: fill(2), MinesMask: 3, RevealedMask: 4, BustTile: 5, HasBust: true, Multiplier: 6, Payout: 7},
		"highest": {
			ServerSeed: fill(200), Slothash: fill(201), MinesMask: math.MaxUint32, RevealedMask: math.MaxUint32,
			BustTile: math.MaxUint8, HasBust: true, Multiplier: math.MaxUint64, Payout: math.MaxUint64,
		},
		"highest without bust": {MinesMask: math.MaxUint32, RevealedMask: math.MaxUint32, Multiplier: math.MaxUint64, Payout: math.MaxUint64},
	} {
		t.Run(name, func(t *testing.T) {
			raw := encodeSettled(sampleKey(), settled)
			want := Event{Kind: KindSettled, Data: raw, Key: sampleKey(), User: sampleKey().User, Nonce: sampleKey().Nonce, Settled: &settled}
			if got := Parse(raw); !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestParseVoided(t *testing.T) {
	for _, voided := range []Voided{{}, {Refund: math.MaxUint64, Authority: fill(9)}} {
		key := GameKey{Game: fill(7), User: fill(8), Nonce: math.MaxUint64}
		raw := encodeVoided(key, voided)
		want := Event{Kind: KindVoided, Data: raw, Key: key, User: key.User, Nonce: key.Nonce, Voided: &voided}
		if got := Parse(raw); !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// Every length but the right one is malformed, and none reads past the end.
func TestParseLength(t *testing.T) {
	for name, raw := range map[string][]byte{
		"started":           encodeStarted(sampleKey(), Started{}),
		"settled":           encodeSettled(sampleKey(), Settled{}),
		"settled with bust": encodeSettled(sampleKey(), Settled{HasBust: true}),
		"voided":            sampleVoid(),
	} {
		long := append(bytes.Clone(raw), make([]byte, 300)...)
		for n := range long {
			want := KindMalformed
			switch {
			case n == len(raw):
				continue
			case n > 0 && n < 8:
				want = KindUnknown
			}
			if got := Parse(long[:n:n]); got.Kind != want || got.Problem == "" || got.Key != (GameKey{}) {
				t.Errorf("%s of %d bytes: kind %v, problem %q, want %v and a problem", name, n, got.Kind, got.Problem, want)
			}
		}
	}
}

func TestParseOptionTag(t *testing.T) {
	for _, bust := range []bool{false, true} {
		raw := encodeSettled(sampleKey(), Settled{HasBust: bust})
		for tag := 2; tag < 256; tag++ {
			raw[bustTagOffset] = byte(tag)
			if got := Parse(raw); got.Kind != KindMalformed || !strings.Contains(got.Problem, "tag") || got.Settled != nil {
				t.Fatalf("tag %d: kind %v, problem %q", tag, got.Kind, got.Problem)
			}
		}
	}
	raw := encodeSettled(sampleKey(), Settled{})
	raw[bustTagOffset] = 1
	if got := Parse(raw); got.Kind != KindMalformed {
		t.Errorf("a tag without its tile: kind %v", got.Kind)
	}
}

func TestParseForeignNames(t *testing.T) {
	for _, name := range []string{"minesGameStarted", "MinesGameCancelled", "MinesDerived", "MinesJudged"} {
		if got := Parse(encode(name, make([]byte, 171))); got.Kind != KindUnknown || got.Problem == "" {
			t.Errorf("%s: kind %v, problem %q", name, got.Kind, got.Problem)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	u64 := rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, 1 << 53, 1<<53 + 1, 1 << 63, math.MaxUint64}))
	rapid.Check(t, func(t *rapid.T) {
		hash := func(name string) (h [32]byte) {
			copy(h[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, name))
			return h
		}
		key := GameKey{Game: hash("game"), User: hash("user"), Nonce: u64.Draw(t, "nonce")}
		started := Started{
			MinesCount: rapid.Uint8().Draw(t, "mines"), Stake: u64.Draw(t, "stake"), CommitHash: hash("commit"), Slothash: hash("slothash"),
			HouseEdge: uint32(rapid.Uint16().Draw(t, "edge")), MaxPayout: u64.Draw(t, "cap"),
			RefundTimeout: rapid.Int64().Draw(t, "timeout"), StartedAt: rapid.Int64().Draw(t, "at"),
		}
		settled := Settled{
			ServerSeed: hash("seed"), Slothash: hash("slothash"), MinesMask: rapid.Uint32().Draw(t, "mines"), RevealedMask: rapid.Uint32().Draw(t, "revealed"),
			HasBust: rapid.Bool().Draw(t, "lost"), Multiplier: u64.Draw(t, "multiplier"), Payout: u64.Draw(t, "payout"),
		}
		if settled.HasBust {
			settled.BustTile = rapid.Uint8().Draw(t, "bust")
		}
		voided := Voided{Refund: u64.Draw(t, "refund"), Authority: hash("authority")}

		log := []string{"Program " + program + " invoke [1]"}
		for _, raw := range [][]byte{encodeStarted(key, started), encodeSettled(key, settled), encodeVoided(key, voided)} {
			log = append(log, dataLine(raw))
		}
		got := builtin(program).Logs(0, append(log, "Program "+program+" success"), false)
		if got.State != LogComplete || len(got.Events) != 3 {
			t.Fatalf("%v with %d events", got.State, len(got.Events))
		}
		for i, e := range got.Events {
			if e.Key != key || e.Ordinal != uint32(i) {
				t.Fatalf("event %d: key %+v, ordinal %d", i, e.Key, e.Ordinal)
			}
		}
		if *got.Events[0].Started != started || *got.Events[1].Settled != settled || *got.Events[2].Voided != voided {
			t.Fatalf("got %+v, %+v, %+v", got.Events[0].Started, got.Events[1].Settled, got.Events[2].Voided)
		}
	})
}
