package decode

import (
	"strconv"

	"minesaudit/internal/idl"
)

// begin makes the event one of a binding's kind, with no field yet.
func (e *Event) begin(b *binding, room *Room) {
	e.Kind, e.Missing = b.kind, b.missing
	switch b.kind {
	case KindStarted:
		e.Started = room.started()
		*e.Started = Started{}
	case KindSettled:
		e.Settled = room.settled()
		*e.Settled = Settled{Says: b.says}
	case KindVoided:
		e.Voided = room.voided()
		*e.Voided = Voided{}
	}
}

// fill makes the event what a binding says. A problem leaves it half made.
func (e *Event) fill(b *binding, values []idl.Value, room *Room) (problem string) {
	e.begin(b, room)
	for i := range b.fields {
		f := &b.fields[i]
		if f.quick && values[f.slot].Present() {
			e.putQuick(f.role, values[f.slot].Raw)
			continue
		}
		switch value, present, problem := f.value(values); {
		case problem != "":
			return f.role.String() + ": path " + strconv.Quote(f.source.Path) + ": " + problem
		case present:
			e.put(f.role, &value)
		case f.isKey:
			return f.role.String() + ": path " + strconv.Quote(f.source.Path) + ": not there, and part of the key"
		default:
			e.Missing |= f.role.Field()
		}
	}
	e.end(b)
	return ""
}

// end draws what follows from the fields.
func (e *Event) end(b *binding) {
	if e.Kind == KindSettled && e.Settled.Says == OutcomeWon && b.missing.Has(FieldBustTile) {
		e.Missing &^= FieldBustTile // there is none
	}
	if b.keyed.Has(FieldUser) {
		e.Key.User = e.User
	}
	if b.keyed.Has(FieldNonce) {
		e.Key.Nonce = e.Nonce
	}
}

// value reads the field of one payload; present is false where there is none.
func (f *boundField) value(values []idl.Value) (s scalar, present bool, problem string) {
	if f.slot < 0 {
		return f.constant, true, ""
	}
	v := &values[f.slot]
	if !v.Present() {
		return f.form.absent(), f.form.decidesByPresence(), ""
	}
	s, problem = f.form.convert(v, f.decimals)
	return s, true, problem
}
