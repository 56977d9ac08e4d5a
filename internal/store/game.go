package store

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/jackc/pgx/v5/pgtype"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// GameID is the key of a game in the database: the first half of
// sha256(game ‖ user ‖ le64(nonce)).
type GameID [16]byte

// UUIDValue lets pgx write an id without reflection.
func (id GameID) UUIDValue() (pgtype.UUID, error) { return pgtype.UUID{Bytes: id, Valid: true}, nil }

// array is a parameter that pgx encodes element by element without reflection,
// unlike a plain slice of anything but numbers and texts.
type array[T any] = pgtype.FlatArray[T]

// NewGameID derives the id of a game key.
func NewGameID(k decode.GameKey) GameID {
	var in [72]byte
	copy(in[:32], k.Game[:])
	copy(in[32:64], k.User[:])
	binary.LittleEndian.PutUint64(in[64:], k.Nonce)
	sum := sha256.Sum256(in[:])
	return GameID(sum[:16])
}

// Game is a game's row: what its first start and first end published. The ID is
// of the key that the program's games have; Key is of what is published, and so
// has a user and a nonce though they are no part of that, and Missing says which
// of the two is not published at all.
type Game struct {
	ID           GameID
	Stored       bool // the record has a row of it
	Key          decode.GameKey
	Missing      verify.Fields // FieldUser and FieldNonce
	Starts, Ends int
	StartTx      int64 // id of the transaction; meaningless where Start is nil
	Start        *verify.Start
	EndTx        int64
	End          *verify.End
	Standing     Verdict // Seq < 0: none yet
}

// Verdict is one row of a game's verdicts, with the cell that it is counted in.
type Verdict struct {
	Game       GameID
	Seq        int // 0, 1, 2, …; the highest stands
	Slot       uint64
	EndSlot    uint64
	Verdict    verify.Verdict
	Results    uint32
	Kind       verify.EndKind
	MinesCount int
	Revealed   int
	Lost       bool
	StakeBand  int
	VoidWhen   verify.VoidWhen
	Findings   []verify.Finding
}

// endSlot is the ending event's slot as it is stored: a withdrawn verdict has none.
func (v *Verdict) endSlot() *int64 {
	if v.Verdict == verify.VerdictWithdrawn {
		return nil
	}
	return ptr(int64(v.EndSlot))
}

// SameAs reports whether o says the same of the same ending: then a new
// verdict would add nothing.
func (v *Verdict) SameAs(o *Verdict) bool {
	return v.Verdict == o.Verdict && v.Results == o.Results && v.EndSlot == o.EndSlot && v.Kind == o.Kind &&
		v.MinesCount == o.MinesCount && v.Revealed == o.Revealed && v.Lost == o.Lost &&
		v.StakeBand == o.StakeBand && v.VoidWhen == o.VoidWhen
}

// Failed names the checks that failed.
func (v *Verdict) Failed() []string {
	var names []string
	for c, r := range verify.Unpack(v.Results) {
		if r == verify.ResultFail {
			names = append(names, verify.Check(c).String())
		}
	}
	return names
}
