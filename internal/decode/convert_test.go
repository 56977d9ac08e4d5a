package decode

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go/base58"
	"pgregory.net/rapid"

	"minesaudit/internal/idl"
)

// one makes a layout of one event whose field f, of the given type in the JSON of
// an IDL, has a role.
func one(t testing.TB, typ string, f FieldMapping) (*idl.IDL, *Layout, error) {
	t.Helper()
	file, err := idl.Parse([]byte(`{"instructions":[],"events":[
	{"name":"E","fields":[{"name":"id","type":"u8"},{"name":"f","type":` + typ + `}]},{"name":"End","fields":[{"name":"id","type":"u8"}]}],
	"types":[
	{"name":"Outcome","type":{"kind":"enum","variants":[{"name":"Safe"},{"name":"Busted","fields":[{"name":"tile","type":"u8"}]}]}},
	{"name":"Wrapped","type":{"kind":"struct","fields":[{"array":["u8",32]}]}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if f.Path == "" && f.Constant == "" {
		f.Path = "f"
	}
	id := FieldMapping{Role: RoleNonce, Path: "id"}
	fields := []FieldMapping{id, f}
	if f.Role == RoleNonce {
		fields = fields[1:]
	}
	l, err := NewLayout(Mapping{
		Versions: []Version{{IDL: file}}, Key: []Role{RoleNonce},
		Events: []EventMapping{
			{Kind: kindOf(f.Role), Event: "E", Fields: fields},
			{Kind: KindVoided, Event: "End", Fields: []FieldMapping{id}},
		},
	})
	return file, l, err
}

// A conversion of a value, and what it becomes in the event.
type conversion struct {
	typ   string
	field FieldMapping
	value any // as idltest.Encode takes it
	want  any // a part of a problem where it is an error
}

type problem string

// got is what the event has for a role.
func got(e *Event, role Role) any {
	switch role {
	case RoleUser:
		return e.User
	case RoleNonce:
		return e.Nonce
	case RoleMinesCount:
		return e.Started.MinesCount
	case RoleStake:
		return e.Started.Stake
	case RoleCommitHash:
		return e.Started.CommitHash
	case RoleHouseEdge:
		return e.Started.HouseEdge
	case RoleStartedAt:
		return e.Started.StartedAt
	case RoleMinesMask:
		return e.Settled.MinesMask
	case RoleBustTile:
		if !e.Settled.HasBust {
			return "none"
		}
		return e.Settled.BustTile
	case RoleMultiplier:
		return e.Settled.Multiplier
	case RoleLost:
		return e.Settled.Says
	}
	return nil
}

func kindOf(role Role) Kind {
	if role != RoleLost && fieldsOfStarted.Has(role.Field()) {
		return KindStarted
	}
	return KindSettled
}

func TestConversions(t *testing.T) {
	bytes := func(b byte) string { h := fill(b); return hex.EncodeToString(h[:]) }
	key := func(b byte) string { h := fill(b); return base58.Encode(h[:]) }
	flags := func(n int, set ...int) []any {
		list := make([]any, n)
		for i := range list {
			list[i] = false
		}
		for _, i := range set {
			list[i] = true
		}
		return list
	}
	for _, c := range []conversion{
		{`"pubkey"`, FieldMapping{Role: RoleUser}, key(7), fill(7)},
		{`{"array":["u8",32]}`, FieldMapping{Role: RoleUser}, bytes(7), fill(7)},
		{`"string"`, FieldMapping{Role: RoleUser}, key(7), fill(7)},
		{`"string"`, FieldMapping{Role: RoleUser}, "0OIl", problem("no key in base58")},
		{`"string"`, FieldMapping{Role: RoleUser}, strings.Repeat("1", 1000), problem("no key in base58")},

		{`{"array":["u8",32]}`, FieldMapping{Role: RoleCommitHash}, bytes(9), fill(9)},
		{`"bytes"`, FieldMapping{Role: RoleCommitHash}, bytes(9), fill(9)},
		{`{"vec":"u8"}`, FieldMapping{Role: RoleCommitHash}, bytes(9), fill(9)},
		{`"pubkey"`, FieldMapping{Role: RoleCommitHash}, key(9), fill(9)},
		{`{"defined":"Wrapped"}`, FieldMapping{Role: RoleCommitHash, Path: "f.0"}, object{"0": bytes(9)}, fill(9)},
		{`"string"`, FieldMapping{Role: RoleCommitHash}, bytes(9), fill(9)},
		{`"string"`, FieldMapping{Role: RoleCommitHash}, "0x" + strings.ToUpper(bytes(9)), fill(9)},
		{`"string"`, FieldMapping{Role: RoleCommitHash}, bytes(9)[1:], problem("64 digits of hex")},
		{`"string"`, FieldMapping{Role: RoleCommitHash}, "g" + bytes(9)[1:], problem("64 digits of hex")},
		{`"bytes"`, FieldMapping{Role: RoleCommitHash}, bytes(9)[2:], problem("want 32 bytes")},
		{`"bytes"`, FieldMapping{Role: RoleCommitHash}, bytes(9) + "00", problem("want 32 bytes")},

		{`"u8"`, FieldMapping{Role: RoleNonce}, 255, uint64(255)},
		{`"i16"`, FieldMapping{Role: RoleNonce}, -1, problem("no amount from 0")},
		{`"u128"`, FieldMapping{Role: RoleNonce}, "18446744073709551615", uint64(math.MaxUint64)},
		{`"u128"`, FieldMapping{Role: RoleNonce}, "18446744073709551616", problem("no amount from 0")},
		{`{"option":"u64"}`, FieldMapping{Role: RoleNonce}, nil, problem("not there, and part of the key")},

		{`"u8"`, FieldMapping{Role: RoleMinesCount}, 24, uint8(24)},
		{`"u64"`, FieldMapping{Role: RoleMinesCount}, 24, uint8(24)},
		{`"u64"`, FieldMapping{Role: RoleMinesCount}, 256 + 3, uint8(255)},
		{`"i8"`, FieldMapping{Role: RoleMinesCount}, -1, uint8(255)},

		{`"u16"`, FieldMapping{Role: RoleStake}, 65535, uint64(65535)},
		{`"i64"`, FieldMapping{Role: RoleStake}, -1, problem("no amount from 0")},
		{`"u256"`, FieldMapping{Role: RoleStake}, "18446744073709551616", problem("no amount from 0")},
		{`"u32"`, FieldMapping{Role: RoleStake, Unit: UnitTokens, Decimals: 9}, 3, uint64(3_000_000_000)},
		{`"u64"`, FieldMapping{Role: RoleStake, Unit: UnitTokens, Decimals: 19}, 2, problem("no amount from 0")},
		{`"f64"`, FieldMapping{Role: RoleStake, Unit: UnitTokens, Decimals: 9}, 0.1, uint64(100_000_000)},
		{`"f64"`, FieldMapping{Role: RoleStake, Unit: UnitTokens, Decimals: 9}, 123456.789012345, uint64(123456789012345)},
		{`"f64"`, FieldMapping{Role: RoleStake, Unit: UnitTokens, Decimals: 9}, math.Nextafter(0.1, 1), problem("gives this float")},
		{`"f64"`, FieldMapping{Role: RoleStake, Unit: UnitTokens, Decimals: 9}, 0.0000000015, problem("gives this float")},
		{`"f64"`, FieldMapping{Role: RoleStake, Unit: UnitTokens, Decimals: 9}, -1.0, problem("gives this float")},
		{`"f64"`, FieldMapping{Role: RoleStake, Unit: UnitTokens, Decimals: 9}, math.NaN(), problem("gives this float")},
		{`"f64"`, FieldMapping{Role: RoleStake, Unit: UnitTokens, Decimals: 9}, math.Inf(1), problem("gives this float")},
		{`"f64"`, FieldMapping{Role: RoleStake, Unit: UnitTokens, Decimals: 0}, 9007199254740994.0, uint64(1<<53 + 2)},
		{`"f64"`, FieldMapping{Role: RoleStake, Unit: UnitTokens, Decimals: 0}, 9007199254740996.0, problem("gives this float")},
		{`"f32"`, FieldMapping{Role: RoleStake, Unit: UnitTokens, Decimals: 2}, 0.1, uint64(10)},
		{`"f32"`, FieldMapping{Role: RoleStake, Unit: UnitTokens, Decimals: 9}, 123.456, problem("gives this float")},
		{`"f64"`, FieldMapping{Role: RoleMultiplier, Unit: UnitTokens, Decimals: 4}, 2.5, uint64(25000)},
		{`{"option":"u64"}`, FieldMapping{Role: RoleMultiplier}, 5, uint64(5)},

		{`"u16"`, FieldMapping{Role: RoleHouseEdge}, 250, uint32(250)},
		{`"u64"`, FieldMapping{Role: RoleHouseEdge, Unit: UnitBPS}, 1 << 33, uint32(math.MaxUint32)},
		{`"i32"`, FieldMapping{Role: RoleHouseEdge, Unit: UnitPPB}, -1, uint32(math.MaxUint32)},
		{`"u64"`, FieldMapping{Role: RoleStartedAt}, "9223372036854775807", int64(math.MaxInt64)},
		{`"u64"`, FieldMapping{Role: RoleStartedAt}, "9223372036854775808", problem("no number of seconds")},
		{`"i32"`, FieldMapping{Role: RoleStartedAt}, -5, int64(-5)},
		{`"u32"`, FieldMapping{Role: RoleStartedAt}, 1 << 31, int64(1 << 31)},

		{`"u8"`, FieldMapping{Role: RoleMinesMask}, 0b101, uint32(0b101)},
		{`"u32"`, FieldMapping{Role: RoleMinesMask}, math.MaxUint32, uint32(math.MaxUint32)},
		{`"i32"`, FieldMapping{Role: RoleMinesMask}, -1, uint32(math.MaxUint32)},
		{`"u64"`, FieldMapping{Role: RoleMinesMask}, 1<<24 | 1, uint32(1<<24 | 1)},
		{`"u64"`, FieldMapping{Role: RoleMinesMask}, 1<<40 | 1, uint32(1<<31 | 1)},
		{`{"array":["bool",25]}`, FieldMapping{Role: RoleMinesMask}, flags(25, 0, 24), uint32(1<<24 | 1)},
		{`{"vec":"bool"}`, FieldMapping{Role: RoleMinesMask}, flags(3, 2), uint32(4)},
		{`{"vec":"bool"}`, FieldMapping{Role: RoleMinesMask}, flags(40, 1, 39), uint32(1<<31 | 2)},
		{`{"vec":"bool"}`, FieldMapping{Role: RoleMinesMask}, flags(0), uint32(0)},
		{`{"array":["u8",25]}`, FieldMapping{Role: RoleMinesMask, Unit: UnitFlags}, "00010200" + strings.Repeat("00", 21), uint32(6)},
		{`{"array":["u16",4]}`, FieldMapping{Role: RoleMinesMask, Unit: UnitFlags}, []any{0, 256, 0, 1}, uint32(10)},
		{`{"array":["u8",3]}`, FieldMapping{Role: RoleMinesMask, Unit: UnitTiles}, "000318", uint32(1<<24 | 9)},
		{`"bytes"`, FieldMapping{Role: RoleMinesMask}, "0318", uint32(1<<24 | 8)},
		{`{"vec":"u64"}`, FieldMapping{Role: RoleMinesMask}, []any{3, 3, 32}, uint32(1<<31 | 8)},
		{`{"vec":"i8"}`, FieldMapping{Role: RoleMinesMask}, []any{-1, 0}, uint32(1<<31 | 1)},
		{`{"vec":"u128"}`, FieldMapping{Role: RoleMinesMask}, []any{"18446744073709551616"}, uint32(1 << 31)},

		{`{"option":"u8"}`, FieldMapping{Role: RoleBustTile}, nil, "none"},
		{`{"option":"u8"}`, FieldMapping{Role: RoleBustTile}, 0, uint8(0)},
		{`{"option":"u8"}`, FieldMapping{Role: RoleBustTile}, 255, uint8(255)},
		{`{"option":"i8"}`, FieldMapping{Role: RoleBustTile}, -1, "none"},
		{`"u8"`, FieldMapping{Role: RoleBustTile}, 255, "none"},
		{`"u8"`, FieldMapping{Role: RoleBustTile}, 254, uint8(254)},
		{`"u8"`, FieldMapping{Role: RoleBustTile}, 0, uint8(0)},
		{`"i8"`, FieldMapping{Role: RoleBustTile}, -1, "none"},
		{`"i32"`, FieldMapping{Role: RoleBustTile}, -128, "none"},
		{`"u32"`, FieldMapping{Role: RoleBustTile}, math.MaxUint32, "none"},
		{`"u32"`, FieldMapping{Role: RoleBustTile}, 255, "none"},
		{`"u32"`, FieldMapping{Role: RoleBustTile}, 256 + 3, uint8(254)},
		{`"u256"`, FieldMapping{Role: RoleBustTile}, "340282366920938463463374607431768211456", uint8(254)},
		{`{"defined":"Outcome"}`, FieldMapping{Role: RoleBustTile, Path: "f.Busted.tile"}, object{"Busted": object{"tile": 9}}, uint8(9)},
		{`{"defined":"Outcome"}`, FieldMapping{Role: RoleBustTile, Path: "f.Busted.tile"}, object{"Safe": object{}}, "none"},

		{`"bool"`, FieldMapping{Role: RoleLost}, true, OutcomeLost},
		{`"bool"`, FieldMapping{Role: RoleLost}, false, OutcomeWon},
		{`"bool"`, FieldMapping{Role: RoleLost, Unit: UnitWon}, true, OutcomeWon},
		{`"bool"`, FieldMapping{Role: RoleLost, Unit: UnitWon}, false, OutcomeLost},
		{`{"option":"bool"}`, FieldMapping{Role: RoleLost}, nil, OutcomeUnsaid},
		{`{"defined":"Outcome"}`, FieldMapping{Role: RoleLost, Path: "f.Busted"}, object{"Busted": object{"tile": 9}}, OutcomeLost},
		{`{"defined":"Outcome"}`, FieldMapping{Role: RoleLost, Path: "f.Busted"}, object{"Safe": object{}}, OutcomeWon},
		{`{"defined":"Outcome"}`, FieldMapping{Role: RoleLost, Path: "f.Safe", Unit: UnitWon}, object{"Safe": object{}}, OutcomeWon},
		{`{"defined":"Outcome"}`, FieldMapping{Role: RoleLost, Path: "f.Safe", Unit: UnitWon}, object{"Busted": object{"tile": 9}}, OutcomeLost},
	} {
		name := fmt.Sprintf("%s of %s %s, %v", c.field.Role, c.typ, c.field.Unit, c.value)
		file, l, err := one(t, c.typ, c.field)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		e := l.Parse(0, encodeBy(t, file, "E", object{"id": 1, "f": c.value}))
		if why, isProblem := c.want.(problem); isProblem {
			if e.Kind != KindMalformed || !strings.Contains(e.Problem, string(why)) || !strings.Contains(e.Problem, c.field.Role.String()) {
				t.Errorf("%s: %v %q, want %q", name, e.Kind, e.Problem, why)
			}
			continue
		}
		if e.Problem != "" {
			t.Errorf("%s: %s", name, e.Problem)
		} else if got := got(&e, c.field.Role); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A game that has a number in place of an address has it in its key.
func TestGameByNumber(t *testing.T) {
	file, err := idl.Parse([]byte(`{"instructions":[],"events":[{"name":"End","fields":[{"name":"id","type":"i32"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLayout(Mapping{
		Versions: []Version{{IDL: file}}, Key: []Role{RoleGame},
		Events: []EventMapping{{Kind: KindVoided, Event: "End", Fields: []FieldMapping{{Role: RoleGame, Path: "id"}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	e := l.Parse(0, encodeBy(t, file, "End", object{"id": 0x010203}))
	if want := [32]byte{29: 1, 30: 2, 31: 3}; e.Key != (GameKey{Game: want}) || e.Missing != fieldsOfVoided {
		t.Errorf("%+v", e)
	}
	if e := l.Parse(0, encodeBy(t, file, "End", object{"id": -1})); e.Kind != KindMalformed || !strings.Contains(e.Problem, "negative") {
		t.Errorf("%+v", e)
	}
}

// What is not there is missing, and what follows from it is not.
func TestMissing(t *testing.T) {
	for _, test := range []struct {
		typ   string
		field FieldMapping
		value any
		want  Fields
	}{
		{`{"option":"u64"}`, FieldMapping{Role: RolePayout}, 5, fieldsOfSettled &^ (FieldNonce | FieldPayout)},
		{`{"option":"u64"}`, FieldMapping{Role: RolePayout}, nil, fieldsOfSettled &^ FieldNonce},
		{`{"coption":"u64"}`, FieldMapping{Role: RoleStake}, nil, fieldsOfStarted &^ FieldNonce},
		{`{"option":"u8"}`, FieldMapping{Role: RoleBustTile}, nil, fieldsOfSettled &^ (FieldNonce | FieldBustTile)},
		{`"bool"`, FieldMapping{Role: RoleLost}, true, fieldsOfSettled &^ FieldNonce},
		{`"bool"`, FieldMapping{Role: RoleLost}, false, fieldsOfSettled &^ (FieldNonce | FieldBustTile)},
		{`"u8"`, FieldMapping{Role: RoleStake, Constant: "5"}, 1, fieldsOfStarted &^ (FieldNonce | FieldStake)},
	} {
		file, l, err := one(t, test.typ, test.field)
		if err != nil {
			t.Errorf("%v: %v", test, err)
			continue
		}
		if e := l.Parse(0, encodeBy(t, file, "E", object{"id": 1, "f": test.value})); e.Problem != "" || e.Missing != test.want {
			t.Errorf("%s of %s, %v: %q, missing %s, want %s", test.field.Role, test.typ, test.value, e.Problem, e.Missing, test.want)
		}
	}
}

// Types that cannot be a role's are refused, with what it wants.
func TestForms(t *testing.T) {
	for _, test := range []struct {
		typ   string
		field FieldMapping
		want  string
	}{
		{`"u64"`, FieldMapping{Role: RoleUser}, "want a pubkey"},
		{`{"array":["u8",31]}`, FieldMapping{Role: RoleUser}, "want a pubkey"},
		{`"u64"`, FieldMapping{Role: RoleCommitHash}, "want 32 bytes"},
		{`{"array":["u8",64]}`, FieldMapping{Role: RoleCommitHash}, "want 32 bytes"},
		{`{"defined":"Wrapped"}`, FieldMapping{Role: RoleCommitHash}, "want 32 bytes"},
		{`"string"`, FieldMapping{Role: RoleStake}, "want an integer or a float"},
		{`"f64"`, FieldMapping{Role: RoleStake}, "a float needs decimals"},
		{`"f64"`, FieldMapping{Role: RoleMinesCount}, "want an integer"},
		{`"bool"`, FieldMapping{Role: RoleBustTile}, "want an integer"},
		{`"bool"`, FieldMapping{Role: RoleMinesMask}, "want an integer of a bit"},
		{`{"array":["u8",25]}`, FieldMapping{Role: RoleMinesMask}, "say unit: tiles or unit: flags"},
		{`{"vec":"pubkey"}`, FieldMapping{Role: RoleMinesMask}, "want a list of bools"},
		{`{"array":["bool",25]}`, FieldMapping{Role: RoleMinesMask, Unit: UnitTiles}, "want a list of bools"},
		{`"u32"`, FieldMapping{Role: RoleMinesMask, Unit: UnitFlags}, "no unit"},
		{`"u32"`, FieldMapping{Role: RoleLost}, "want a bool"},
		{`{"defined":"Outcome"}`, FieldMapping{Role: RoleLost}, "name the variant"},
		{`"u32"`, FieldMapping{Role: RoleNonce, Unit: UnitTokens}, "does not go with it"},
		{`"u32"`, FieldMapping{Role: RoleHouseEdge, Unit: UnitTokens}, "does not go with it"},
		{`"bool"`, FieldMapping{Role: RoleLost, Unit: UnitBPS}, "does not go with it"},
		{`"u8"`, FieldMapping{Role: RoleStake, Unit: UnitTokens, Decimals: -1}, "want 0 to 19"},
	} {
		if _, _, err := one(t, test.typ, test.field); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s of %s %s: %v", test.field.Role, test.typ, test.field.Unit, err)
		}
	}
}

func TestConstants(t *testing.T) {
	h := fill(3)
	for _, test := range []struct {
		field FieldMapping
		want  any // a problem, or the value
	}{
		{FieldMapping{Role: RoleUser, Constant: base58.Encode(h[:])}, h},
		{FieldMapping{Role: RoleUser, Constant: "x"}, problem("base58")},
		{FieldMapping{Role: RoleCommitHash, Constant: hex.EncodeToString(h[:])}, h},
		{FieldMapping{Role: RoleCommitHash, Constant: hex.EncodeToString(h[1:])}, problem("hex")},
		{FieldMapping{Role: RoleCommitHash, Constant: hex.EncodeToString(append(h[:], 0))}, problem("hex")},
		{FieldMapping{Role: RoleMinesCount, Constant: "24"}, uint8(24)},
		{FieldMapping{Role: RoleMinesCount, Constant: "256"}, problem("0 to 255")},
		{FieldMapping{Role: RoleHouseEdge, Constant: "0x10"}, uint32(16)},
		{FieldMapping{Role: RoleStake, Constant: "1.5", Unit: UnitTokens, Decimals: 9}, uint64(1_500_000_000)},
		{FieldMapping{Role: RoleStake, Constant: "1.5"}, problem("more than 0 decimals")},
		{FieldMapping{Role: RoleStake, Constant: "-1"}, problem("want an amount")},
		{FieldMapping{Role: RoleStake, Constant: "18446744073709551616"}, problem("want an amount")},
		{FieldMapping{Role: RoleStake, Constant: "18446744073709551615"}, uint64(math.MaxUint64)},
		{FieldMapping{Role: RoleStartedAt, Constant: "9"}, int64(9)},
		{FieldMapping{Role: RoleBustTile, Constant: "none"}, "none"},
		{FieldMapping{Role: RoleBustTile, Constant: "7"}, uint8(7)},
		{FieldMapping{Role: RoleLost, Constant: "true"}, problem("lost: true or lost: false")},
	} {
		file, l, err := one(t, `"u8"`, test.field)
		if why, isProblem := test.want.(problem); isProblem {
			if err == nil || !strings.Contains(err.Error(), string(why)) {
				t.Errorf("%v: %v", test.field, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", test.field, err)
			continue
		}
		if e := l.Parse(0, encodeBy(t, file, "E", object{"id": 1, "f": 2})); got(&e, test.field.Role) != test.want {
			t.Errorf("%v: %v, want %v", test.field, got(&e, test.field.Role), test.want)
		}
	}
}

// Every amount that a float of 64 bits can hold apart from its neighbours comes
// back from it, and from no other float.
func TestExactAmount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		decimals := rapid.IntRange(0, 19).Draw(t, "decimals")
		n := rapid.Uint64Max(1<<52-1).Draw(t, "n")
		f := float64(n) / float64(powerOfTen(decimals)) // both exact up to 10^22
		if got, ok := exactAmount(f, 64, decimals); !ok || got != n {
			t.Fatalf("%v of %d decimals: %d, %v, want %d", f, decimals, got, ok, n)
		}
		other := math.Nextafter(f, rapid.SampledFrom([]float64{-1, math.Inf(1)}).Draw(t, "side"))
		if got, ok := exactAmount(other, 64, decimals); ok && got == n {
			t.Fatalf("%v gives %d too", other, n)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		if n, ok := exactAmount(f, 64, 9); ok && float64(n) < 1<<53 && float64(n)/1e9 != f {
			t.Fatalf("%v is taken for %d", f, n)
		}
	})
}

func TestRolesAreFields(t *testing.T) {
	for r := RoleGame; r <= RoleLost; r++ {
		if got, ok := ParseRole(r.String()); !ok || got != r {
			t.Errorf("%d: %v, %v", r, got, ok)
		}
		if f := r.Field(); f != 0 && f.String() != r.String() {
			t.Errorf("%s is the field %s", r, f)
		}
	}
	if RoleUser.Field() != FieldUser || RoleAuthority.Field() != FieldAuthority || RoleGame.Field() != 0 || RoleLost.Field() != 0 {
		t.Error("roles and fields are out of step")
	}
	if _, ok := ParseRole("none"); ok || Role(99).String() != "unknown" {
		t.Error("there are more roles than there are")
	}
}
