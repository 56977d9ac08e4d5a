package idl_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"minesaudit/internal/idl"
	"minesaudit/internal/idl/idltest"
)

func parseCase(t *rapid.T, c idltest.Case) *idl.Event {
	parsed, err := idl.Parse(c.File)
	if err != nil {
		t.Fatalf("%v in %s", err, c.File)
	}
	e, ok := parsed.Match(append(append([]byte{}, c.Discriminator...), c.Payload...))
	if !ok || e.Name != c.Event || e.Broken != nil || parsed.Legacy != c.Legacy {
		t.Fatalf("matched %+v, legacy %t, in %s", e, parsed.Legacy, c.File)
	}
	return e
}

func TestEveryTypeRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := idltest.Draw(t)
		e := parseCase(t, c)
		got, err := e.AppendJSON([]byte("x"), c.Payload)
		if err != nil {
			t.Fatalf("%v of %x in %s", err, c.Payload, c.File)
		}
		var value any
		if err := json.Unmarshal(got[1:], &value); err != nil || got[0] != 'x' {
			t.Fatalf("%v: %s", err, got)
		}
		if !reflect.DeepEqual(value, any(c.Want)) {
			t.Fatalf("got %s\nwant %v\nof %x in %s", got, c.Want, c.Payload, c.File)
		}
		back, err := idltest.Encode(e, value)
		if err != nil {
			t.Fatal(err)
		}
		again, err := e.AppendJSON([]byte("x"), back)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("encoded again it is %s, %v\nwas %s", again, err, got)
		}
		if !bytes.Equal(back, c.Payload) && !manyForms(e.Type, got) {
			t.Fatalf("encoded again: %x\nwant %x\nin %s", back, c.Payload, c.File)
		}
	})
}

// manyForms tells JSON that stands for more than one payload: of an empty option
// within an option, and of NaN.
func manyForms(t *idl.Type, text []byte) bool {
	return bytes.Contains(text, []byte(`"NaN"`)) || reaches(t, func(t *idl.Type) bool {
		return isOption(t) && isOption(t.Elem)
	}, map[*idl.Type]bool{})
}

func isOption(t *idl.Type) bool { return t.Kind == idl.Option || t.Kind == idl.COption }

// No part of an event is an event, and nothing may follow one: with values that
// are not there in either of their two layouts, only what fits neither is known
// to be wrong.
func TestEveryByteCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := idltest.Draw(t)
		e := parseCase(t, c)
		if reaches(e.Type, func(t *idl.Type) bool { return t.Kind == idl.COption }, map[*idl.Type]bool{}) {
			t.Skip("two layouts")
		}
		longer := append(append([]byte{}, c.Payload...), rapid.SliceOfN(rapid.Byte(), 1, 5).Draw(t, "more")...)
		whole, err := e.AppendJSON(nil, c.Payload)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := e.AppendJSON(nil, longer); !errors.Is(err, idl.ErrTrailing) || string(got) != string(whole) {
			t.Errorf("with more bytes: %s, %v", got, err)
		}
		for n := range c.Payload {
			got, err := e.AppendJSON(nil, c.Payload[:n])
			var decode *idl.DecodeError
			if !errors.Is(err, idl.ErrShort) || !errors.As(err, &decode) || decode.Offset > n || len(got) > 0 {
				t.Fatalf("of %d bytes the first %d: %s, %v", len(c.Payload), n, got, err)
			}
		}
	})
}

// reaches asks of a type and all within it.
func reaches(t *idl.Type, is func(*idl.Type) bool, seen map[*idl.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if is(t) || t.Elem != nil && reaches(t.Elem, is, seen) {
		return true
	}
	for _, f := range t.Fields {
		if reaches(f.Type, is, seen) {
			return true
		}
	}
	for _, v := range t.Variants {
		if reaches(v.Body, is, seen) {
			return true
		}
	}
	return false
}

// A plan of all leaves sees what the JSON has.
func TestPlansSeeWhatJSONHas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := idltest.Draw(t)
		e := parseCase(t, c)
		var paths []string
		leaves := e.Leaves()
		for _, leaf := range leaves {
			paths = append(paths, leaf.Path)
			if again, err := e.Leaf(leaf.Path); err != nil || again != leaf {
				t.Fatalf("leaf %+v, again %+v, %v", leaf, again, err)
			}
		}
		plan, err := e.Compile(paths)
		if err != nil {
			t.Fatal(err)
		}
		values := make([]idl.Value, len(paths))
		if err := plan.Read(c.Payload, values); err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			want, ok := at(any(c.Want), paths[i])
			if !v.Present() {
				if ok && want != nil || !leaves[i].Optional {
					t.Fatalf("%s is absent, want %v", paths[i], want)
				}
				continue
			}
			if v.Kind != leaves[i].Type.Kind {
				t.Fatalf("%s is %v, announced as %v", paths[i], v.Kind, leaves[i].Type)
			}
			var got any
			if err := json.Unmarshal(v.AppendJSON(nil), &got); err != nil || !ok || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: got %v, want %v, %v", paths[i], got, want, err)
			}
			checkElems(t, v, want)
		}
	})
}

// checkElems compares a vec's or array's values one by one with the JSON's.
func checkElems(t *rapid.T, v idl.Value, want any) {
	list, ok := want.([]any)
	if n, isList := v.Len(); !isList || !ok || n != len(list) {
		if isList && ok {
			t.Fatalf("%d values, want %d", n, len(list))
		}
		return
	}
	count := 0
	for i, elem := range v.Elems {
		var got any
		if err := json.Unmarshal(elem.AppendJSON(nil), &got); err != nil || !reflect.DeepEqual(got, list[i]) {
			t.Fatalf("value %d: got %v, want %v, %v", i, got, list[i], err)
		}
		count++
	}
	if count != len(list) {
		t.Fatalf("%d values came, want %d", count, len(list))
	}
}

// at follows a path through JSON.
func at(value any, path string) (any, bool) {
	for path != "" {
		name, rest, _ := strings.Cut(path, ".")
		members, ok := value.(map[string]any)
		if !ok {
			return nil, false
		}
		if value, ok = members[name]; !ok {
			return nil, false
		}
		path = rest
	}
	return value, true
}
