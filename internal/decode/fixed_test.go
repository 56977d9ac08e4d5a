package decode

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"minesaudit/internal/idl"
)

// Taking fields from their places gives what reading value by value gives.
func TestFixedIsAsRead(t *testing.T) {
	layout := sameLayout(t)
	fixed := map[string]bool{}
	for _, p := range layout.versions[0].parts {
		fixed[p.event.Name] = p.fixed
	}
	if want := map[string]bool{"MinesGameStarted": true, "MinesGameSettled": false, "MinesGameVoided": true}; !reflect.DeepEqual(fixed, want) {
		t.Fatalf("fixed are %v", fixed)
	}
	rapid.Check(t, func(t *rapid.T) {
		r := drawRound(t)
		for _, data := range [][]byte{encodeStarted(r.key, r.started), encodeSettled(r.key, r.settled), encodeVoided(r.key, r.voided)} {
			got, slow := layout.Parse(0, data), Event{Data: data}
			event, _ := layout.versions[0].idl.Match(data)
			slow.readMapped(layout.versions[0].parts[event], data[8:], nil)
			want := Parse(data)
			if !reflect.DeepEqual(got, slow) || !reflect.DeepEqual(got, want) {
				t.Fatalf("got %+v, value by value %+v, want %+v", got, slow, want)
			}
		}
		cut := encodeVoided(r.key, r.voided)
		cut = cut[:len(cut)-rapid.IntRange(1, len(cut)-8).Draw(t, "cut")]
		if got := layout.Parse(0, cut); got.Kind != KindMalformed || !strings.Contains(got.Problem, "too short") {
			t.Fatalf("%+v", got)
		}
	})
}

// An IDL whose types hold each other many times costs no more than their number.
func TestFixedOfManyTypes(t *testing.T) {
	const depth = 30
	types := []string{`{"name":"T0","type":{"kind":"struct","fields":[]}}`}
	for i := 1; i <= depth; i++ {
		types = append(types, fmt.Sprintf(`{"name":"T%d","type":{"kind":"struct","fields":[{"name":"a","type":{"defined":"T%d"}},{"name":"b","type":{"defined":"T%d"}}]}}`, i, i-1, i-1))
	}
	file, err := idl.Parse([]byte(`{"instructions":[],"events":[{"name":"Ended","fields":[{"name":"id","type":"u32"},{"name":"many","type":{"defined":"T30"}}]}],"types":[` + strings.Join(types, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLayout(Mapping{
		Versions: []Version{{IDL: file}}, Key: []Role{RoleNonce},
		Events: []EventMapping{{Kind: KindSettled, Event: "Ended", Fields: []FieldMapping{{Role: RoleNonce, Path: "id"}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if text := l.Canonical(); len(text) > 4096 {
		t.Errorf("canonical form of %d bytes", len(text))
	}
	data := encode("Ended", uint32(7))
	if got := l.Parse(0, data); got.Key.Nonce != 7 {
		t.Errorf("%+v", got)
	}
}
