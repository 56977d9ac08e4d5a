package decode

import (
	"slices"
	"strings"
)

// A Role is what a field of a program's event is to a game: the game itself, one
// of [Fields], or what tells the outcome.
type Role uint8

// The roles. Those between the first and the last are the fields, in their order.
const (
	RoleGame Role = iota
	RoleUser
	RoleNonce
	RoleMinesCount
	RoleStake
	RoleCommitHash
	RoleSlothash
	RoleHouseEdge
	RoleMaxPayout
	RoleRefundTimeout
	RoleStartedAt
	RoleServerSeed
	RoleMinesMask
	RoleRevealedMask
	RoleBustTile
	RoleMultiplier
	RolePayout
	RoleRefund
	RoleAuthority
	RoleLost
)

func roleNames() []string { return strings.Fields("game " + fieldNames + " lost") }

// ParseRole finds a role by its name: game, lost, or that of a field.
func ParseRole(name string) (Role, bool) {
	at := slices.Index(roleNames(), name)
	return Role(max(at, 0)), at >= 0
}

func (r Role) String() string {
	if names := roleNames(); int(r) < len(names) {
		return names[r]
	}
	return "unknown"
}

// Field is the role as a set of one field; empty for game and lost.
func (r Role) Field() Fields {
	if r == RoleGame || r >= RoleLost {
		return 0
	}
	return 1 << (r - 1)
}

// The fields of each kind of event.
const (
	fieldsOfKey     = FieldUser | FieldNonce
	fieldsOfStarted = fieldsOfKey | FieldMinesCount | FieldStake | FieldCommitHash | FieldSlothash | FieldHouseEdge |
		FieldMaxPayout | FieldRefundTimeout | FieldStartedAt
	fieldsOfSettled = fieldsOfKey | FieldServerSeed | FieldSlothash | FieldMinesMask | FieldRevealedMask |
		FieldBustTile | FieldMultiplier | FieldPayout
	fieldsOfVoided = fieldsOfKey | FieldRefund | FieldAuthority
)

// fieldsOf are the fields that an event of one of the three kinds may publish.
func fieldsOf(kind Kind) Fields {
	switch kind {
	case KindStarted:
		return fieldsOfStarted
	case KindSettled:
		return fieldsOfSettled
	case KindVoided:
		return fieldsOfVoided
	default:
		return 0
	}
}

// Roles lists the roles that fields of an event of one of the three kinds may
// play.
func Roles(kind Kind) []Role {
	roles := []Role{RoleGame}
	for r := RoleUser; r < RoleLost; r++ {
		if fieldsOf(kind).Has(r.Field()) {
			roles = append(roles, r)
		}
	}
	if kind == KindSettled {
		roles = append(roles, RoleLost)
	}
	return roles
}
