package decode

import "fmt"

// Kind says what a data line of the program holds. Its number is stored.
type Kind uint8

// The kinds.
const (
	KindStarted   Kind = iota + 1
	KindSettled        // won or lost
	KindVoided         // cancelled with a refund
	KindUnknown        // not ours: another discriminator, or too short for one
	KindMalformed      // not one slice of base64, or ours with bytes that do not fit
)

func (k Kind) String() string {
	switch k {
	case KindStarted:
		return "started"
	case KindSettled:
		return "settled"
	case KindVoided:
		return "voided"
	case KindUnknown:
		return "unknown"
	case KindMalformed:
		return "malformed"
	default:
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
}

// A GameKey names a game. An address alone may be used again. Where a layout
// keys games by fewer parts, the others are zero in every key.
type GameKey struct {
	Game, User [32]byte
	Nonce      uint64
}

// An Event is one data line of the program, whether it could be read or not.
type Event struct {
	Kind   Kind
	Source Source // of what was found in a transaction; else 0

	// Ordinal counts what the program emitted by that source in the transaction,
	// from 0, what cannot be read included: a stable key.
	Ordinal uint32

	// Line is the index of the line in the log; not of SourceCPI.
	Line int

	// Data is the slice that the line holds, for [Parse] to read again. Where
	// the line is not exactly one slice of base64 it is the line's text after
	// the prefix instead, which Parse never takes for an event.
	Data []byte

	Key     GameKey  // of the three kinds that were read
	Started *Started // of KindStarted, else nil
	Settled *Settled // of KindSettled, else nil
	Voided  *Voided  // of KindVoided, else nil

	// User and Nonce are what this event publishes of them, whether the key has
	// them or not.
	User  [32]byte
	Nonce uint64

	// Missing are the fields that the program does not publish in this event,
	// and which are zero here. The built-in layout publishes all.
	Missing Fields

	// Paid is what the player's account gained in the transaction, where that was
	// taken for a payout that is not published; else nil. Parse leaves it nil.
	Paid *uint64

	Problem string // why it is KindUnknown or KindMalformed; else empty
}

// Started is what MinesGameStarted tells beside its key.
type Started struct {
	MinesCount           uint8
	Stake                uint64
	CommitHash, Slothash [32]byte
	HouseEdge            uint32 // in parts of the program's scale: basis points in the built-in layout
	MaxPayout            uint64
	RefundTimeout        int64 // seconds
	StartedAt            int64 // unix seconds
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

// Settled is what MinesGameSettled tells beside its key. BustTile counts if
// HasBust.
type Settled struct {
	ServerSeed, Slothash    [32]byte
	MinesMask, RevealedMask uint32 // bit t is tile t
	BustTile                uint8
	HasBust                 bool
	Multiplier, Payout      uint64
	Says                    Outcome // by a field or by which event it is; the built-in layout has neither
}

// Voided is what MinesGameVoided tells beside its key.
type Voided struct {
	Refund    uint64
	Authority [32]byte
}

// TakePaid takes what the player's account gained for the payout of a settlement
// that does not publish it; nil is nothing known.
func (e *Event) TakePaid(paid *uint64) {
	if paid == nil || e.Kind != KindSettled || !e.Missing.Has(FieldPayout) {
		return
	}
	e.Paid, e.Settled.Payout = paid, *paid
	e.Missing &^= FieldPayout
}
