package idltest

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"pgregory.net/rapid"
)

// A Case is an event by chance.
type Case struct {
	File          []byte // an IDL
	Legacy        bool
	Event         string
	Discriminator []byte
	Payload       []byte
	Want          map[string]any // as encoding/json reads it: numbers are float64
}

// A shape is a type as the IDL has it and a way to draw its values: their bytes
// and their JSON.
type shape struct {
	idl     any
	value   func(*rapid.T) ([]byte, any)
	isByte  bool // u8 by any name: a list of them is bytes
	isTuple bool // of members
}

type object = map[string]any

// A file collects the definitions that its types use.
type file struct {
	legacy bool
	types  []object
}

// Draw makes a case, whose IDL lists other events beside the case's own.
func Draw(t *rapid.T) Case {
	f := &file{legacy: rapid.Bool().Draw(t, "legacy")}
	fields := f.members(t, 3)
	for fields.isTuple && f.legacy {
		fields = f.members(t, 3) // legacy events have named fields
	}
	payload, want := fields.value(t)
	c := Case{Legacy: f.legacy, Event: "Played", Payload: payload, Want: want.(object)}
	sum := sha256.Sum256([]byte("event:Played"))
	c.Discriminator = sum[:8]
	document := object{"instructions": []any{}}
	events := []any{object{"name": "Other", "fields": []any{}}, object{"name": c.Event, "fields": fields.idl}}
	if f.legacy {
		document["version"], document["name"] = "0.1.0", "drawn"
	} else {
		c.Discriminator = rapid.SliceOfN(rapid.Byte(), 1, 10).Draw(t, "discriminator")
		other := append(slices.Clone(c.Discriminator), byte(len(c.Payload)), 0xff, 0xff) // longer, of no payload that begins otherwise
		if len(payload) > 0 {
			other[len(c.Discriminator)] = ^payload[0]
		}
		events = []any{
			object{"name": "Other", "discriminator": numbers(other)},
			object{"name": c.Event, "discriminator": numbers(c.Discriminator)},
		}
		document["address"] = "11111111111111111111111111111111"
		document["metadata"] = object{"name": "drawn", "version": "0.1.0", "spec": "0.1.0"}
		f.define("Other", nil, object{"kind": "struct"})
		f.define(c.Event, nil, object{"kind": "struct", "fields": fields.idl})
	}
	document["events"], document["types"] = events, f.types
	c.File = mustMarshal(document)
	return c
}

// mustMarshal writes what this package made of plain values.
func mustMarshal(value any) []byte {
	raw, err := json.Marshal(value)
	if err != nil {
		panic("idltest: a document that JSON cannot hold")
	}
	return raw
}

// numbers is a list of bytes as JSON has it: a []byte would be base64.
func numbers(raw []byte) []int {
	list := make([]int, len(raw))
	for i, b := range raw {
		list[i] = int(b)
	}
	return list
}

func (f *file) define(name string, generics any, body object) {
	entry := object{"name": name, "type": body}
	if generics != nil {
		entry["generics"] = generics
	}
	f.types = append(f.types, entry)
}

// fresh is a name that no definition has yet.
func (f *file) fresh() string { return fmt.Sprintf("Type%d", len(f.types)) }

func (f *file) defined(name string, arguments ...any) any {
	switch {
	case f.legacy && arguments == nil:
		return object{"defined": name}
	case f.legacy:
		return object{"definedWithTypeArgs": object{"name": name, "args": arguments}}
	case arguments == nil:
		return object{"defined": object{"name": name}}
	default:
		return object{"defined": object{"name": name, "generics": arguments}}
	}
}
