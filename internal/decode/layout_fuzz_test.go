package decode

import (
	"bytes"
	"math/bits"
	"reflect"
	"testing"
)

// FuzzLayout reads any bytes by three layouts: nothing that is read is of another
// game than the bytes say, and the same bytes are the same event.
func FuzzLayout(f *testing.F) {
	tiles, file := tilesLayout(f), tilesIDL(f)
	layouts := []*Layout{BuiltinLayout(), sameLayout(f), tiles}
	r := round{key: sampleKey(), settled: Settled{HasBust: true, BustTile: 7, MinesMask: 0x1000001, RevealedMask: 6}}
	f.Add([]byte{})
	for _, data := range [][]byte{encodeStarted(r.key, r.started), encodeSettled(r.key, r.settled), encodeVoided(r.key, r.voided)} {
		f.Add(data)
	}
	for _, event := range []func() (string, object){r.opened, r.ended, r.closed} {
		name, value := event()
		f.Add(encodeBy(f, file, name, value))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		var room Room
		for i, l := range layouts {
			e := l.Parse(3, data)
			if again := l.ParseInto(&room, 3, data); !reflect.DeepEqual(e, again) {
				t.Fatalf("layout %d: %+v, and then %+v", i, e, again)
			}
			if read := e.Kind == KindStarted || e.Kind == KindSettled || e.Kind == KindVoided; read != (e.Problem == "") || read && !l.Named(3, data) {
				t.Fatalf("layout %d: %v, problem %q", i, e.Kind, e.Problem)
			}
			if e.Problem == "" && (!bytes.Contains(data, e.Key.Game[:]) || !bytes.Contains(data, e.Key.User[:]) || e.Missing != 0) {
				t.Fatalf("layout %d: key %+v, missing %s", i, e.Key, e.Missing)
			}
		}
		if got, want := layouts[1].Parse(3, data), layouts[0].Parse(3, data); want.Problem == "" && !reflect.DeepEqual(got, want) || (got.Problem == "") != (want.Problem == "") {
			t.Fatalf("by its IDL %+v, want %+v", got, want)
		}
		if e := tiles.Parse(3, data); e.Settled != nil && bits.OnesCount32(e.Settled.MinesMask>>25) > 0 {
			t.Fatalf("mask %x of 25 tiles", e.Settled.MinesMask)
		}
		if !bytes.Equal(before, data) {
			t.Fatal("the bytes were changed")
		}
	})
}
