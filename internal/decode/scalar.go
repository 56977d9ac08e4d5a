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

// isBytes tells roles whose scalar is 32 bytes from those whose is a number.
func (r Role) isBytes() bool {
	switch r {
	case RoleGame, RoleUser, RoleCommitHash, RoleSlothash, RoleServerSeed, RoleAuthority:
		return true
	}
	return false
}

// put gives the event the value of a role, which its kind has.
func (e *Event) put(role Role, v *scalar) {
	if role.isBytes() {
		*e.bytesOf(role) = v.bytes
	} else {
		e.putNumber(role, v.number)
	}
}

// bytesOf is where the event has the bytes of a role. What tells games apart and
// is no part of the event otherwise is in its key.
func (e *Event) bytesOf(role Role) *[32]byte {
	switch role {
	case RoleUser:
		return &e.User
	case RoleCommitHash:
		return &e.Started.CommitHash
	case RoleServerSeed:
		return &e.Settled.ServerSeed
	case RoleAuthority:
		return &e.Voided.Authority
	case RoleSlothash:
		if e.Kind == KindStarted {
			return &e.Started.Slothash
		}
		return &e.Settled.Slothash
	}
	return &e.Key.Game
}

func (e *Event) putNumber(role Role, n uint64) {
	switch role {
	case RoleNonce:
		e.Nonce = n
	case RoleMinesCount:
		e.Started.MinesCount = uint8(n)
	case RoleStake:
		e.Started.Stake = n
	case RoleHouseEdge:
		e.Started.HouseEdge = uint32(n)
	case RoleMaxPayout:
		e.Started.MaxPayout = n
	case RoleRefundTimeout:
		e.Started.RefundTimeout = int64(n)
	case RoleStartedAt:
		e.Started.StartedAt = int64(n)
	case RoleMinesMask:
		e.Settled.MinesMask = uint32(n)
	case RoleRevealedMask:
		e.Settled.RevealedMask = uint32(n)
	case RoleBustTile:
		if e.Settled.HasBust = n != noTile; e.Settled.HasBust {
			e.Settled.BustTile = uint8(n)
		}
	case RoleMultiplier:
		e.Settled.Multiplier = n
	case RolePayout:
		e.Settled.Payout = n
	case RoleLost:
		e.Settled.Says = OutcomeWon
		if n == 1 {
			e.Settled.Says = OutcomeLost
		}
	case RoleRefund:
		e.Voided.Refund = n
	}
}
