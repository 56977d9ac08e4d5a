package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"minesaudit/internal/decode"
	"minesaudit/internal/idl"
)

// eventFile is an event in a profile's YAML.
type eventFile struct {
	Event  string               `yaml:"event"`
	When   string               `yaml:"when"`
	Lost   bool                 `yaml:"lost"`
	Fields map[string]fieldFile `yaml:"fields"`
}

// fieldFile is where a role's value is, a text alone being a path.
type fieldFile struct {
	Path     string `yaml:"path"`
	Unit     string `yaml:"unit"`
	Decimals uint64 `yaml:"decimals"`
	Value    string `yaml:"value"`
}

func (fieldFile) textKey() string { return "path" }

// layout reads what says where the events are and what they mean.
func (r *profileReader) layout(p *Profile, file *profileFile, read func(name string) ([]byte, error)) {
	if r.has("layout") && file.Layout != BuiltinMines {
		r.reject("layout", fmt.Errorf("%q is not a known layout: %s is, and an IDL needs none", clip(file.Layout), BuiltinMines))
	}
	p.LogMessages = file.LogMessages
	if len(file.IDL) > 0 {
		r.mapped(p, file, read)
	} else {
		r.unmapped(file)
	}
	parseSetting(r, "events_in", file.EventsIn, decode.ParseWhere, &p.EventsIn)
	if p.LogMessages && p.EventsIn == decode.InCPI {
		r.reject("log_messages", errors.New("events are looked for by CPI alone, not in logs: write events_in: both, or leave it out"))
	}
}

// unmapped refuses what means nothing without an IDL.
func (r *profileReader) unmapped(file *profileFile) {
	for _, key := range []string{"key", "started", "settled", "voided"} {
		if r.has(key) {
			r.reject(key, errors.New("says what the fields of an IDL's events mean, and there is no IDL: add idl: FILE"))
		}
	}
}

func (r *profileReader) mapped(p *Profile, file *profileFile, read func(name string) ([]byte, error)) {
	if r.has("layout") {
		r.reject("layout", errors.New("the layout follows from the IDL: leave it out"))
	}
	p.IDLs = r.idls(file.IDL, read)
	if slices.ContainsFunc(p.IDLs, func(f IDLFile) bool { return f.IDL.EventAuthority }) {
		p.EventsIn = decode.InBoth
	}
	m := decode.Mapping{Versions: versions(p.IDLs), Key: r.key(file.Key)}
	var places []eventPlace
	for _, list := range []struct {
		name   string
		kind   decode.Kind
		events []eventFile
	}{
		{"started", decode.KindStarted, file.Started},
		{"settled", decode.KindSettled, file.Settled},
		{"voided", decode.KindVoided, file.Voided},
	} {
		for i := range list.events {
			place := eventPlace{at: fmt.Sprintf("%s[%d]", list.name, i)}
			m.Events = append(m.Events, r.event(&list.events[i], list.kind, &place))
			places = append(places, place)
		}
	}
	if p.IDLs == nil || len(r.bad) > 0 {
		return
	}
	layout, err := decode.NewLayout(m)
	if err != nil {
		r.misfits(err, places)
		return
	}
	p.Layout, p.Payout.EdgeScale = layout, layout.EdgeScale()
}

// key reads which parts tell games apart: all, if nothing is said.
func (r *profileReader) key(names []string) []decode.Role {
	parts := []decode.Role{decode.RoleGame, decode.RoleUser, decode.RoleNonce}
	if !r.has("key") {
		return parts
	}
	var key []decode.Role
	for _, name := range names {
		role, ok := decode.ParseRole(name)
		switch {
		case !ok || !slices.Contains(parts, role):
			r.reject("key", fmt.Errorf("%q is no part of a key: game, user and nonce are", clip(name)))
		case slices.Contains(key, role):
			r.reject("key", fmt.Errorf("%s stands twice", role))
		default:
			key = append(key, role)
		}
	}
	if len(names) == 0 {
		r.reject("key", errors.New("is empty: name at least one of game, user and nonce"))
	}
	return key
}

// An eventPlace is where an event and its fields stand in the file.
type eventPlace struct {
	at     string
	fields []string // names of the roles, as in EventMapping.Fields
}

func (r *profileReader) event(file *eventFile, kind decode.Kind, place *eventPlace) decode.EventMapping {
	e := decode.EventMapping{Kind: kind, Event: file.Event, When: file.When}
	if file.Event == "" {
		r.reject(place.at, errors.New("names no event: write event: NAME, as the IDL has it"))
	}
	if r.has(place.at + ".lost") {
		e.Says = decode.OutcomeWon
		if file.Lost {
			e.Says = decode.OutcomeLost
		}
	}
	var known []string
	for _, role := range decode.Roles(kind) {
		known = append(known, role.String())
	}
	for _, name := range slices.Sorted(maps.Keys(file.Fields)) {
		at := place.at + ".fields." + name
		role, ok := decode.ParseRole(name)
		if !ok || !slices.Contains(known, name) {
			r.reject(at, fmt.Errorf("no field of a game that is %s%s", kind, suggestionOf(name, known)))
			continue
		}
		place.fields = append(place.fields, name)
		e.Fields = append(e.Fields, r.field(at, role, file.Fields[name]))
	}
	return e
}

func (r *profileReader) field(at string, role decode.Role, file fieldFile) decode.FieldMapping {
	f := decode.FieldMapping{Role: role, Path: file.Path, Constant: file.Value, Unit: decode.Unit(file.Unit)}
	if r.has(at + ".decimals") {
		if file.Unit != "" && file.Unit != string(decode.UnitTokens) {
			r.reject(at, errors.New("decimals are of an amount, which has no other unit"))
		}
		f.Unit, f.Decimals = decode.UnitTokens, int(min(file.Decimals, 1000))
	} else if f.Unit == decode.UnitTokens {
		r.reject(at, errors.New("tokens need decimals: N"))
	}
	if (file.Path == "") == !r.has(at+".value") {
		r.reject(at, errors.New("want a path in the event, or a value that holds for all: one of the two"))
	}
	return f
}

// misfits says where in the file stands what a layout cannot be made of.
func (r *profileReader) misfits(err error, places []eventPlace) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			r.misfits(err, places)
		}
		return
	}
	var fault *decode.MappingError
	if !errors.As(err, &fault) || fault.Event < 0 {
		r.bad.addf("%w", err)
		return
	}
	place := places[fault.Event]
	at := place.at
	switch {
	case fault.When:
		at += ".when"
	case fault.Field >= 0:
		at += ".fields." + place.fields[fault.Field]
	}
	var unknown *decode.UnknownEventError
	if errors.As(err, &unknown) {
		at += ".event"
		err = fmt.Errorf("%w%s", err, suggestionOf(unknown.Name, unknown.Known))
	}
	if errors.Is(err, idl.ErrNoField) {
		err = fmt.Errorf("%w: `indexer profile init` lists what there is", err)
	}
	r.reject(at, err)
}

// suggestionOf is the known word that was most likely meant, in whatever case, or
// all of them.
func suggestionOf(word string, known []string) string {
	const most = 20
	folded := make([]string, len(known))
	for i, k := range known {
		folded[i] = strings.ToLower(k)
	}
	if near := nearest(word, folded); near != "" {
		return fmt.Sprintf(": did you mean %q?", known[slices.Index(folded, near)])
	}
	if len(known) > most {
		known = append(slices.Clone(known[:most]), "and more")
	}
	return ": known are " + strings.Join(known, ", ")
}
