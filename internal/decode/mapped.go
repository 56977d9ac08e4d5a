package decode

import (
	"slices"

	"minesaudit/internal/idl"
)

// A Layout says which bytes are the events of a game. It does not change and may
// be used from many goroutines.
type Layout struct {
	versions  []version // by slot, the first from 0; none: the built-in layout
	key       []Role
	edgeScale uint32
}

// BuiltinLayout is the layout that the package comment describes.
func BuiltinLayout() *Layout {
	return &Layout{key: []Role{RoleGame, RoleUser, RoleNonce}, edgeScale: bpsScale}
}

// IsBuiltin tells the built-in layout from those of an IDL.
func (l *Layout) IsBuiltin() bool { return len(l.versions) == 0 }

// Key is what tells games apart.
func (l *Layout) Key() []Role { return slices.Clone(l.key) }

// EdgeScale is what [Started.HouseEdge] is parts of.
func (l *Layout) EdgeScale() uint32 { return l.edgeScale }

// Parse reads one event from the bytes that the program emitted in a slot. The
// event's Data is data itself, not a copy.
func (l *Layout) Parse(slot uint64, data []byte) Event {
	return l.ParseInto(nil, slot, data)
}

// ParseInto does what Parse does and puts into room what the event tells beside
// its key, where the event points to until room is used again.
func (l *Layout) ParseInto(room *Room, slot uint64, data []byte) Event {
	event := Event{Data: data}
	if l.IsBuiltin() {
		event.parse(room)
	} else {
		event.parseMapped(room, l.at(slot))
	}
	return event
}

// Named reports whether bytes begin as an event that is something to games:
// where Parse cannot read the rest, something has happened that is not
// understood.
func (l *Layout) Named(slot uint64, data []byte) bool {
	if l.IsBuiltin() {
		return IsNamed(data)
	}
	v := l.at(slot)
	event, ok := v.idl.Match(data)
	return ok && len(v.parts[event].bindings) > 0
}

// at finds the version that holds in a slot.
func (l *Layout) at(slot uint64) *version {
	i := len(l.versions) - 1
	for i > 0 && l.versions[i].from > slot {
		i--
	}
	return &l.versions[i]
}

// mostSlots is how many values a plan reads without memory of its own.
const mostSlots = 24

func (e *Event) parseMapped(room *Room, v *version) {
	if len(e.Data) == 0 {
		e.malformed("no bytes")
		return
	}
	event, ok := v.idl.Match(e.Data)
	if !ok {
		e.unknown("discriminator %x", e.Data[:min(len(e.Data), discriminatorSize)])
		return
	}
	p := v.parts[event]
	if len(p.bindings) == 0 {
		e.Kind, e.Problem = KindUnknown, p.idle
		return
	}
	payload := e.Data[len(event.Discriminator):]
	if p.fixed && len(payload) == p.size {
		e.fillFixed(&p.bindings[0], payload, room)
		return
	}
	e.readMapped(p, payload, room)
}

// readMapped reads an event value by value.
func (e *Event) readMapped(p *part, payload []byte, room *Room) {
	var buf [mostSlots]idl.Value
	values := buf[:]
	if len(p.paths) > len(values) {
		values = make([]idl.Value, len(p.paths))
	}
	if err := p.plan.Read(payload, values); err != nil {
		e.malformed("%v", err)
		return
	}
	switch b, fits := p.choose(values); fits {
	case 0:
		e.Kind, e.Problem = KindUnknown, p.idle
	case 1:
		if problem := e.fill(b, values, room); problem != "" {
			*e = Event{Data: e.Data}
			e.malformed("event %q: %s", p.event.Name, problem)
		}
	default:
		e.malformed("event %q: several of its mappings fit", p.event.Name)
	}
}

// choose finds the binding of one payload: that whose condition holds, else the
// one without a condition. It gives how many fit.
func (p *part) choose(values []idl.Value) (chosen *binding, fits int) {
	var always *binding
	for i := range p.bindings {
		b := &p.bindings[i]
		if b.when < 0 {
			always = b
			continue
		}
		v := &values[b.when]
		if v.Kind == idl.Bool {
			if yes, _ := v.Bool(); !yes {
				continue
			}
		}
		if v.Present() {
			chosen = b
			fits++
		}
	}
	if fits == 0 && always != nil {
		return always, 1
	}
	return chosen, fits
}

// read reads what stood on a line: the bytes, or the text with what is wrong
// with it.
func (l *Layout) read(slot uint64, raw []byte, problem, text string) Event {
	if problem != "" {
		return Event{Kind: KindMalformed, Data: []byte(text), Problem: problem}
	}
	return l.Parse(slot, raw)
}
