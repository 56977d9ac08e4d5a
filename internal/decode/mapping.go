package decode

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"minesaudit/internal/idl"
)

// A Mapping says by which events of a program a game starts and ends, and what
// their fields are to it. What it leaves out, the program does not publish:
// [Event.Missing].
type Mapping struct {
	// Versions of the program's IDL, each from a slot on. One must hold from
	// slot 0.
	Versions []Version

	// Key tells games apart: RoleGame, RoleUser and RoleNonce, or some of them.
	// Every event has to have them.
	Key []Role

	Events []EventMapping
}

// A Version is an IDL and the slot from which on the program emits by it, until
// the next one.
type Version struct {
	IDL      *idl.IDL
	FromSlot uint64
}

// An EventMapping makes one event of the IDL a start, a settlement or a void.
//
// It holds in the versions that have the event with all of the fields: where a
// field was renamed, two mappings of one event follow each other. It is an error
// if none holds anywhere, or if a version has the event and none of its mappings
// holds there.
type EventMapping struct {
	Kind  Kind   // KindStarted, KindSettled or KindVoided
	Event string // name in the IDL

	// When is the path of a variant, an option or a bool: the mapping is only of
	// those events that have it, or where it is true. Empty: of all that no
	// other mapping is of.
	When string

	// Says is the outcome that every event of this mapping has.
	Says Outcome

	Fields []FieldMapping
}

// A FieldMapping says where the value of a role is.
type FieldMapping struct {
	Role Role

	// Path is that of [idl.Event.Compile]. Empty: the value is Constant.
	Path     string
	Constant string

	Unit     Unit
	Decimals int // of UnitTokens, 0 to 19
}

// Unit says how the value of a field is meant where its type leaves that open.
type Unit string

// The units.
const (
	UnitTokens Unit = "tokens" // × 10^Decimals; amounts and multipliers
	UnitBPS    Unit = "bps"    // basis points: what an edge is in if nothing is said
	UnitPPB    Unit = "ppb"    // parts of 1e9; edges
	UnitTiles  Unit = "tiles"  // a list of tiles; masks
	UnitFlags  Unit = "flags"  // a value for each tile, not zero if set; masks
	UnitWon    Unit = "won"    // true if the game was won; lost
)

// A MappingError says which part of a mapping cannot be used.
type MappingError struct {
	Event int  // index in Mapping.Events; -1 for the versions or the key
	Field int  // index in the event's Fields; -1 for none of them
	When  bool // it is the event's When
	Err   error
}

func (e *MappingError) Error() string { return e.Err.Error() }

func (e *MappingError) Unwrap() error { return e.Err }

// NewLayout compiles a mapping. Its error joins one [MappingError] for each part
// that cannot be used.
func NewLayout(m Mapping) (*Layout, error) {
	l := &Layout{key: slices.Clone(m.Key)}
	if err := m.check(); err != nil {
		return nil, err
	}
	var err error
	if l.edgeScale, err = m.edgeScale(); err != nil {
		return nil, err
	}
	holds := make([]bool, len(m.Events))
	var refused []error
	for _, v := range m.Versions {
		compiled, err := compileVersion(v, &m, holds)
		if err != nil {
			refused = append(refused, err)
			continue
		}
		l.versions = append(l.versions, *compiled)
	}
	for i, e := range m.Events {
		if !holds[i] && len(refused) == 0 {
			refused = append(refused, &MappingError{Event: i, Field: -1, Err: m.unknownEvent(e.Event)})
		}
	}
	if err = errors.Join(refused...); err != nil {
		return nil, err
	}
	slices.SortFunc(l.versions, func(a, b version) int { return cmp.Compare(a.from, b.from) })
	return l, nil
}

// check looks at what does not depend on an IDL.
func (m *Mapping) check() error {
	var refused []error
	refuse := func(event, field int, format string, args ...any) {
		refused = append(refused, &MappingError{Event: event, Field: field, Err: fmt.Errorf(format, args...)})
	}
	slots := map[uint64]bool{}
	for _, v := range m.Versions {
		if slots[v.FromSlot] {
			refuse(-1, -1, "two IDLs hold from slot %d: keep one, or say from which slot on each holds", v.FromSlot)
		}
		slots[v.FromSlot] = true
	}
	if !slots[0] {
		refuse(-1, -1, "no IDL holds from slot 0: leave the slot of the first one out")
	}
	if len(m.Key) == 0 {
		refuse(-1, -1, "nothing tells games apart: key is at least one of game, user and nonce")
	}
	kinds := map[Kind]bool{}
	for i := range m.Events {
		e := &m.Events[i]
		kinds[e.Kind] = true
		m.checkEvent(e, func(field int, format string, args ...any) { refuse(i, field, format, args...) })
	}
	if !kinds[KindSettled] && !kinds[KindVoided] {
		refuse(-1, -1, "no event ends a game: map one as settled or voided")
	}
	return errors.Join(refused...)
}

func (m *Mapping) checkEvent(e *EventMapping, refuse func(field int, format string, args ...any)) {
	roles := Roles(e.Kind)
	seen := map[Role]bool{}
	for n, f := range e.Fields {
		switch {
		case !slices.Contains(roles, f.Role):
			refuse(n, "%s has no place in an event that is %s", f.Role, e.Kind)
		case seen[f.Role]:
			refuse(n, "%s is mapped twice", f.Role)
		case f.Role == RoleLost && e.Says != OutcomeUnsaid:
			refuse(n, "the event says already whether the game is lost: keep one of the two")
		case f.Role == RoleGame && !slices.Contains(m.Key, RoleGame):
			refuse(n, "game serves as a key only, and the key is without it: leave it out or add it to the key")
		case f.Path == "" && slices.Contains(m.Key, f.Role):
			refuse(n, "%s is part of the key, and a constant tells no two games apart", f.Role)
		}
		seen[f.Role] = true
	}
	for _, part := range m.Key {
		if !seen[part] {
			refuse(-1, "%s is part of the key: map it, or leave it out of the key", part)
		}
	}
	if e.Says != OutcomeUnsaid && e.Kind != KindSettled {
		refuse(-1, "only a settlement is lost or won")
	}
}

// edgeScale is what all edges of a mapping are parts of.
func (m *Mapping) edgeScale() (uint32, error) {
	scale := uint32(0)
	for i, e := range m.Events {
		for n, f := range e.Fields {
			if f.Role != RoleHouseEdge {
				continue
			}
			this := uint32(bpsScale)
			if f.Unit == UnitPPB {
				this = ppbScale
			}
			if scale != 0 && scale != this {
				return 0, &MappingError{Event: i, Field: n, Err: errors.New("house_edge is in another unit than before: all events of a program need one")}
			}
			scale = this
		}
	}
	return cmp.Or(scale, uint32(bpsScale)), nil
}

const (
	bpsScale = 10_000
	ppbScale = 1_000_000_000
)

// unknownEvent says that no version has an event, and what there is.
func (m *Mapping) unknownEvent(name string) error {
	var names []string
	for _, v := range m.Versions {
		for _, e := range v.IDL.Events {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return &UnknownEventError{Name: name, Known: names}
}

// An UnknownEventError is an event that no version of the IDL has.
type UnknownEventError struct {
	Name  string
	Known []string // sorted
}

func (e *UnknownEventError) Error() string {
	return fmt.Sprintf("the IDL has no event %.80q", e.Name)
}
