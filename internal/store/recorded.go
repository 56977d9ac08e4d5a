package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"minesaudit/internal/verify"
)

// RecordedGame is a game as [Reading] finds it: its events, its row and its
// standing verdict, which belong together only if nobody has altered them.
type RecordedGame struct {
	StoredGame
	ID     GameID
	HasRow bool                 // else there are events alone
	Rules  int                  // verify.RulesVersion that made the standing verdict
	Times  map[uint64]time.Time // block times of the slots of voids, where known; nil for none
	Cuts   []Truncation         // transactions with an unreadable log that name it, of a game that lacks a start or an end

	Complete int64 // the frontier at the moment of reading

	row []byte // columns as COPY would send them
}

// sizeOfShown is what a row ends with: verdict, results and void_when, as COPY
// sends them.
const sizeOfShown = (4 + 2) + (4 + 4) + (4 + 2)

// Differs names the columns in which the row is not what g would have been written
// as, apart from what it repeats of the verdict. There must be a row.
func (r *RecordedGame) Differs(g *Game) []string {
	want := copied{data: make([]byte, 0, 1<<10)}
	want.game(g)
	have, made := r.row[:len(r.row)-sizeOfShown], want.data[2:len(want.data)-sizeOfShown]
	if bytes.Equal(have, made) {
		return nil
	}
	var names []string
	for _, name := range strings.Split("game, id, "+gameRest, ",") {
		if len(have) == 0 {
			break
		}
		was, now := firstColumn(have), firstColumn(made)
		if !bytes.Equal(was, now) {
			names = append(names, strings.Trim(name, "\" \t\n"))
		}
		have, made = have[len(was):], made[len(now):]
	}
	return names
}

// firstColumn is a column with its length in front, as COPY sends it.
func firstColumn(row []byte) []byte {
	if n := int32(binary.BigEndian.Uint32(row)); n > 0 {
		return row[:4+n]
	}
	return row[:4]
}

// Shows reports whether the row repeats the verdict that stands. Where none does,
// or a withdrawn one, it shows a pending game.
func (r *RecordedGame) Shows() bool {
	if !r.HasRow {
		return false
	}
	shown := r.row[len(r.row)-sizeOfShown:]
	verdict := verify.Verdict(binary.BigEndian.Uint16(shown[4:]))
	if s := &r.Standing; s.Seq >= 0 && s.Verdict != verify.VerdictWithdrawn {
		return verdict == s.Verdict && binary.BigEndian.Uint32(shown[10:]) == s.Results &&
			verify.VoidWhen(binary.BigEndian.Uint16(shown[18:])) == s.VoidWhen
	}
	return verdict == verify.VerdictPending
}

// add adds an event; of too many it keeps the first in chain order.
func (r *RecordedGame) add(e StoredEvent) {
	switch {
	case r.Events == nil:
		r.Events = make([]StoredEvent, 0, 2) // an honest game's
	case len(r.Events) >= 2*MostEvents:
		r.trim()
	}
	r.Events = append(r.Events, e)
}

func (r *RecordedGame) trim() {
	if len(r.Events) <= MostEvents {
		return
	}
	slices.SortFunc(r.Events, func(a, b StoredEvent) int {
		return cmp.Or(cmp.Compare(a.Slot, b.Slot), bytes.Compare(a.Signature[:], b.Signature[:]), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	r.Events = r.Events[:MostEvents]
}
