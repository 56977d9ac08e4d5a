package decode

import "fmt"

// The discriminators: sha256("event:" + name)[:8].
const (
	startedDiscriminator = "\xe6\x28\x22\x93\x31\x99\xf4\xe0"
	settledDiscriminator = "\xee\x31\x82\x63\xf9\xc8\x6f\x72"
	voidedDiscriminator  = "\xe8\x98\x10\x9a\x4d\x90\xa5\x3b"
)

// The lengths of whole events in bytes: discriminator, key and the rest.
const (
	discriminatorSize = 8
	keySize           = 32 + 32 + 8
	startedSize       = discriminatorSize + keySize + 1 + 8 + 32 + 32 + 2 + 8 + 8 + 8
	settledSize       = discriminatorSize + keySize + 32 + 32 + 4 + 4 + 1 + 8 + 8 // without a bust tile
	voidedSize        = discriminatorSize + keySize + 8 + 32
)

// bustTagOffset is where the option of a settlement's bust tile has its tag.
const bustTagOffset = discriminatorSize + keySize + 32 + 32 + 4 + 4

// IsNamed reports whether bytes begin as one of the program's events do: where
// Parse cannot read the rest, something has happened that is not understood.
func IsNamed(data []byte) bool {
	if len(data) < discriminatorSize {
		return false
	}
	switch string(data[:discriminatorSize]) {
	case startedDiscriminator, settledDiscriminator, voidedDiscriminator:
		return true
	}
	return false
}

// Parse reads one event of the built-in layout from the bytes that a program
// emitted. The event's Data is data itself, not a copy.
func Parse(data []byte) Event {
	event := Event{Data: data}
	event.parse(nil)
	return event
}

func (e *Event) parse(room *Room) {
	data := e.Data
	switch {
	case len(data) == 0:
		e.malformed("no bytes")
	case len(data) < discriminatorSize:
		e.unknown("%d bytes: too short for a discriminator", len(data))
	default:
		switch string(data[:discriminatorSize]) {
		case startedDiscriminator:
			e.parseStarted(room)
		case settledDiscriminator:
			e.parseSettled(room)
		case voidedDiscriminator:
			e.parseVoided(room)
		default:
			e.unknown("discriminator %x", data[:discriminatorSize])
		}
	}
}

func (e *Event) parseStarted(room *Room) {
	if len(e.Data) != startedSize {
		e.malformed("MinesGameStarted of %d bytes: want %d", len(e.Data), startedSize)
		return
	}
	r := reader(e.Data[discriminatorSize:])
	e.Kind = KindStarted
	e.setKey(r.key())
	e.Started = room.started()
	*e.Started = Started{
		MinesCount:    r.u8(),
		Stake:         r.u64(),
		CommitHash:    r.bytes32(),
		Slothash:      r.bytes32(),
		HouseEdge:     uint32(r.u16()),
		MaxPayout:     r.u64(),
		RefundTimeout: r.i64(),
		StartedAt:     r.i64(),
	}
}

func (e *Event) parseSettled(room *Room) {
	want := settledSize
	if len(e.Data) > bustTagOffset {
		switch tag := e.Data[bustTagOffset]; tag {
		case 0:
		case 1:
			want++
		default:
			e.malformed("MinesGameSettled: bust_tile has option tag %d: want 0 or 1", tag)
			return
		}
	}
	if len(e.Data) != want {
		e.malformed("MinesGameSettled of %d bytes: want %d", len(e.Data), want)
		return
	}
	r := reader(e.Data[discriminatorSize:])
	e.Kind = KindSettled
	e.setKey(r.key())
	e.Settled = room.settled()
	s := e.Settled
	*s = Settled{
		ServerSeed:   r.bytes32(),
		Slothash:     r.bytes32(),
		MinesMask:    r.u32(),
		RevealedMask: r.u32(),
		HasBust:      r.u8() == 1,
	}
	if s.HasBust {
		s.BustTile = r.u8()
	}
	s.Multiplier = r.u64()
	s.Payout = r.u64()
}

func (e *Event) parseVoided(room *Room) {
	if len(e.Data) != voidedSize {
		e.malformed("MinesGameVoided of %d bytes: want %d", len(e.Data), voidedSize)
		return
	}
	r := reader(e.Data[discriminatorSize:])
	e.Kind = KindVoided
	e.setKey(r.key())
	e.Voided = room.voided()
	*e.Voided = Voided{Refund: r.u64(), Authority: r.bytes32()}
}

// setKey sets the key of an event that publishes every part of it.
func (e *Event) setKey(k GameKey) { e.Key, e.User, e.Nonce = k, k.User, k.Nonce }

func (e *Event) unknown(format string, args ...any) {
	e.Kind, e.Problem = KindUnknown, fmt.Sprintf(format, args...)
}

func (e *Event) malformed(format string, args ...any) {
	e.Kind, e.Problem = KindMalformed, fmt.Sprintf(format, args...)
}
