package decode

// A scalar is the value of a role, whatever it was in the payload or profile.
type scalar struct {
	bytes  [32]byte // keys, hashes, seeds
	number uint64   // the rest: times as two's complement, lost as 1, a bust tile or noTile
}

// noTile is a bust tile that there is none.
const noTile = 1 << 8

// A Room holds what one event tells beside its key, so that reading the next
// costs no memory.
type Room struct {
	Started Started
	Settled Settled
	Voided  Voided
}

// The methods of a nil Room give each event memory of its own; else what they give
// holds the last event's values.

func (r *Room) started() *Started {
	if r == nil {
		return new(Started)
	}
	return &r.Started
}

func (r *Room) settled() *Settled {
	if r == nil {
		return new(Settled)
	}
	return &r.Settled
}

func (r *Room) voided() *Voided {
	if r == nil {
		return new(Voided)
	}
	return &r.Voided
}

// put gives the event the value of a role, which its kind has.
func (e *Event) put(role Role, v *scalar, game *[32]byte) {
	switch role {
	case RoleGame:
		*game = v.bytes
	case RoleUser:
		e.User = v.bytes
	case RoleNonce:
		e.Nonce = v.number
	default:
		switch e.Kind {
		case KindStarted:
			e.Started.put(role, v)
		case KindSettled:
			e.Settled.put(role, v)
		case KindVoided:
			e.Voided.put(role, v)
		}
	}
}

func (s *Started) put(role Role, v *scalar) {
	switch role {
	case RoleMinesCount:
		s.MinesCount = uint8(v.number)
	case RoleStake:
		s.Stake = v.number
	case RoleCommitHash:
		s.CommitHash = v.bytes
	case RoleSlothash:
		s.Slothash = v.bytes
	case RoleHouseEdge:
		s.HouseEdge = uint32(v.number)
	case RoleMaxPayout:
		s.MaxPayout = v.number
	case RoleRefundTimeout:
		s.RefundTimeout = int64(v.number)
	case RoleStartedAt:
		s.StartedAt = int64(v.number)
	}
}

func (s *Settled) put(role Role, v *scalar) {
	switch role {
	case RoleServerSeed:
		s.ServerSeed = v.bytes
	case RoleSlothash:
		s.Slothash = v.bytes
	case RoleMinesMask:
		s.MinesMask = uint32(v.number)
	case RoleRevealedMask:
		s.RevealedMask = uint32(v.number)
	case RoleBustTile:
		if s.HasBust = v.number != noTile; s.HasBust {
			s.BustTile = uint8(v.number)
		}
	case RoleMultiplier:
		s.Multiplier = v.number
	case RolePayout:
		s.Payout = v.number
	case RoleLost:
		s.Says = OutcomeWon
		if v.number == 1 {
			s.Says = OutcomeLost
		}
	}
}

func (v *Voided) put(role Role, value *scalar) {
	switch role {
	case RoleRefund:
		v.Refund = value.number
	case RoleAuthority:
		v.Authority = value.bytes
	}
}
