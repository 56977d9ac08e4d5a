package idl_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"

	"minesaudit/internal/idl"
	"minesaudit/internal/idl/idltest"
)

func readFile(tb testing.TB, path string) []byte {
	tb.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

// builtinIDL is the layout that the daemon knows without a file.
const builtinIDL = `{"version":"0.1.0","name":"mines","instructions":[],"types":[],"events":[
	{"name":"MinesGameStarted","fields":[{"name":"game","type":"publicKey"},{"name":"user","type":"publicKey"},{"name":"nonce","type":"u64"},
		{"name":"mines_count","type":"u8"},{"name":"stake","type":"u64"},{"name":"commit_hash","type":{"array":["u8",32]}},{"name":"slothash","type":{"array":["u8",32]}},
		{"name":"house_edge_bps","type":"u16"},{"name":"max_payout","type":"u64"},{"name":"refund_timeout","type":"i64"},{"name":"started_at","type":"i64"}]},
	{"name":"MinesGameSettled","fields":[{"name":"game","type":"publicKey"},{"name":"user","type":"publicKey"},{"name":"nonce","type":"u64"},
		{"name":"server_seed","type":{"array":["u8",32]}},{"name":"slothash","type":{"array":["u8",32]}},{"name":"mines_mask","type":"u32"},{"name":"revealed_mask","type":"u32"},
		{"name":"bust_tile","type":{"option":"u8"}},{"name":"multiplier","type":"u64"},{"name":"payout","type":"u64"}]},
	{"name":"MinesGameVoided","fields":[{"name":"game","type":"publicKey"},{"name":"user","type":"publicKey"},{"name":"nonce","type":"u64"},
		{"name":"refund","type":"u64"},{"name":"authority","type":"publicKey"}]}]}`

// A planned event is one payload with a plan of all its fields.
type planned struct {
	idl    *idl.IDL
	event  *idl.Event
	plan   *idl.Plan
	data   []byte
	values []idl.Value
}

func builtin(tb testing.TB) []*planned {
	parsed := parse(tb, builtinIDL)
	payloads := map[string]string{
		"MinesGameStarted": key() + "\x03" + le64(1e9) + strings.Repeat("h", 32) + strings.Repeat("s", 32) + "\x64\x00" + le64(5e9) + le64(3600) + le64(1.7e9),
		"MinesGameSettled": key() + strings.Repeat("r", 32) + strings.Repeat("s", 32) + "\x07\x00\x00\x00" + "\x08\x00\x00\x00" + "\x01\x02" + le64(0) + le64(0),
		"MinesGameVoided":  key() + le64(1e9) + strings.Repeat("a", 32),
	}
	var all []*planned
	for _, e := range parsed.Events {
		var paths []string
		for _, leaf := range e.Leaves() {
			paths = append(paths, leaf.Path)
		}
		plan, err := e.Compile(paths)
		if err != nil {
			tb.Fatal(err)
		}
		data := append(bytes.Clone(e.Discriminator), payloads[e.Name]...)
		all = append(all, &planned{parsed, e, plan, data, make([]idl.Value, len(paths))})
	}
	return all
}

func key() string { return strings.Repeat("g", 32) + strings.Repeat("u", 32) + le64(9) }

func (p *planned) read(tb testing.TB) {
	e, ok := p.idl.Match(p.data)
	if !ok || e != p.event {
		tb.Fatal("another event")
	}
	if err := p.plan.Read(p.data[len(e.Discriminator):], p.values); err != nil {
		tb.Fatal(err)
	}
}

func TestBuiltinLayoutByPlan(t *testing.T) {
	three := builtin(t)
	for _, p := range three {
		p.read(t)
	}
	started, settled := three[0].values, three[1].values
	if game, ok := started[0].Bytes32(); !ok || string(game[:]) != strings.Repeat("g", 32) {
		t.Errorf("game %x, %t", game, ok)
	}
	if hash, ok := started[5].Bytes32(); !ok || string(hash[:]) != strings.Repeat("h", 32) {
		t.Errorf("commit_hash %x, %t", hash, ok)
	}
	for name, v := range map[string]struct {
		value idl.Value
		want  uint64
	}{
		"nonce": {started[2], 9}, "mines_count": {started[3], 3}, "stake": {started[4], 1e9}, "house_edge_bps": {started[7], 100},
		"started_at": {started[10], 1.7e9}, "mines_mask": {settled[5], 7}, "bust_tile": {settled[7], 2}, "payout": {settled[9], 0},
	} {
		if got, ok := v.value.Uint64(); !ok || got != v.want {
			t.Errorf("%s: got %d, %t; want %d", name, got, ok, v.want)
		}
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	for _, p := range builtin(t) {
		if n := testing.AllocsPerRun(100, func() { p.read(t) }); n != 0 {
			t.Errorf("%s: %v allocations", p.event.Name, n)
		}
		out := make([]byte, 0, 4096)
		if n := testing.AllocsPerRun(100, func() {
			if _, err := p.event.AppendJSON(out, p.data[len(p.event.Discriminator):]); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s as JSON: %v allocations", p.event.Name, n)
		}
	}
}

const outcomeIDL = `{"events":[{"name":"Ended","fields":[{"name":"a","type":{"defined":"A"}},{"name":"outcome","type":{"option":{"defined":"Outcome"}}},
	{"name":"tiles","type":{"vec":"bool"}},{"name":"list","type":{"vec":{"option":"u8"}}},{"name":"big","type":"u128"},{"name":"low","type":"i16"}]}],
	"types":[{"name":"A","type":{"kind":"struct","fields":[{"name":"b","type":{"defined":"B"}}]}},{"name":"B","type":{"kind":"struct","fields":["u8","string"]}},
	{"name":"Outcome","type":{"kind":"enum","variants":[{"name":"Cashed"},{"name":"Busted","fields":[{"name":"tile","type":{"option":"u8"}}]},{"name":"Void","fields":["u64"]}]}}]}`

func TestPathsThroughEverything(t *testing.T) {
	e := event(t, parse(t, outcomeIDL), "Ended")
	paths := []string{"a.b.1", "outcome", "outcome.Busted", "outcome.Busted.tile", "outcome.Void.0", "tiles", "list", "big", "low", "a", "outcome.Busted.tile"}
	plan, err := e.Compile(paths)
	if err != nil {
		t.Fatal(err)
	}
	read := func(outcome any) map[string]idl.Value {
		payload, err := idltest.Encode(e, map[string]any{
			"a": map[string]any{"b": map[string]any{"0": 7, "1": "seven"}}, "outcome": outcome, "tiles": []any{true, false, true},
			"list": []any{1, nil, 3}, "big": "36893488147419103233", "low": -2,
		})
		if err != nil {
			t.Fatal(err)
		}
		values := make([]idl.Value, len(paths))
		if err := plan.Read(payload, values); err != nil {
			t.Fatal(err)
		}
		found := map[string]idl.Value{}
		for i, path := range paths {
			if v, again := found[path]; again && string(v.AppendJSON(nil)) != string(values[i].AppendJSON(nil)) {
				t.Errorf("%s twice: %s and %s", path, v.AppendJSON(nil), values[i].AppendJSON(nil))
			}
			found[path] = values[i]
		}
		return found
	}

	none := read(nil)
	for _, path := range []string{"outcome", "outcome.Busted", "outcome.Busted.tile", "outcome.Void.0"} {
		if none[path].Present() {
			t.Errorf("%s is there without an outcome", path)
		}
	}
	if text, ok := none["a.b.1"].Bytes(); !ok || string(text) != "seven" {
		t.Errorf("a.b.1: %q, %t", text, ok)
	}
	if got := string(none["a"].AppendJSON(nil)); got != `{"b":{"0":7,"1":"seven"}}` {
		t.Errorf("a: %s", got)
	}
	if hi, lo, ok := none["big"].Uint128(); !ok || hi != 2 || lo != 1 {
		t.Errorf("big: %d, %d, %t", hi, lo, ok)
	}
	if _, ok := none["big"].Uint64(); ok {
		t.Error("big fits 64 bits")
	}
	if _, ok := none["low"].Uint64(); ok {
		t.Error("-2 is a uint64")
	}
	if n, ok := none["low"].Int64(); !ok || n != -2 {
		t.Errorf("low: %d, %t", n, ok)
	}

	bust := read(map[string]any{"Busted": map[string]any{"tile": 24}})
	if name, ok := bust["outcome"].Variant(); !ok || name != "Busted" {
		t.Errorf("outcome: %q, %t", name, ok)
	}
	if tile, ok := bust["outcome.Busted.tile"].Uint64(); !ok || tile != 24 || !bust["outcome.Busted"].Present() || bust["outcome.Void.0"].Present() {
		t.Errorf("tile %d, %t", tile, ok)
	}
	unknown := read(map[string]any{"Busted": map[string]any{"tile": nil}})
	if unknown["outcome.Busted.tile"].Present() || !unknown["outcome.Busted"].Present() {
		t.Error("a bust without a tile")
	}
	cashed := read(map[string]any{"Cashed": map[string]any{}})
	if name, ok := cashed["outcome"].Variant(); !ok || name != "Cashed" || cashed["outcome.Busted"].Present() {
		t.Errorf("outcome: %q, %t", name, ok)
	}

	var bits []bool
	for _, v := range cashed["tiles"].Elems {
		b, ok := v.Bool()
		bits = append(bits, b && ok)
	}
	if n, ok := cashed["tiles"].Len(); !ok || n != 3 || len(bits) != 3 || !bits[0] || bits[1] || !bits[2] {
		t.Errorf("tiles %v of %d, %t", bits, n, ok)
	}
	var there []bool
	for _, v := range cashed["list"].Elems {
		there = append(there, v.Present())
	}
	if len(there) != 3 || !there[0] || there[1] || !there[2] {
		t.Errorf("list: %v", there)
	}
}

func TestPathsThatLeadNowhere(t *testing.T) {
	e := event(t, parse(t, outcomeIDL), "Ended")
	for path, says := range map[string]string{
		"":                     `"" in Ended, which has "a", "outcome"`,
		"b":                    `"b" in Ended`,
		"a.b.2":                `"2" in B, which has "0", "1"`,
		"outcome.busted":       `which has "Cashed", "Busted", "Void"`,
		"outcome.Cashed.x":     "no fields",
		"outcome.Busted.tile.": `"" in u8`,
		"tiles.0":              `"0" in vec<bool>`,
	} {
		if _, err := e.Compile([]string{"a", path}); !errors.Is(err, idl.ErrNoField) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v; want one that says %s", path, err, says)
		}
		if _, err := e.Leaf(path); !errors.Is(err, idl.ErrNoField) {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestLeavesSayWhatComes(t *testing.T) {
	e := event(t, parse(t, outcomeIDL), "Ended")
	var got []string
	for _, leaf := range e.Leaves() {
		text := leaf.Path + " " + leaf.Type.String()
		if leaf.Optional {
			text += "?"
		}
		got = append(got, text)
	}
	want := []string{
		"a A", "a.b B", "a.b.0 u8", "a.b.1 string", "outcome Outcome?", "outcome.Cashed ()?", "outcome.Busted (option<u8>)?", "outcome.Busted.tile u8?",
		"outcome.Void (u64)?", "outcome.Void.0 u64?", "tiles vec<bool>", "list vec<option<u8>>", "big u128", "low i16",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// A value of another kind than asked for is not taken for one.
func TestValuesOfAnotherKind(t *testing.T) {
	for kind, raw := range map[string][]byte{`"bool"`: {1}, `"string"`: {0, 0, 0, 0}, `"f64"`: make([]byte, 8), `"u32"`: binary.LittleEndian.AppendUint32(nil, 1<<31)} {
		e := event(t, parse(t, oneEvent(kind, ``)), "E")
		plan, err := e.Compile([]string{"f"})
		if err != nil {
			t.Fatal(err)
		}
		values := make([]idl.Value, 1)
		if err := plan.Read(raw, values); err != nil {
			t.Fatal(err)
		}
		v := values[0]
		_, isBool := v.Bool()
		_, isUint := v.Uint64()
		_, isInt := v.Int64()
		_, isBytes := v.Bytes()
		_, isKey := v.Bytes32()
		_, isVariant := v.Variant()
		_, isList := v.Len()
		got := [7]bool{isBool, isUint, isInt, isBytes, isKey, isVariant, isList}
		want := [7]bool{kind == `"bool"`, kind == `"u32"`, kind == `"u32"`, kind == `"string"`}
		if got != want {
			t.Errorf("%s: got %v, want %v", kind, got, want)
		}
	}
}
