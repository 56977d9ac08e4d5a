package verify

import "fmt"

// A Game is everything that the chain shows of one game, as far as it is known.
// Address, User and Nonce come from its events; User is the account that enters
// the board's derivation.
type Game struct {
	Address, User [32]byte
	Nonce         uint64
	Missing       Fields // FieldUser and FieldNonce, where no event publishes them

	// Starts and Ends are in chain order. An honest game has at most one of each.
	Starts []Start
	Ends   []End

	// TiedStarts and TiedEnds say how many of the first starts and ends lie in
	// one slot but in different transactions, so that nobody can tell from a
	// record by slots which was first. 0 and 1 mean that the first is known.
	TiedStarts, TiedEnds int

	// Truncated: an event of the game came from a log that is cut short, so
	// that others may be missing.
	Truncated bool

	// HiddenIn is the slot of a log that is cut short, of a transaction that
	// names the game: an end that is missing may lie there, and then will not be
	// seen anywhere. 0: there is none.
	HiddenIn uint64

	// Complete: the record holds everything below the game's last event, or
	// will never hold more. A start that is missing then will not come.
	Complete bool
}

// A Start fixes the terms of a game. A field in Missing is not published, and
// zero.
type Start struct {
	MinesCount           uint8
	Stake                uint64
	CommitHash, Slothash [32]byte
	HouseEdge            uint32 // in parts of Rules.EdgeScale
	MaxPayout            uint64
	RefundTimeout        int64 // seconds
	StartedAt            int64 // unix seconds
	Slot                 uint64
	Missing              Fields
}

// EndKind says how a game ended, and so which part of an [End] counts. Its
// number is stored.
type EndKind uint8

// The kinds of end.
const (
	EndSettled EndKind = iota
	EndVoided
	EndNone // no end yet; of a Report, never of an End
)

func (k EndKind) String() string {
	switch k {
	case EndSettled:
		return "settled"
	case EndVoided:
		return "voided"
	case EndNone:
		return "none"
	default:
		return "unknown"
	}
}

// An End is a settlement or a void.
type End struct {
	Kind         EndKind
	Slot         uint64
	BlockTime    int64 // unix seconds, if HasBlockTime
	HasBlockTime bool
	Settled      Settled // of a Kind EndSettled
	Voided       Voided  // of a Kind EndVoided
}

// Outcome is what a settlement says of winning or losing beside its bust tile.
type Outcome uint8

// The outcomes.
const (
	OutcomeUnsaid Outcome = iota
	OutcomeWon
	OutcomeLost
)

func (o Outcome) String() string {
	switch o {
	case OutcomeUnsaid:
		return "unsaid"
	case OutcomeWon:
		return "won"
	case OutcomeLost:
		return "lost"
	default:
		return fmt.Sprintf("outcome(%d)", uint8(o))
	}
}

// Settled is what a settlement publishes. BustTile counts if HasBust. A field in
// Missing is not published, and zero.
type Settled struct {
	ServerSeed, Slothash    [32]byte
	MinesMask, RevealedMask uint32
	BustTile                uint8
	HasBust                 bool
	Multiplier, Payout      uint64
	Says                    Outcome
	Missing                 Fields
}

// Voided is what a void publishes: the refund and the key that cancelled. A field
// in Missing is not published, and zero.
type Voided struct {
	Refund    uint64
	Authority [32]byte
	Missing   Fields
}
