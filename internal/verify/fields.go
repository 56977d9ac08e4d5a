package verify

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

// Has reports whether all of some fields are in the set.
func (f Fields) Has(all Fields) bool { return f&all == all }

// Any reports whether one of some fields is in the set.
func (f Fields) Any(of Fields) bool { return f&of != 0 }
