package decode

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"minesaudit/internal/idl"
)

// faults lists what is wrong with a mapping.
func faults(err error) []*MappingError {
	var list []*MappingError
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			list = append(list, faults(err)...)
		}
		return list
	}
	var fault *MappingError
	if errors.As(err, &fault) {
		list = append(list, fault)
	}
	return list
}

// Each fault says which part of the mapping it is of.
func TestMappingFaults(t *testing.T) {
	file := tilesIDL(t)
	for _, test := range []struct {
		name         string
		change       func(*Mapping)
		event, field int
		when         bool
		want         string
	}{
		{"no version", func(m *Mapping) { m.Versions = nil }, -1, -1, false, "no IDL holds from slot 0"},
		{"no key", func(m *Mapping) { m.Key = nil }, -1, -1, false, "nothing tells games apart"},
		{"no events", func(m *Mapping) { m.Events = nil }, -1, -1, false, "no event ends a game"},
		{"only starts", func(m *Mapping) { m.Events = m.Events[:1] }, -1, -1, false, "no event ends a game"},
		{"role of another kind", func(m *Mapping) { m.Events[0].Fields[3].Role = RoleRefund }, 0, 3, false, "refund has no place in an event that is started"},
		{"role twice", func(m *Mapping) { m.Events[0].Fields[3].Role = RoleStake }, 0, 4, false, "stake is mapped twice"},
		{"units", func(m *Mapping) {
			m.Events = append(m.Events, m.Events[0])
			m.Events[4].Fields = slices.Clone(m.Events[0].Fields)
			m.Events[4].Fields[7].Unit = UnitBPS
		}, 4, 7, false, "another unit"},
		{"event", func(m *Mapping) { m.Events[1].Event = "None" }, 1, -1, false, `the IDL has no event "None"`},
		{"path", func(m *Mapping) { m.Events[1].Fields[3].Path = "none" }, 1, 3, false, `"none"`},
		{"when", func(m *Mapping) { m.Events[3].When = "none" }, 3, -1, true, `"none"`},
		{"when without a doubt", func(m *Mapping) { m.Events[3].When = "player" }, 3, -1, true, "it is always there"},
		{"a void that is lost", func(m *Mapping) { m.Events[3].Says = OutcomeLost }, 3, -1, false, "only a settlement"},
		{"lost twice", func(m *Mapping) { m.Events[1].Fields[8] = FieldMapping{Role: RoleLost, Path: "round"} }, 1, 8, false, "says already"},
		{"event twice", func(m *Mapping) { m.Events = append(m.Events, m.Events[2]) }, 4, -1, false, "mapped twice"},
	} {
		m := tilesMapping(file)
		test.change(&m)
		_, err := NewLayout(m)
		list := faults(err)
		if len(list) == 0 {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		f := list[0]
		if f.Event != test.event || f.Field != test.field || f.When != test.when || !strings.Contains(f.Error(), test.want) {
			t.Errorf("%s: event %d, field %d, when %v: %v", test.name, f.Event, f.Field, f.When, f)
		}
	}
}

// One event may be several ends, each under its condition.
func TestConditions(t *testing.T) {
	file, err := idl.Parse([]byte(`{"instructions":[],"events":[{"name":"Ended","fields":[{"name":"id","type":"u8"},{"name":"how","type":{"defined":"How"}},{"name":"late","type":"bool"}]}],
	"types":[{"name":"How","type":{"kind":"enum","variants":[{"name":"Out","fields":[{"name":"pay","type":"u64"}]},{"name":"Bust"},{"name":"Off"}]}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	id := FieldMapping{Role: RoleNonce, Path: "id"}
	mapping := func(events ...EventMapping) Mapping {
		return Mapping{Versions: []Version{{IDL: file}}, Key: []Role{RoleNonce}, Events: events}
	}
	won := EventMapping{Kind: KindSettled, Event: "Ended", When: "how.Out", Says: OutcomeWon, Fields: []FieldMapping{id, {Role: RolePayout, Path: "how.Out.pay"}}}
	lost := EventMapping{Kind: KindSettled, Event: "Ended", When: "how.Bust", Says: OutcomeLost, Fields: []FieldMapping{id}}
	late := EventMapping{Kind: KindVoided, Event: "Ended", When: "late", Fields: []FieldMapping{id}}
	rest := EventMapping{Kind: KindVoided, Event: "Ended", Fields: []FieldMapping{id}}
	ended := func(how string, body object, late bool) []byte {
		return encodeBy(t, file, "Ended", object{"id": 7, "how": object{how: body}, "late": late})
	}
	for _, test := range []struct {
		name   string
		events []EventMapping
		data   []byte
		kind   Kind
		says   Outcome
	}{
		{"won", []EventMapping{won, lost, rest}, ended("Out", object{"pay": 5}, false), KindSettled, OutcomeWon},
		{"lost", []EventMapping{won, lost, rest}, ended("Bust", object{}, false), KindSettled, OutcomeLost},
		{"the rest", []EventMapping{rest, won, lost}, ended("Off", object{}, true), KindVoided, OutcomeUnsaid},
		{"none of them", []EventMapping{won, lost}, ended("Off", object{}, false), KindUnknown, OutcomeUnsaid},
		{"a bool", []EventMapping{won, late}, ended("Off", object{}, true), KindVoided, OutcomeUnsaid},
		{"a bool that is false", []EventMapping{won, late}, ended("Off", object{}, false), KindUnknown, OutcomeUnsaid},
		{"two of them", []EventMapping{won, late}, ended("Out", object{"pay": 5}, true), KindMalformed, OutcomeUnsaid},
	} {
		l, err := NewLayout(mapping(test.events...))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		e := l.Parse(0, test.data)
		if e.Kind != test.kind || e.Settled != nil && e.Settled.Says != test.says {
			t.Errorf("%s: %v %q, %+v", test.name, e.Kind, e.Problem, e.Settled)
		}
		if test.name == "won" && (e.Settled.Payout != 5 || e.Missing.Has(FieldBustTile)) {
			t.Errorf("%+v, missing %s", e.Settled, e.Missing)
		}
	}
}

func TestCanonicalIsBuiltin(t *testing.T) {
	if got := BuiltinLayout().Canonical(); got != "builtin:mines" {
		t.Error(got)
	}
}

// What a layout reads is the same whatever the order of the mapping.
func TestCanonicalOrder(t *testing.T) {
	file := tilesIDL(t)
	m := tilesMapping(file)
	l, err := NewLayout(m)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(m.Events)
	slices.Reverse(m.Key)
	for i := range m.Events {
		slices.Reverse(m.Events[i].Fields)
	}
	other, err := NewLayout(m)
	if err != nil {
		t.Fatal(err)
	}
	if l.Canonical() != other.Canonical() {
		t.Errorf("got\n%s\nand\n%s", l.Canonical(), other.Canonical())
	}
}
