package config

import (
	"fmt"
	"math"
	"strconv"
)

// From says where history begins at the first start on a database.
type From struct {
	Kind FromKind
	Slot uint64 // of FromSlot
}

// FromKind is the way in which a From names a slot.
type FromKind uint8

// The ways to say where history begins.
const (
	FromNow     FromKind = iota // at the finalized slot of the first start
	FromGenesis                 // at the program's first transaction
	FromSlot                    // at From.Slot
)

// ParseFrom reads "now", "genesis" or a slot in decimal. The largest slot is
// 2^63-1, PostgreSQL's largest bigint.
func ParseFrom(s string) (From, error) {
	switch s {
	case "now":
		return From{Kind: FromNow}, nil
	case "genesis":
		return From{Kind: FromGenesis}, nil
	}
	slot, err := strconv.ParseUint(s, 10, 64)
	if err != nil || slot > math.MaxInt64 {
		return From{}, fmt.Errorf("%q is not now, genesis or a slot number", clip(s))
	}
	return From{Kind: FromSlot, Slot: slot}, nil
}

// String is what ParseFrom reads.
func (f From) String() string {
	switch f.Kind {
	case FromNow:
		return "now"
	case FromGenesis:
		return "genesis"
	default:
		return strconv.FormatUint(f.Slot, 10)
	}
}
