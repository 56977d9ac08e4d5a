package idl_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"minesaudit/internal/idl"
)

func parse(tb testing.TB, text string) *idl.IDL {
	tb.Helper()
	parsed, err := idl.Parse([]byte(text))
	if err != nil {
		tb.Fatalf("%v in %.300s", err, text)
	}
	return parsed
}

func event(tb testing.TB, parsed *idl.IDL, name string) *idl.Event {
	tb.Helper()
	e, ok := parsed.Event(name)
	if !ok {
		tb.Fatalf("no event %q", name)
	}
	return e
}

// oneEvent is a legacy IDL with the event E of one field f.
func oneEvent(fieldType, types string) string {
	return fmt.Sprintf(`{"events":[{"name":"E","fields":[{"name":"f","type":%s}]}],"types":[%s]}`, fieldType, types)
}

// The same program's events in the two forms and in the camel case of files for
// TypeScript, which keep their discriminators in the new form.
func TestBothFormsDecodeTheSame(t *testing.T) {
	legacy := parse(t, `{"version":"0.1.0","name":"mines","instructions":[],"metadata":{"address":"P"},
		"events":[{"name":"MinesGameStarted","fields":[{"name":"minesCount","type":"u8","index":false},{"name":"outcome","type":{"defined":"Outcome"}}]}],
		"types":[{"name":"Outcome","type":{"kind":"enum","variants":[{"name":"Open"},{"name":"Busted","fields":[{"name":"tile","type":"u8"}]}]}}]}`)
	modern := parse(t, `{"address":"P","metadata":{"name":"mines","version":"0.1.0","spec":"0.1.0"},
		"instructions":[{"name":"start","discriminator":[1],"accounts":[{"name":"group","accounts":[{"name":"event_authority"}]}]}],
		"events":[{"name":"MinesGameStarted","discriminator":[230,40,34,147,49,153,244,224]}],
		"types":[{"name":"MinesGameStarted","type":{"kind":"struct","fields":[{"name":"minesCount","type":"u8"},{"name":"outcome","type":{"defined":{"name":"Outcome"}}}]}},
			{"name":"Outcome","type":{"kind":"enum","variants":[{"name":"Open"},{"name":"Busted","fields":[{"name":"tile","type":"u8"}]}]}}]}`)
	if !legacy.Legacy || legacy.EventAuthority || legacy.Address != "P" || legacy.Name != "mines" || legacy.Version != "0.1.0" {
		t.Errorf("legacy: %+v", legacy)
	}
	if modern.Legacy || !modern.EventAuthority || modern.Address != "P" || modern.Name != "mines" || modern.Version != "0.1.0" {
		t.Errorf("new: %+v", modern)
	}
	data := []byte("\xe6\x28\x22\x93\x31\x99\xf4\xe0\x05\x01\x07")
	for _, parsed := range []*idl.IDL{legacy, modern} {
		e, ok := parsed.Match(data)
		if !ok || e.Name != "MinesGameStarted" {
			t.Fatalf("matched %+v", e)
		}
		got, err := e.AppendJSON(nil, data[8:])
		if want := `{"minesCount":5,"outcome":{"Busted":{"tile":7}}}`; err != nil || string(got) != want {
			t.Errorf("got %s, %v; want %s", got, err, want)
		}
	}

	script := parse(t, `{"address":"P","metadata":{"name":"mines"},"instructions":[],
		"events":[{"name":"minesGameStarted","discriminator":[230,40,34,147,49,153,244,224]}],
		"types":[{"name":"minesGameStarted","type":{"kind":"struct","fields":[{"name":"minesCount","type":"u8"}]}}]}`)
	if e, ok := script.Match(data); !ok || e.Broken != nil {
		t.Errorf("a file for TypeScript with discriminators: %+v", e)
	}
	hashless := parse(t, `{"events":[{"name":"minesGameStarted","fields":[]}]}`)
	e := event(t, hashless, "minesGameStarted")
	if !errors.Is(e.Broken, idl.ErrDiscriminator) || !strings.Contains(e.Broken.Error(), "minesGameStarted") {
		t.Errorf("a file for TypeScript without: %v", e.Broken)
	}
	if e, ok := hashless.Match(data); ok {
		t.Errorf("it matched %v", e)
	}
}

func TestLongestDiscriminatorWins(t *testing.T) {
	parsed := parse(t, `{"address":"P","events":[
		{"name":"Short","discriminator":[7]},{"name":"Long","discriminator":[7,8,9]},{"name":"Other","discriminator":[6,1]}],
		"types":[{"name":"Short","type":{"kind":"struct"}},{"name":"Long","type":{"kind":"struct"}},{"name":"Other","type":{"kind":"struct"}}]}`)
	for data, want := range map[string]string{
		"": "", "\x07": "Short", "\x07\x08": "Short", "\x07\x08\x09": "Long", "\x07\x08\x09\x0a": "Long", "\x07\x08\x0a": "Short",
		"\x06": "", "\x06\x01\x02": "Other", "\x08": "",
	} {
		got := ""
		if e, ok := parsed.Match([]byte(data)); ok {
			got = e.Name
		}
		if got != want {
			t.Errorf("%x: got %q, want %q", data, got, want)
		}
	}
}

func TestFilesRefused(t *testing.T) {
	tests := []struct {
		name, text string
		want       error
		says       string
	}{
		{"nothing", "", idl.ErrNotAnchor, ""},
		{"a list", "[]", idl.ErrNotAnchor, ""},
		{"another document", `{"name":"x"}`, idl.ErrNotAnchor, "neither instructions nor events"},
		{"Codama", `{"kind":"rootNode","program":{},"instructions":[]}`, idl.ErrNotAnchor, "Codama"},
		{"events that are none", `{"instructions":[],"events":{}}`, idl.ErrNotAnchor, "no list"},
		{"two documents", `{"events":[]}{"events":[]}`, idl.ErrNotAnchor, "follows"},
		{"an event without a name", `{"events":[{"fields":[]}]}`, idl.ErrNotAnchor, "event 0"},
		{"cut off", `{"events":[{"name":"E"`, idl.ErrNotAnchor, ""},
		{"two of one discriminator", `{"events":[{"name":"A","discriminator":[1,2]},{"name":"B","discriminator":[1,2]}]}`, idl.ErrAmbiguous, `"A" and "B"`},
		{"two of one name", `{"events":[{"name":"A","fields":[]},{"name":"A","fields":[{"name":"x","type":"u8"}]}]}`, idl.ErrAmbiguous, `"A"`},
		{"a broken one of the same discriminator", `{"events":[{"name":"A","discriminator":[1],"fields":[{"name":"x","type":"what"}]},{"name":"B","discriminator":[1]}]}`, idl.ErrAmbiguous, `"A"`},
		{"too large", `{"events":[]}` + strings.Repeat(" ", 4<<20), idl.ErrBounds, "bytes"},
		{"too many events", `{"events":[` + strings.Repeat(`{"name":"A"},`, 4096) + `{"name":"A"}]}`, idl.ErrBounds, "4097 events"},
		{"a name without end", `{"events":[{"name":"` + strings.Repeat("A", 257) + `"}]}`, idl.ErrBounds, "event 0"},
	}
	for _, test := range tests {
		if parsed, err := idl.Parse([]byte(test.text)); !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: got %v, %v; want %v that says %q", test.name, parsed, err, test.want, test.says)
		}
	}
	parse(t, `{"events":[{"name":"A","fields":[]},{"name":"A","fields":[]}]}`) // the same twice is one
}

// A type that cannot be laid out costs the events that use it, however deep, and
// no other; the reason names it.
func TestWhatBreaksAnEvent(t *testing.T) {
	structure := func(name, fieldType string) string {
		return fmt.Sprintf(`{"name":%q,"type":{"kind":"struct","fields":[{"name":"f","type":%s}]}}`, name, fieldType)
	}
	pod := func(representation, fields string) string {
		return fmt.Sprintf(`{"name":"P","serialization":"bytemuck",%s"type":{"kind":"struct","fields":[%s]}}`, representation, fields)
	}
	const (
		c      = `"repr":{"kind":"c"},`
		packed = `"repr":{"kind":"c","packed":true},`
		narrow = `{"name":"a","type":"u8"},{"name":"b","type":"u64"}`
	)
	tests := []struct {
		name, field, types string
		want               error
		says               string
	}{
		{"undefined", `{"defined":"T"}`, ``, idl.ErrUndefined, `"T"`},
		{"undefined, new form", `{"defined":{"name":"T"}}`, ``, idl.ErrUndefined, `"T"`},
		{"undefined within", `{"vec":{"option":{"defined":"A"}}}`, structure("A", `{"defined":"B"}`), idl.ErrUndefined, `"B"`},
		{"unknown", `"u512"`, ``, idl.ErrUnknownType, `"u512"`},
		{"unknown container", `{"hashMap":["u8","u8"]}`, ``, idl.ErrUnknownType, "hashMap"},
		{"two keys", `{"vec":"u8","option":"u8"}`, ``, idl.ErrUnknownType, "vec"},
		{"no type", `7`, ``, idl.ErrUnknownType, "7"},
		{"unknown kind", `{"defined":"T"}`, `{"name":"T","type":{"kind":"union"}}`, idl.ErrUnknownType, "union"},
		{"no kind", `{"defined":"T"}`, `{"name":"T"}`, idl.ErrUnknownType, `"T"`},
		{"fields of both forms", `{"defined":"T"}`, `{"name":"T","type":{"kind":"struct","fields":["u8",{"name":"a","type":"u8"}]}}`, idl.ErrUnknownType, "names"},
		{"a field twice", `{"defined":"T"}`, `{"name":"T","type":{"kind":"struct","fields":[{"name":"a","type":"u8"},{"name":"a","type":"u8"}]}}`, idl.ErrAmbiguous, `"a"`},
		{"a type twice", `{"defined":"T"}`, structure("T", `"u8"`) + "," + structure("T", `"u16"`), idl.ErrAmbiguous, `"T"`},
		{"too many variants", `{"defined":"T"}`, `{"name":"T","type":{"kind":"enum","variants":[` + strings.Repeat(`{"name":"a"},`, 256) + `{"name":"b"}]}}`, idl.ErrUnknownType, "257"},
		{"itself", `{"defined":"T"}`, structure("T", `{"defined":"T"}`), idl.ErrEndless, `"T"`},
		{"itself in an array", `{"defined":"T"}`, structure("T", `{"array":[{"defined":"T"},3]}`), idl.ErrEndless, `"T"`},
		{"itself by another", `{"vec":{"defined":"A"}}`, structure("A", `{"defined":"B"}`) + "," + structure("B", `{"defined":"A"}`), idl.ErrEndless, ""},
		{
			"itself behind what ends", `{"defined":"A"}`,
			`{"name":"A","type":{"kind":"struct","fields":[{"name":"l","type":{"vec":{"defined":"B"}}},{"name":"b","type":{"defined":"B"}}]}},` + structure("B", `{"defined":"A"}`), idl.ErrEndless, "",
		},
		{"an alias of itself", `{"defined":"T"}`, `{"name":"T","type":{"kind":"alias","value":{"defined":"T"}}}`, idl.ErrEndless, `"T"`},
		{"options without end", `{"defined":"T"}`, `{"name":"T","type":{"kind":"type","alias":{"option":{"defined":"T"}}}}`, idl.ErrEndless, ""},
		{"vecs without end", `{"defined":"T"}`, `{"name":"T","type":{"kind":"type","alias":{"vec":{"defined":"T"}}}}`, idl.ErrEndless, ""},
		{"an unbound parameter", `{"generic":"T"}`, ``, idl.ErrUnknownType, `"T"`},
		{"too few arguments", `{"defined":{"name":"T"}}`, `{"name":"T","generics":[{"kind":"type","name":"A"}],"type":{"kind":"struct"}}`, idl.ErrUnknownType, "0 generic arguments"},
		{
			"a type for a length", `{"defined":{"name":"T","generics":[{"kind":"type","type":"u8"}]}}`,
			`{"name":"T","generics":[{"kind":"const","name":"N"}],"type":{"kind":"struct","fields":[{"name":"f","type":{"array":["u8",{"generic":"N"}]}}]}}`, idl.ErrUnknownType, `"N"`,
		},
		{"a negative length", `{"array":["u8",-1]}`, ``, idl.ErrUnknownType, "-1"},
		{"a fraction of a length", `{"array":["u8",1.5]}`, ``, idl.ErrUnknownType, "1.5"},
		{"a length beyond all bytes", `{"array":["u8",18446744073709551615]}`, ``, idl.ErrBounds, "18446744073709551615"},
		{"arrays of arrays beyond all bytes", `{"array":[{"array":["u8",1000000]},1000000]}`, ``, idl.ErrBounds, ""},
		{"nested too deep", strings.Repeat(`{"vec":`, 40) + `"u8"` + strings.Repeat("}", 40), ``, idl.ErrBounds, "nested"},
		{"an unknown spelling", `{"defined":"HashMap<u8,u8>"}`, ``, idl.ErrUndefined, "HashMap"},
		{"a spelling of what is not defined", `{"defined":"(u8,T)"}`, ``, idl.ErrUndefined, `"T"`},
		{"a spelling cut off", `{"defined":"(u8,Vec<(u8)"}`, ``, idl.ErrUndefined, "Vec<(u8"},
		{"a spelling too deep", `{"defined":"` + strings.Repeat("Vec<", 40) + "u8" + strings.Repeat(">", 40) + `"}`, ``, idl.ErrBounds, "nested"},
		{"a definition of another form", `{"defined":"T"}`, `{"name":"T","generics":[7],"type":{"kind":"struct"}}`, idl.ErrUnknownType, `"T"`},
		{"another serialization", `{"defined":"P"}`, `{"name":"P","serialization":{"custom":"mine"},"type":{"kind":"struct"}}`, idl.ErrNotBorsh, "custom"},
		{"memory with padding", `{"defined":"P"}`, pod(c, narrow), idl.ErrNotBorsh, `padding before field "b"`},
		{"memory with padding behind", `{"defined":"P"}`, pod(c, `{"name":"a","type":"u64"},{"name":"b","type":"u8"}`), idl.ErrNotBorsh, "padding after"},
		{"memory of Rust's choosing", `{"defined":"P"}`, pod("", narrow), idl.ErrNotBorsh, "not C"},
		{"memory of a vec", `{"defined":"P"}`, pod(packed, `{"name":"a","type":"bytes"}`), idl.ErrNotBorsh, `"a"`},
		{"memory of an enum", `{"defined":"P"}`, `{"name":"P","serialization":"bytemuck","repr":{"kind":"c"},"type":{"kind":"enum","variants":[{"name":"A"}]}}`, idl.ErrNotBorsh, "enum"},
		{"memory in a cycle", `{"defined":"P"}`, pod(packed, `{"name":"a","type":{"defined":"P"}}`), idl.ErrEndless, `"P"`},
	}
	for _, test := range tests {
		text := fmt.Sprintf(`{"events":[{"name":"E","fields":[{"name":"f","type":%s}]},{"name":"Sound","fields":[{"name":"f","type":"u8"}]}],"types":[%s]}`, test.field, test.types)
		parsed := parse(t, text)
		e := event(t, parsed, "E")
		if !errors.Is(e.Broken, test.want) || !strings.Contains(e.Broken.Error(), test.says) {
			t.Errorf("%s: got %v; want %v that says %q", test.name, e.Broken, test.want, test.says)
			continue
		}
		if got, ok := parsed.Match(e.Discriminator); !ok || got != e {
			t.Errorf("%s: it is not matched", test.name)
		}
		if _, err := e.AppendJSON(nil, nil); !errors.Is(err, test.want) {
			t.Errorf("%s: read: %v", test.name, err)
		}
		if _, err := e.Compile(nil); !errors.Is(err, test.want) || e.Leaves() != nil {
			t.Errorf("%s: compiled: %v", test.name, err)
		}
		if got, err := event(t, parsed, "Sound").AppendJSON(nil, []byte{3}); err != nil || string(got) != `{"f":3}` {
			t.Errorf("%s: the other event: %s, %v", test.name, got, err)
		}
	}
}

// What memory and Borsh lay out alike is read.
func TestMemoryThatIsBorsh(t *testing.T) {
	for name, text := range map[string]string{
		"packed": oneEvent(`{"defined":"P"}`, `{"name":"P","serialization":"bytemuckunsafe","repr":{"kind":"c","packed":true},
			"type":{"kind":"struct","fields":[{"name":"a","type":"u8"},{"name":"b","type":"u64"}]}}`),
		"transparent": oneEvent(`{"defined":"P"}`, `{"name":"P","serialization":"bytemuck","repr":{"kind":"transparent"},
			"type":{"kind":"struct","fields":[{"name":"a","type":{"array":["u8",9]}}]}}`),
		"without gaps": oneEvent(`{"defined":"P"}`, `{"name":"P","serialization":"bytemuck","repr":{"kind":"c"},
			"type":{"kind":"struct","fields":[{"name":"a","type":"u8"},{"name":"b","type":{"array":["u8",6]}},{"name":"c","type":"bool"},{"name":"d","type":{"defined":"Q"}}]}},
			{"name":"Q","serialization":"bytemuck","repr":{"kind":"c"},"type":{"kind":"struct","fields":[{"name":"a","type":"u64"}]}}`),
	} {
		if e := event(t, parse(t, text), "E"); e.Broken != nil {
			t.Errorf("%s: %v", name, e.Broken)
		}
	}
}

// Generic definitions that use each other with ever more arguments must not make
// Parse work for ever.
func TestGenericsEnd(t *testing.T) {
	var types []string
	for i := range 40 { // each asks for the next with twice as much
		types = append(types, fmt.Sprintf(`{"name":"D%d","generics":[{"kind":"type","name":"T"}],"type":{"kind":"struct","fields":[{"name":"f","type":
			{"defined":{"name":"D%d","generics":[{"kind":"type","type":{"tuple":[{"generic":"T"},{"generic":"T"}]}}]}}}]}}`, i, i+1))
	}
	types = append(types, `{"name":"D40","generics":[{"kind":"type","name":"T"}],"type":{"kind":"struct"}}`)
	e := event(t, parse(t, oneEvent(`{"defined":{"name":"D0","generics":[{"kind":"type","type":"u8"}]}}`, strings.Join(types, ","))), "E")
	if !errors.Is(e.Broken, idl.ErrBounds) {
		t.Errorf("doubling: %v", e.Broken)
	}
	grows := `{"name":"G","generics":[{"kind":"type","name":"T"}],"type":{"kind":"struct","fields":[{"name":"f","type":
		{"vec":{"defined":{"name":"G","generics":[{"kind":"type","type":{"vec":{"generic":"T"}}}]}}}}]}}`
	e = event(t, parse(t, oneEvent(`{"defined":{"name":"G","generics":[{"kind":"type","type":"u8"}]}}`, grows)), "E")
	if !errors.Is(e.Broken, idl.ErrBounds) {
		t.Errorf("growing: %v", e.Broken)
	}
}

// Parse must not hold more than a multiple of the file.
func TestAliasesDoNotDouble(t *testing.T) {
	var types []string
	for i := range 14 { // 2^14 values without a byte, and a notation as long
		types = append(types, fmt.Sprintf(`{"name":"A%d","type":{"kind":"alias","value":{"tuple":[{"defined":"A%d"},{"defined":"A%d"}]}}}`, i, i+1, i+1))
	}
	types = append(types, `{"name":"A14","type":{"kind":"struct"}}`)
	e := event(t, parse(t, oneEvent(`{"defined":"A0"}`, strings.Join(types, ","))), "E")
	if e.Broken != nil {
		t.Fatal(e.Broken)
	}
	if text := e.Type.Fields[0].Type.String(); len(text) > 100 {
		t.Errorf("the type is written in %d bytes", len(text))
	}
	if got, err := e.AppendJSON(nil, nil); !errors.Is(err, idl.ErrTooManyVoid) {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	if n := len(e.Leaves()); n > 1024 {
		t.Errorf("%d leaves", n)
	}
	if _, err := e.Compile([]string{"f.0.1.0"}); err != nil {
		t.Error(err)
	}
}

func TestFileIsNotKept(t *testing.T) {
	text := []byte(oneEvent(`"u8"`, ``))
	parsed, err := idl.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	copy(text, bytes.Repeat([]byte("x"), len(text)))
	if got, err := event(t, parsed, "E").AppendJSON(nil, []byte{1}); err != nil || string(got) != `{"f":1}` {
		t.Errorf("got %s, %v", got, err)
	}
}
