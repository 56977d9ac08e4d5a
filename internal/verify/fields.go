package verify

import "strings"

// Fields is a set of what a game's events may publish. The bits are those of
// the events' decoder.
type Fields uint32

// The fields. One that several events have, as the slot hash, is one field: the
// set is always that of one event.
const (
	FieldUser Fields = 1 << iota
	FieldNonce
	FieldMinesCount
	FieldStake
	FieldCommitHash
	FieldSlothash
	FieldHouseEdge
	FieldMaxPayout
	FieldRefundTimeout
	FieldStartedAt
	FieldServerSeed
	FieldMinesMask
	FieldRevealedMask
	FieldBustTile // whether there is one, and which
	FieldMultiplier
	FieldPayout
	FieldRefund
	FieldAuthority
)

// fieldNames are in the order of the bits.
const fieldNames = "user nonce mines_count stake commit_hash slothash house_edge max_payout refund_timeout started_at " +
	"server_seed mines_mask revealed_mask bust_tile multiplier payout refund authority"

// Has reports whether all of some fields are in the set.
func (f Fields) Has(all Fields) bool { return f&all == all }

// String is the names with commas between them; empty for no field.
func (f Fields) String() string {
	var names []string
	for i, name := range strings.Fields(fieldNames) {
		if f.Has(1 << i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
