package idl_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"minesaudit/internal/idl"
)

// FuzzParse holds any file to this: no panic, no event without a type and a
// reason, and what parses decodes the bytes after it without a panic.
func FuzzParse(f *testing.F) {
	if _, err := os.Stat(fixtures); err == nil {
		for _, path := range glob(f, "idl/*.json") {
			if raw, err := os.ReadFile(path); err == nil && len(raw) < 4000 {
				f.Add(raw, []byte("\x01\x00\x00\x00\x01\x00\x00\x00"))
			}
		}
	}
	for _, text := range schemas() {
		f.Add([]byte(text), []byte("\x01\x00\x00\x00\x01\x00\x00\x00"))
	}
	f.Fuzz(func(t *testing.T, file, payload []byte) {
		parsed, err := idl.Parse(file)
		if err != nil {
			return
		}
		for _, e := range parsed.Events {
			if (e.Broken == nil) != (e.Type != nil) {
				t.Fatalf("event %q: type %v, broken %v", e.Name, e.Type, e.Broken)
			}
			check(t, e, payload)
		}
	})
}

// FuzzDecode draws payloads for types of every form: a byte chooses the type.
func FuzzDecode(f *testing.F) {
	var events []*idl.Event
	for _, text := range schemas() {
		events = append(events, parse(f, text).Events...)
	}
	for i := range events {
		f.Add(uint8(i), []byte("\x01\x00\x00\x00\x01\x00\x00\x00\x02\x03"))
		f.Add(uint8(i), binary.LittleEndian.AppendUint32(nil, 1<<32-1))
	}
	f.Fuzz(func(t *testing.T, choice uint8, payload []byte) {
		e := events[int(choice)%len(events)]
		check(t, e, payload)
		// The most that these schemas write for a byte, and values without bytes.
		if got, _ := e.AppendJSON(nil, payload); len(got) > 100*(len(payload)+1)+3*4096 {
			t.Fatalf("%d bytes became %d", len(payload), len(got))
		}
	})
}

// check reads a payload as JSON and by a plan of all leaves: both must agree
// whether it fits, the JSON must be JSON, and neither may grow beyond a factor of
// the payload.
func check(t *testing.T, e *idl.Event, payload []byte) {
	got, err := e.AppendJSON(nil, payload)
	if e.Broken != nil {
		if !errors.Is(err, e.Broken) {
			t.Fatalf("broken %v: got %v", e.Broken, err)
		}
		return
	}
	whole := err == nil || errors.Is(err, idl.ErrTrailing)
	if whole != json.Valid(got) || !whole && len(got) > 0 {
		t.Fatalf("%v: %q", err, got)
	}
	var paths []string
	for _, leaf := range e.Leaves() {
		paths = append(paths, leaf.Path)
	}
	plan, compileErr := e.Compile(paths)
	if compileErr != nil {
		t.Fatal(compileErr)
	}
	values := make([]idl.Value, len(paths))
	planErr := plan.Read(payload, values)
	if (planErr == nil) != (err == nil) || err != nil && planErr.Error() != err.Error() {
		t.Fatalf("as JSON %v, by plan %v", err, planErr)
	}
	for _, v := range values {
		if whole && !json.Valid(v.AppendJSON(nil)) {
			t.Fatalf("a value's JSON: %q", v.AppendJSON(nil))
		}
	}
}

// schemas are IDLs that have every form of type.
func schemas() []string {
	return []string{
		oneEvent(`{"tuple":["bool","u8","u16","u32","u64","u128","u256"]}`, ``),
		oneEvent(`{"tuple":["i8","i16","i32","i64","i128","i256","f32","f64"]}`, ``),
		oneEvent(`{"vec":"string"}`, ``),
		oneEvent(`{"defined":"(u8,[Vec<u16>;2],Option<String>)"}`, ``),
		oneEvent(`{"vec":{"tuple":["bytes","publicKey"]}}`, ``),
		oneEvent(`{"vec":{"option":{"coption":"u16"}}}`, ``),
		oneEvent(`{"vec":{"tuple":[]}}`, ``),
		oneEvent(`{"vec":{"array":["u8",0]}}`, ``),
		oneEvent(`{"array":[{"vec":"bool"},3]}`, ``),
		oneEvent(`{"array":[{"tuple":[]},1000000000]}`, ``),
		oneEvent(`{"defined":"E2"}`, `{"name":"E2","type":{"kind":"enum","variants":[{"name":"Unit"},{"name":"Named","fields":[{"name":"a","type":"u8"}]},
			{"name":"Tuple","fields":["bool",{"tuple":["u8",{"defined":"E2"}]}]}]}}`),
		oneEvent(`{"defined":"Tree"}`, `{"name":"Tree","type":{"kind":"struct","fields":[{"name":"leaf","type":"u8"},{"name":"below","type":{"vec":{"defined":"Tree"}}}]}}`),
		oneEvent(`{"defined":{"name":"G","generics":[{"kind":"type","type":"u16"},{"kind":"const","value":"3"}]}}`,
			`{"name":"G","generics":[{"kind":"type","name":"T"},{"kind":"const","name":"N","type":"usize"}],
			"type":{"kind":"struct","fields":[{"name":"list","type":{"array":[{"generic":"T"},{"generic":"N"}]}},{"name":"more","type":{"option":{"generic":"T"}}}]}}`),
	}
}

// FuzzAccount reads any bytes as either kind of account.
func FuzzAccount(f *testing.F) {
	f.Add(true, legacyAccount([]byte(document), 0))
	for compression := range byte(3) {
		for source := range byte(3) {
			f.Add(false, metadataAccount(3, compression, 1, source, []byte(document+document+document)))
		}
	}
	f.Fuzz(func(t *testing.T, legacy bool, data []byte) {
		owner := idl.MetadataProgram()
		if legacy {
			owner = program()
		}
		got, err := idl.FromAccount(program(), owner, data)
		if found := len(got.JSON) > 0 || got.External != nil; found != (err == nil) {
			t.Fatalf("got %+v, %v", got, err)
		}
		if got.External != nil {
			if text, err := got.External.Content(data); (len(text) > 0) != (err == nil) {
				t.Fatalf("got %q, %v", text, err)
			}
		}
	})
}
