package idl_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"minesaudit/internal/idl"
)

func TestWhatDoesNotFit(t *testing.T) {
	const outcome = `{"name":"Outcome","type":{"kind":"enum","variants":[{"name":"Won"},{"name":"Busted","fields":[{"name":"tile","type":"u8"}]}]}}`
	tests := []struct {
		name, field, types, payload string
		want                        error
		path                        string
		offset                      int
	}{
		{"short integer", `"u64"`, ``, "\x01\x02", idl.ErrShort, "f", 0},
		{"bool of 2", `"bool"`, ``, "\x02", idl.ErrBadBool, "f", 0},
		{"option tag of 7", `{"option":"u8"}`, ``, "\x07\x01", idl.ErrBadOption, "f", 0},
		{"coption tag of 7", `{"coption":"u8"}`, ``, "\x07\x00\x00\x00\x01", idl.ErrBadOption, "f", 0},
		{"coption tag of 2^24", `{"coption":"u8"}`, ``, "\x00\x00\x00\x01\x01", idl.ErrBadOption, "f", 0},
		{"variant 2 of 2", `{"defined":"Outcome"}`, outcome, "\x02", idl.ErrBadVariant, "f", 0},
		{"within a variant", `{"defined":"Outcome"}`, outcome, "\x01", idl.ErrShort, "f.Busted.tile", 1},
		{"within a vec", `{"vec":{"defined":"Outcome"}}`, outcome, "\x02\x00\x00\x00\x00\x03", idl.ErrBadVariant, "f.1", 5},
		{"string of 4 GiB", `"string"`, ``, "\xff\xff\xff\xffabc", idl.ErrShort, "f", 0},
		{"vec of 4 GiB", `{"vec":"u64"}`, ``, "\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00", idl.ErrShort, "f", 0},
		{"bytes of 4 GiB", `"bytes"`, ``, "\xff\xff\xff\xff", idl.ErrShort, "f", 0},
		{"vec<u8> of one too many", `{"vec":"u8"}`, ``, "\x02\x00\x00\x00\x01", idl.ErrShort, "f", 0},
		{"text that is not UTF-8", `"string"`, ``, "\x02\x00\x00\x00a\xff", idl.ErrBadString, "f", 4},
		{"a surrogate", `"string"`, ``, "\x03\x00\x00\x00\xed\xa0\x80", idl.ErrBadString, "f", 4},
		{"trailing", `"u8"`, ``, "\x01\x02\x03", idl.ErrTrailing, "", 1},
		{"values of no bytes", `{"vec":{"tuple":[]}}`, ``, "\xff\xff\xff\xff", idl.ErrTooManyVoid, "f.4096", 4},
		{"byte arrays of no bytes", `{"vec":{"array":["u8",0]}}`, ``, "\xff\xff\xff\xff", idl.ErrTooManyVoid, "f.4096", 4},
		{"an array of no bytes", `{"array":[{"tuple":[]},1000000]}`, ``, "", idl.ErrTooManyVoid, "f.4094", 0},
		{
			"nested too deep", `{"defined":"N"}`, `{"name":"N","type":{"kind":"struct","fields":[{"name":"n","type":{"option":{"defined":"N"}}}]}}`,
			strings.Repeat("\x01", 200) + "\x00", idl.ErrTooDeep, "", 0,
		},
	}
	for _, test := range tests {
		e := event(t, parse(t, oneEvent(test.field, test.types)), "E")
		got, err := e.AppendJSON([]byte("kept"), []byte(test.payload))
		checkFault(t, test.name, err, test.want, test.path, test.offset)
		if trailing := test.want == idl.ErrTrailing; !trailing && string(got) != "kept" || trailing && string(got) != `kept{"f":1}` {
			t.Errorf("%s: got %s", test.name, got)
		}

		plan, err := e.Compile([]string{"f"})
		if err != nil {
			t.Fatal(err)
		}
		err = plan.Read([]byte(test.payload), make([]idl.Value, 1))
		checkFault(t, test.name+", by plan", err, test.want, test.path, test.offset)
	}
}

func checkFault(t *testing.T, name string, err, want error, path string, offset int) {
	t.Helper()
	var decode *idl.DecodeError
	if !errors.Is(err, want) || !errors.As(err, &decode) || decode.Event != "E" {
		t.Errorf("%s: got %v, want %v", name, err, want)
		return
	}
	if path != "" && (decode.Path != path || decode.Offset != offset) {
		t.Errorf("%s: at %q, byte %d; want %q, %d", name, decode.Path, decode.Offset, path, offset)
	}
}

func TestEdgesOfJSON(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(-1)
	tests := []struct{ field, payload, want string }{
		{`"u64"`, "\xff\xff\xff\xff\xff\xff\xff\xff", `"18446744073709551615"`},
		{`"i64"`, "\x00\x00\x00\x00\x00\x00\x00\x80", `"-9223372036854775808"`},
		{`"u128"`, strings.Repeat("\xff", 16), `"340282366920938463463374607431768211455"`},
		{`"u128"`, "\x00\x00\xe8\x89\x04\x23\xc7\x8a" + strings.Repeat("\x00", 8), `"10000000000000000000"`},
		{`"u128"`, strings.Repeat("\x00", 16), `"0"`},
		{`"i128"`, strings.Repeat("\x00", 15) + "\x80", `"-170141183460469231731687303715884105728"`},
		{`"u256"`, strings.Repeat("\xff", 32), `"115792089237316195423570985008687907853269984665640564039457584007913129639935"`},
		{`"i256"`, strings.Repeat("\xff", 32), `"-1"`},
		{`"i8"`, "\x80", `-128`},
		{`"f32"`, "\x00\x00\x80\x7f", `"Infinity"`},
		{`"f32"`, "\xcd\xcc\xcc\x3d", `0.10000000149011612`},
		{`"f64"`, le64(math.Float64bits(nan)), `"NaN"`},
		{`"f64"`, le64(math.Float64bits(inf)), `"-Infinity"`},
		{`"f64"`, le64(math.Float64bits(1e300)), `1e+300`},
		{`"f64"`, le64(math.Float64bits(-5e-324)), `-5e-324`},
		{`"string"`, "\x09\x00\x00\x00\"\\\n\x00\x1f\x7f\xe2\x82\xac", `"\"\\\n\u0000\u001f\u007f€"`},
		{`{"vec":"u8"}`, "\x02\x00\x00\x00\x00\xff", `"00ff"`},
		{`{"array":["u8",0]}`, "", `""`},
		{`{"vec":"i8"}`, "\x02\x00\x00\x00\x00\xff", `[0,-1]`},
		{`{"option":{"option":"u8"}}`, "\x01\x00", `null`},
		{`{"tuple":["u8",{"tuple":["bool"]}]}`, "\x01\x01", `{"0":1,"1":{"0":true}}`},
		{`"publicKey"`, strings.Repeat("\x00", 32), `"11111111111111111111111111111111"`},
		// a tuple as Anchor before 0.30 named it
		{
			`{"defined":"(u8,Vec<(bool, String)>,[u16;2],Option<Pubkey>,)"}`, "\x01\x01\x00\x00\x00\x01\x01\x00\x00\x00a\x02\x00\x03\x00\x00",
			`{"0":1,"1":[{"0":true,"1":"a"}],"2":[2,3],"3":null}`,
		},
		{`{"defined":"()"}`, "", `{}`},
		// a coption, compact and with the value's place
		{`{"coption":"u16"}`, "\x01\x00\x00\x00\x05\x00", `5`},
		{`{"coption":"u16"}`, "\x00\x00\x00\x00", `null`},
		{`{"coption":"u16"}`, "\x00\x00\x00\x00\x00\x00", `null`},
		{`{"tuple":[{"coption":"u16"},"u8"]}`, "\x00\x00\x00\x00\x00\x00\x09", `{"0":null,"1":9}`},
		{`{"tuple":[{"coption":"u16"},"u8"]}`, "\x00\x00\x00\x00\x09", `{"0":null,"1":9}`},
	}
	for _, test := range tests {
		e := event(t, parse(t, oneEvent(test.field, ``)), "E")
		got, err := e.AppendJSON(nil, []byte(test.payload))
		if want := `{"f":` + test.want + `}`; err != nil || string(got) != want || !json.Valid(got) {
			t.Errorf("%s of %x: got %s, %v; want %s", test.field, test.payload, got, err, want)
		}
	}
}

// An absent value's place holds zeros or it is none.
func TestPlaceOfACOption(t *testing.T) {
	e := event(t, parse(t, oneEvent(`{"coption":"u16"}`, ``)), "E")
	for payload, want := range map[string]error{
		"\x00\x00\x00\x00\x00\x01":     idl.ErrTrailing,
		"\x00\x00\x00\x00\x00":         idl.ErrTrailing,
		"\x00\x00\x00\x00\x00\x00\x00": idl.ErrTrailing,
		"\x01\x00\x00\x00":             idl.ErrShort,
	} {
		if got, err := e.AppendJSON(nil, []byte(payload)); !errors.Is(err, want) || errors.Is(want, idl.ErrTrailing) && string(got) != `{"f":null}` {
			t.Errorf("%x: got %s, %v; want %v", payload, got, err, want)
		}
	}
}

func le64(bits uint64) string {
	var raw [8]byte
	for i := range raw {
		raw[i] = byte(bits >> (8 * i))
	}
	return string(raw[:])
}

// A type may hold itself where the bytes end it.
func TestTypesThatHoldThemselves(t *testing.T) {
	e := event(t, parse(t, oneEvent(`{"defined":"Tree"}`, `{"name":"Tree","type":{"kind":"struct","fields":[
		{"name":"leaf","type":"u8"},{"name":"below","type":{"defined":"Trees"}}]}},
		{"name":"Trees","type":{"kind":"alias","value":{"vec":{"defined":"Tree"}}}}`)), "E")
	if e.Broken != nil {
		t.Fatal(e.Broken)
	}
	payload := "\x01\x02\x00\x00\x00" + "\x02\x00\x00\x00\x00" + "\x03\x00\x00\x00\x00"
	got, err := e.AppendJSON(nil, []byte(payload))
	if want := `{"f":{"leaf":1,"below":[{"leaf":2,"below":[]},{"leaf":3,"below":[]}]}}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	if text := e.Type.Fields[0].Type.Fields[1].Type.String(); text != "vec<Tree>" {
		t.Errorf("written %s", text)
	}
}
