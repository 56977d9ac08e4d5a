package store

import (
	"bytes"
	"encoding/binary"
	"errors"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// How many columns the queries give.
const (
	columnsOfGame    = 32
	columnsOfVerdict = 13
)

// errForm is a column that has not the type of the schema.
var errForm = errors.New("a row is not of the form of the schema")

// gameOf reads a row of readGames.
func gameOf(values [][]byte) (*RecordedGame, error) {
	if len(values) != columnsOfGame || len(values[0]) != 32 || len(values[1]) != 16 {
		return nil, errForm
	}
	g := &RecordedGame{ID: GameID(values[1]), HasRow: true, row: make([]byte, 0, 512)}
	for _, v := range values {
		if v == nil {
			g.row = append(g.row, 0xff, 0xff, 0xff, 0xff)
			continue
		}
		g.row = binary.BigEndian.AppendUint32(g.row, uint32(len(v)))
		g.row = append(g.row, v...)
	}
	g.Key.Game = [32]byte(values[0])
	if user := values[2]; len(user) == 32 {
		g.Key.User = [32]byte(user)
	}
	g.Key.Nonce = numericOf(values[3])
	g.Standing = Verdict{Game: g.ID, Seq: -1}
	return g, nil
}

// numericOf reads a whole numeric below 2^64, 0 for null; see copied.numeric.
func numericOf(v []byte) uint64 {
	if len(v) < 8 {
		return 0
	}
	digits, weight := int(binary.BigEndian.Uint16(v)), int(binary.BigEndian.Uint16(v[2:]))
	var n uint64
	for i := 0; i <= weight && weight < 5; i++ {
		n *= 10_000
		if i < digits && len(v) >= 10+2*i {
			n += uint64(binary.BigEndian.Uint16(v[8+2*i:]))
		}
	}
	return n
}

func verdictOf(game GameID, v [][]byte) (Verdict, int) {
	small := func(i int) int { return int(int16(binary.BigEndian.Uint16(v[i]))) }
	big := func(i int) uint64 { return binary.BigEndian.Uint64(v[i]) }
	out := Verdict{
		Game: game, Seq: int(binary.BigEndian.Uint32(v[0])), Slot: big(1), Verdict: verify.Verdict(small(3)), Results: binary.BigEndian.Uint32(v[4]),
		Kind: verify.EndKind(small(5)), MinesCount: small(6), Revealed: small(7), Lost: v[8][0] == 1, StakeBand: small(9), VoidWhen: verify.VoidWhen(small(10)),
	}
	if v[2] != nil {
		out.EndSlot = big(2)
	}
	return out, small(11)
}

// eventOf reads a row of readEvents, apart from what it paid and its time.
func eventOf(v [][]byte) StoredEvent {
	small := func(i int) uint16 { return binary.BigEndian.Uint16(v[i]) }
	return StoredEvent{
		Event: Event{
			Source: Source(small(1)), Ordinal: binary.BigEndian.Uint32(v[2]), Kind: decode.Kind(small(3)),
			Game: GameID(v[0]), HasGame: true, Data: bytes.Clone(v[4]),
		},
		TxID: int64(binary.BigEndian.Uint64(v[6])), Signature: [64]byte(v[7]), Slot: binary.BigEndian.Uint64(v[8]), State: decode.LogState(small(9)),
	}
}
