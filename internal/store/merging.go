package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// merging puts games, their verdicts and their events together, each in the order
// of keys.
type merging struct {
	games []*RecordedGame
	at    int // what came so far belongs to games before it, or to it

	verdictsAlone bool // there are no rows: verdicts tell which games there are
}

func (m *merging) rows(rows pgx.Rows) error {
	for rows.Next() {
		g, err := gameOf(rows.RawValues())
		if err != nil {
			return err
		}
		m.games = append(m.games, g)
	}
	return rows.Err()
}

// verdicts keeps the last of each game that there is.
func (m *merging) verdicts(rows pgx.Rows) error {
	m.at = 0
	for rows.Next() {
		values := rows.RawValues()
		if len(values) != columnsOfVerdict {
			return errForm
		}
		id := GameID(values[0])
		if !m.seek(id) {
			if !m.verdictsAlone {
				continue
			}
			m.games = append(m.games, &RecordedGame{ID: id})
		}
		g := m.games[m.at]
		g.Standing, g.Rules = verdictOf(id, values[1:])
	}
	return rows.Err()
}

// seek goes on to a game, or to where it would be.
func (m *merging) seek(id GameID) (found bool) {
	for m.at < len(m.games) && bytes.Compare(m.games[m.at].ID[:], id[:]) < 0 {
		m.at++
	}
	return m.at < len(m.games) && m.games[m.at].ID == id
}

func (m *merging) events(rows pgx.Rows) error {
	m.at = 0
	for rows.Next() {
		values := rows.RawValues()
		g := m.of(GameID(values[0]))
		event := eventOf(values)
		if paid := values[5]; paid != nil {
			n, err := strconv.ParseUint(string(paid), 10, 64)
			if err != nil {
				return fmt.Errorf("read what an event paid: %w", err)
			}
			event.Paid = &n
		}
		g.add(event)
		if at := values[10]; at != nil {
			if g.Times == nil {
				g.Times = map[uint64]time.Time{}
			}
			g.Times[event.Slot] = time.Unix(int64(binary.BigEndian.Uint64(at)), 0)
		}
	}
	return rows.Err()
}

// of finds the game of an event, or puts one without a row where it belongs.
func (m *merging) of(id GameID) *RecordedGame {
	if m.seek(id) {
		return m.games[m.at]
	}
	g := &RecordedGame{ID: id, StoredGame: StoredGame{Standing: Verdict{Game: id, Seq: -1}}}
	m.games = append(m.games[:m.at], append([]*RecordedGame{g}, m.games[m.at:]...)...)
	return g
}
